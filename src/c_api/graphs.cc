#include <fmt/format.h>

#include <limits>
#include <set>

#include "c_api/handles.h"
#include "floydnet/counting.h"
#include "floydnet/error.h"
#include "floydnet/wl.h"

using namespace floydnet;
using namespace floydnet::c_api;

namespace {

Graph graph_of(int64_t nodes, const int64_t* edges, int64_t count, bool directed) {
  const GraphLimits limits;
  if (nodes < 0 || nodes > limits.max_nodes) {
    throw InputError(fmt::format("graph: {} nodes; there may be 0 to {}", nodes, limits.max_nodes));
  }
  if (count < 0 || count > limits.max_edges) {
    throw InputError(fmt::format("graph: {} edges; there may be 0 to {}", count, limits.max_edges));
  }
  if (count > 0) require_pointer(edges, "edges");
  std::vector<Graph::Edge> list;
  list.reserve(count);
  for (int64_t e = 0; e < count; ++e) {
    const int64_t from = edges[2 * e], to = edges[2 * e + 1];
    if (from < 0 || from >= nodes || to < 0 || to >= nodes) {
      throw InputError(
          fmt::format("graph: edge {} is ({}, {}), but nodes are 0 to {}", e, from, to, nodes - 1));
    }
    list.emplace_back(static_cast<int32_t>(from), static_cast<int32_t>(to));
  }
  return Graph(nodes, list, directed);
}

NpzArchive arrays_of(const Graph& graph) {
  std::vector<int64_t> ends;
  for (const auto& [from, to] : graph.edges()) ends.insert(ends.end(), {from, to});
  const auto count = static_cast<int64_t>(graph.edges().size());
  return {{"nodes", scalar<int64_t>(graph.nodes())},
          {"directed", flag(graph.directed())},
          {"edges", NpyArray::from(ends, {count, 2})}};
}

WlOptions wl_options(const char* json) {
  WlOptions options;
  int64_t order = options.order, rounds = -1, threads = options.threads;
  OptionTable table;
  table.integer("order", &order, {1, kMaxOrder}, "k");
  table.integer("rounds", &rounds, {-1, int64_t{1} << 40}, "at most; -1: until stable");
  table.integer("threads", &threads, {1, 1024}, "to use");
  table.integer("max_bytes", &options.max_bytes, {1, int64_t{1} << 50}, "of memory");
  table.choice("evaluation", &options.evaluation,
               {{"auto", WlEvaluation::kAuto},
                {"dense", WlEvaluation::kDense},
                {"compressed", WlEvaluation::kCompressed}},
               "how");
  read_options(table, json, "wl.compare");
  options.order = static_cast<int>(order);
  options.threads = static_cast<int>(threads);
  if (rounds >= 0) options.rounds = rounds;
  return options;
}

counting::CountOptions count_options(const char* json) {
  counting::CountOptions options;
  int64_t threads = options.threads;
  OptionTable table;
  table.boolean("nodes", &options.levels.nodes, "whether counts of nodes are wanted");
  table.boolean("pairs", &options.levels.pairs, "whether counts of pairs are wanted");
  table.integer("threads", &threads, {1, 1024}, "to use");
  table.integer("max_bytes", &options.max_bytes, {1, int64_t{1} << 50}, "of memory");
  read_options(table, json, "counting.count");
  options.threads = static_cast<int>(threads);
  return options;
}

NpyArray column(const std::vector<int64_t>& values) {
  return NpyArray::from(values, {static_cast<int64_t>(values.size())});
}

NpzArchive counted(const std::vector<Graph>& graphs, const std::string& patterns,
                   const counting::CountOptions& options) {
  const counting::CountTable table =
      counting::count_patterns(graphs, counting::parse_patterns(patterns), options);
  NpzArchive arrays;
  arrays["sizes"] = column(table.sizes);
  for (size_t p = 0; p < table.patterns.size(); ++p) {
    const std::string& name = table.patterns[p].name;
    arrays["graph/" + name] = column(table.columns[p].graphs);
    if (options.levels.nodes) arrays["node/" + name] = column(table.columns[p].nodes);
    if (options.levels.pairs) arrays["pair/" + name] = column(table.columns[p].pairs);
  }
  return arrays;
}

}  // namespace

floydnet_graph* floydnet_graph_new(int64_t nodes, const int64_t* edges, int64_t count,
                                   int directed) {
  return guarded([&] { return new floydnet_graph{graph_of(nodes, edges, count, directed != 0)}; },
                 static_cast<floydnet_graph*>(nullptr));
}

floydnet_graph* floydnet_graph_parse(const char* text) {
  return guarded(
      [&] {
        require_pointer(text, "text");
        return new floydnet_graph{parse_graph(text)};
      },
      static_cast<floydnet_graph*>(nullptr));
}

int floydnet_graph_set_node_categories(floydnet_graph* graph, const int64_t* categories,
                                       int64_t count) {
  return guarded(
      [&] {
        require_pointer(graph, "graph");
        if (count != graph->graph.nodes()) {
          throw InputError(
              fmt::format("graph: {} categories for {} nodes", count, graph->graph.nodes()));
        }
        if (count > 0) require_pointer(categories, "categories");
        FeatureTable table(count, 1, 0);
        for (int64_t i = 0; i < count; ++i) {
          if (categories[i] < 0) {
            throw InputError(
                fmt::format("graph: node {} has category {}; they count from 0", i, categories[i]));
          }
          table.category(i, 0) = categories[i];
        }
        graph->graph.node_features = table;
        return 1;
      },
      0);
}

floydnet_arrays* floydnet_graph_arrays(const floydnet_graph* graph) {
  return guarded(
      [&] {
        require_pointer(graph, "graph");
        return new_arrays(arrays_of(graph->graph));
      },
      static_cast<floydnet_arrays*>(nullptr));
}

void floydnet_graph_free(floydnet_graph* graph) { delete graph; }

floydnet_arrays* floydnet_wl_compare(const floydnet_graph* a, const floydnet_graph* b,
                                     const char* options) {
  return guarded(
      [&] {
        require_pointer(a, "a");
        require_pointer(b, "b");
        const WlVerdict verdict = wl_compare(a->graph, b->graph, wl_options(options));
        return new_arrays({{"distinguished", flag(verdict.distinguished)},
                           {"sizes_differ", flag(verdict.sizes_differ)},
                           {"stable", flag(verdict.stable)},
                           {"compressed", flag(verdict.compressed)},
                           {"rounds", scalar<int64_t>(verdict.rounds)},
                           {"colours", scalar<int64_t>(verdict.colours)}});
      },
      static_cast<floydnet_arrays*>(nullptr));
}

floydnet_arrays* floydnet_count(const floydnet_graph* const* graphs, int64_t count,
                                const char* patterns, const char* options) {
  return guarded(
      [&] {
        require_pointer(patterns, "patterns");
        if (count > 0) require_pointer(graphs, "graphs");
        std::vector<Graph> list;
        for (int64_t i = 0; i < count; ++i) {
          require_pointer(graphs[i], "a graph");
          list.push_back(graphs[i]->graph);
        }
        return new_arrays(counted(list, patterns, count_options(options)));
      },
      static_cast<floydnet_arrays*>(nullptr));
}
