#include "tasks/counting/data/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <variant>

#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/counting/data/copies.h"
#include "tasks/counting/data/homomorphisms.h"
#include "wl/parallel.h"

namespace floydnet::counting {
namespace {

constexpr int64_t kGraphsOfPart = 64;  // handed to a thread at once

int64_t checked_sum(const int64_t* begin, const int64_t* end) {
  int64_t sum = 0;
  for (; begin != end; ++begin) {
    if (__builtin_add_overflow(sum, *begin, &sum)) {
      throw InputError("the sum of the counts over a graph does not fit 63 bits");
    }
  }
  return sum;
}

/// Sums the table over the images of (0, 1) to the other levels.
Counts sum_up(const std::vector<int64_t>& pairs, int64_t n, Levels levels) {
  Counts counts;
  std::vector<int64_t> nodes;
  for (int64_t v = 0; v < n; ++v) {
    nodes.push_back(checked_sum(pairs.data() + v * n, pairs.data() + (v + 1) * n));
  }
  counts.graph = checked_sum(nodes.data(), nodes.data() + n);
  if (levels.nodes) counts.nodes = std::move(nodes);
  if (levels.pairs) counts.pairs = pairs;
  return counts;
}

void require_room(const TupleLayout& pairs, int64_t patterns, const CountOptions& options) {
  const double rows = static_cast<double>(pairs.graphs()) +
                      (options.levels.nodes ? static_cast<double>(pairs.with_order(1).rows()) : 0) +
                      (options.levels.pairs ? static_cast<double>(pairs.rows()) : 0);
  const double bytes = rows * static_cast<double>(patterns) * sizeof(int64_t);
  if (bytes <= static_cast<double>(options.max_bytes)) return;
  throw InputError(fmt::format(
      "the counts of {} patterns in {} graphs need {:.1f} GiB, the limit is {:.1f} GiB; take fewer "
      "graphs, patterns or levels",
      patterns, pairs.graphs(), std::ldexp(bytes, -30),
      std::ldexp(static_cast<double>(options.max_bytes), -30)));
}

/// Runs `action`, whose refusals then name the graph.
template <typename Action>
void at_graph(int64_t graph, Action action) {
  try {
    action();
  } catch (const InputError& error) {
    throw InputError::in(fmt::format("graph {}", graph), error.what());
  }
}

CountTable empty_table(const std::vector<Graph>& graphs, const std::vector<Pattern>& patterns,
                       const CountOptions& options) {
  CountTable table;
  for (const Graph& graph : graphs) {
    at_graph(static_cast<int64_t>(table.sizes.size()), [&] { require_countable(graph); });
    table.sizes.push_back(graph.nodes());
  }
  table.patterns = patterns;
  const TupleLayout pairs = table.layout(2);
  require_room(pairs, static_cast<int64_t>(patterns.size()), options);
  table.columns.resize(patterns.size());
  for (CountColumn& column : table.columns) {
    column.graphs.resize(graphs.size());
    if (options.levels.nodes) column.nodes.resize(static_cast<size_t>(pairs.with_order(1).rows()));
    if (options.levels.pairs) column.pairs.resize(static_cast<size_t>(pairs.rows()));
  }
  return table;
}

/// Counts parts of the graphs, on any thread, into their own rows of the table.
class TableFiller {
 public:
  TableFiller(const std::vector<Graph>& graphs, Levels levels, CountTable& table)
      : graphs_(graphs),
        levels_(levels),
        table_(table),
        nodes_(table.layout(1)),
        pairs_(table.layout(2)) {}

  void fill(int64_t begin, int64_t end) {
    std::vector<Counter> counters(table_.patterns.begin(), table_.patterns.end());
    for (int64_t graph = begin; graph < end; ++graph) {
      at_graph(graph, [&] {
        const Target target(graphs_[static_cast<size_t>(graph)]);
        for (size_t i = 0; i < counters.size(); ++i) {
          put(counters[i].count(target, levels_), graph, table_.columns[i]);
        }
      });
    }
  }

 private:
  void put(const Counts& counts, int64_t graph, CountColumn& column) const {
    column.graphs[static_cast<size_t>(graph)] = counts.graph;
    std::copy(counts.nodes.begin(), counts.nodes.end(),
              column.nodes.begin() + (levels_.nodes ? nodes_.offset(graph) : 0));
    std::copy(counts.pairs.begin(), counts.pairs.end(),
              column.pairs.begin() + (levels_.pairs ? pairs_.offset(graph) : 0));
  }

  const std::vector<Graph>& graphs_;
  Levels levels_;
  CountTable& table_;
  TupleLayout nodes_, pairs_;
};

template <typename T>
NpyArray column_of(const std::vector<T>& values) {
  return NpyArray::from(values, {static_cast<int64_t>(values.size())});
}

NpyArray column_of(const std::vector<std::string>& values) {
  return NpyArray::from_strings(values, {static_cast<int64_t>(values.size())});
}

}  // namespace

class Counter::Method {
 public:
  explicit Method(const Pattern& pattern)
      : counter_(pattern.kind == Kind::kCopies ? Either(CopyCounter(pattern.graph))
                                               : Either(HomomorphismCounter(pattern.graph))) {}

  Counts count(const Target& target, Levels levels) {
    if (auto* homomorphisms = std::get_if<HomomorphismCounter>(&counter_)) {
      return sum_up(homomorphisms->count(target), target.nodes(), levels);
    }
    Counts counts;
    counts.graph = std::get<CopyCounter>(counter_).count(
        target, levels.nodes ? &counts.nodes : nullptr, levels.pairs ? &counts.pairs : nullptr);
    return counts;
  }

 private:
  using Either = std::variant<HomomorphismCounter, CopyCounter>;
  Either counter_;
};

Counter::Counter(const Pattern& pattern)
    : name_(pattern.name), method_(std::make_unique<Method>(pattern)) {}
Counter::~Counter() = default;
Counter::Counter(Counter&&) noexcept = default;
Counter& Counter::operator=(Counter&&) noexcept = default;

Counts Counter::count(const Target& target, Levels levels) {
  try {
    return method_->count(target, levels);
  } catch (const InputError& error) {
    throw InputError::in(fmt::format("pattern {}", in_quotes(name_)), error.what());
  }
}

CountTable count_patterns(const std::vector<Graph>& graphs, const std::vector<Pattern>& patterns,
                          const CountOptions& options) {
  CountTable table = empty_table(graphs, patterns, options);
  TableFiller filler(graphs, options.levels, table);
  std::mutex progress_mutex;
  int64_t done = 0;
  wl::parallel_for(options.threads, static_cast<int64_t>(graphs.size()), kGraphsOfPart,
                   [&](int64_t begin, int64_t end) {
                     filler.fill(begin, end);
                     const std::lock_guard<std::mutex> lock(progress_mutex);
                     done += end - begin;
                     if (options.progress) options.progress(done);
                   });
  return table;
}

Scale scale_of(const std::vector<int64_t>& graph_counts) {
  Scale scale;
  const auto count = static_cast<double>(graph_counts.size());
  if (graph_counts.empty()) return scale;
  scale.mean = std::accumulate(graph_counts.begin(), graph_counts.end(), 0.0) / count;
  if (graph_counts.size() < 2) return scale;
  double squares = 0;
  for (const int64_t value : graph_counts) {
    squares += std::pow(static_cast<double>(value) - scale.mean, 2);
  }
  scale.deviation = std::sqrt(squares / (count - 1));
  return scale;
}

std::vector<double> normalised(const std::vector<int64_t>& counts, const Scale& scale) {
  std::vector<double> targets(counts.begin(), counts.end());
  for (double& target : targets) target /= scale.divisor();
  return targets;
}

NpzArchive to_arrays(const CountTable& table, const std::vector<Graph>& graphs) {
  NpzArchive arrays;
  std::vector<std::string> names, lines;
  std::vector<double> means, deviations, node_divisors, edge_divisors;
  for (size_t i = 0; i < table.patterns.size(); ++i) {
    const Pattern& pattern = table.patterns[i];
    const CountColumn& column = table.columns[i];
    arrays["graph/" + pattern.name] = column_of(column.graphs);
    if (!column.nodes.empty()) arrays["node/" + pattern.name] = column_of(column.nodes);
    if (!column.pairs.empty()) arrays["edge/" + pattern.name] = column_of(column.pairs);
    const Scale scale = scale_of(column.graphs);
    names.push_back(pattern.name);
    means.push_back(scale.mean);
    deviations.push_back(scale.deviation);
    node_divisors.push_back(pattern.node_divisor);
    edge_divisors.push_back(pattern.edge_divisor);
  }
  for (const Graph& graph : graphs) lines.push_back(format_graph(graph, GraphFormat::kGraph6));
  arrays["sizes"] = column_of(table.sizes);
  arrays["graphs"] = column_of(lines);
  arrays["patterns"] = column_of(names);
  arrays["mean"] = column_of(means);
  arrays["deviation"] = column_of(deviations);
  arrays["node_divisor"] = column_of(node_divisors);
  arrays["edge_divisor"] = column_of(edge_divisors);
  return arrays;
}

}  // namespace floydnet::counting
