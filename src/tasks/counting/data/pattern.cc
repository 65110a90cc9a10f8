#include "tasks/counting/data/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/options.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "graph/families.h"

namespace floydnet::counting {
namespace {

using Edges = std::vector<Graph::Edge>;

/// A cycle with the chord that cuts node 0 off.
Graph chordal_cycle(int64_t n) {
  Graph graph = cycle_graph(n);
  graph.add_edge(1, n - 1);
  return graph;
}

std::vector<Pattern> make_benchmark() {
  const auto hom = [](const char* name, int64_t nodes, const Edges& edges) {
    return make_pattern(name, Kind::kHomomorphisms, Graph(nodes, edges));
  };
  const auto copies = [](const char* name, const Graph& graph) {
    return make_pattern(name, Kind::kCopies, graph);
  };
  std::vector<Pattern> all = {
      hom("boat", 6, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {3, 5}, {4, 5}}),
      hom("chordal6", 6, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {1, 4}, {2, 4}, {2, 5}, {3, 4}, {4, 5}}),
      hom("chordal4_1", 4, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}),
      hom("chordal4_4", 4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}),
      hom("chordal5_13", 5, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {3, 4}}),
      hom("chordal5_31", 5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {2, 3}, {3, 4}}),
      hom("chordal5_24", 5, {{0, 1}, {0, 2}, {0, 4}, {1, 2}, {2, 3}, {2, 4}, {3, 4}}),
      copies("cycle3", cycle_graph(3)),
      copies("cycle4", cycle_graph(4)),
      copies("cycle5", cycle_graph(5)),
      copies("cycle6", cycle_graph(6)),
      copies("chordal4", chordal_cycle(4)),
      copies("chordal5", chordal_cycle(5)),
  };
  all.back().edge_divisor = 14;  // as published, although it has 6 edges
  return all;
}

const Pattern* find_benchmark_pattern(const std::string& name) {
  for (const Pattern& pattern : benchmark_patterns()) {
    if (pattern.name == name) return &pattern;
  }
  return nullptr;
}

Graph parse_pattern_graph(const std::string& text) {
  GraphLimits limits;
  limits.max_nodes = kMaxPatternNodes;
  try {
    return parse_graph(text, "graph6", limits);
  } catch (const InputError& error) {
    std::vector<std::string> names;
    for (const Pattern& pattern : benchmark_patterns()) names.push_back(pattern.name);
    throw InputError(fmt::format("pattern {}: neither a name nor graph6 with up to {} nodes ({}){}",
                                 in_quotes(text), kMaxPatternNodes, error.what(),
                                 suggestion(text, names)));
  }
}

int64_t links(const Graph& pattern, int32_t node, const std::vector<int32_t>& to) {
  return std::count_if(to.begin(), to.end(),
                       [&](int32_t other) { return pattern.has_edge(node, other); });
}

}  // namespace

const char* text(Kind kind) { return kind == Kind::kHomomorphisms ? "homomorphisms" : "copies"; }

const std::vector<Pattern>& benchmark_patterns() {
  static const std::vector<Pattern> all = make_benchmark();
  return all;
}

Pattern make_pattern(const std::string& name, Kind kind, const Graph& graph) {
  const std::string source = fmt::format("pattern {}", in_quotes(name));
  if (graph.nodes() < kMinPatternNodes || graph.nodes() > kMaxPatternNodes) {
    throw InputError::in(source, fmt::format("{} nodes, wanted {} to {}", graph.nodes(),
                                             kMinPatternNodes, kMaxPatternNodes));
  }
  const auto is_loop = [](const Graph::Edge& edge) { return edge.first == edge.second; };
  if (graph.directed() || std::any_of(graph.edges().begin(), graph.edges().end(), is_loop)) {
    throw InputError::in(source, "directed or with a loop; wanted a simple graph, as graph6");
  }
  if (kind == Kind::kHomomorphisms) return {name, kind, graph};
  const auto edges = static_cast<double>(graph.edges().size());
  return {name, kind, graph, static_cast<double>(graph.nodes()), std::max(1.0, 2 * edges)};
}

Pattern parse_pattern(const std::string& text) {
  if (const Pattern* found = find_benchmark_pattern(text)) return *found;
  const std::string prefix = text.substr(0, 4);
  const bool has_prefix = prefix == "hom:" || prefix == "sub:";
  const std::string body = has_prefix ? text.substr(4) : text;
  const Pattern* found = find_benchmark_pattern(body);
  const Kind kind = prefix == "hom:" ? Kind::kHomomorphisms : Kind::kCopies;
  return make_pattern(text, kind, found != nullptr ? found->graph : parse_pattern_graph(body));
}

std::vector<Pattern> parse_patterns(const std::string& text) {
  if (text == "all") return benchmark_patterns();
  std::vector<Pattern> patterns;
  std::set<std::string> names;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    patterns.push_back(parse_pattern(text.substr(begin, end - begin)));
    if (!names.insert(patterns.back().name).second) {
      throw InputError(fmt::format("pattern {} is given twice", in_quotes(patterns.back().name)));
    }
    begin = end + 1;
  }
  return patterns;
}

std::vector<int32_t> linked_order(const Graph& pattern, std::vector<int32_t> first,
                                  std::vector<int32_t> rest) {
  while (!rest.empty()) {
    const auto next = std::max_element(rest.begin(), rest.end(), [&](int32_t u, int32_t v) {
      return links(pattern, u, first) < links(pattern, v, first);
    });
    first.push_back(*next);
    rest.erase(next);
  }
  return first;
}

std::vector<std::vector<int32_t>> linked_places(const Graph& pattern,
                                                const std::vector<int32_t>& order) {
  std::vector<std::vector<int32_t>> places(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (pattern.has_edge(order[i], order[j])) places[i].push_back(static_cast<int32_t>(j));
    }
  }
  return places;
}

}  // namespace floydnet::counting
