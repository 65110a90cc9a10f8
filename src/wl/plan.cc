#include "wl/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "floydnet/error.h"
#include "wl/parallel.h"
#include "wl/relabel.h"

namespace floydnet::wl {
namespace {

/// Below this, finding automorphisms costs more than it saves: some milliseconds of work.
constexpr double kLittleWork = 2e6;
/// Compressed evaluation reads rows through permutations, which takes about twice the time.
constexpr double kGatherCost = 2;

double dense_cells(int64_t nodes, int order) { return std::pow(static_cast<double>(nodes), order); }

double dense_graph_bytes(int64_t nodes, int order) {
  return static_cast<double>(kBytesPerPair) * dense_cells(nodes, 2) +
         static_cast<double>(kBytesPerCell) * dense_cells(nodes, order);
}

bool has_edge_features(const Graph& graph) {
  return graph.edge_features.category_columns + graph.edge_features.real_columns > 0;
}

std::string size_text(double bytes) {
  if (bytes < 1024.0 * 1024 * 1024) return fmt::format("{:.1f} MiB", bytes / 1024 / 1024);
  return fmt::format("{:.1f} GiB", bytes / 1024 / 1024 / 1024);
}

[[noreturn]] void refuse(const std::vector<const Graph*>& graphs, const WlOptions& options,
                         double bytes) {
  int64_t largest = 0;
  for (const Graph* graph : graphs) largest = std::max(largest, graph->nodes());
  throw InputError(fmt::format(
      "wl: k = {} on graphs of up to {} nodes needs {}, the limit is {}; raise --max-memory or "
      "lower --k",
      options.order, largest, size_text(bytes), size_text(static_cast<double>(options.max_bytes))));
}

/// Chooses for one graph.
class Choice {
 public:
  Choice(const Graph& graph, const WlOptions& options)
      : graph_(graph),
        options_(options),
        forced_(options.evaluation == WlEvaluation::kCompressed) {}

  /// None: dense evaluation.
  std::optional<TupleOrbits> orbits() const {
    if (!may_compress()) return std::nullopt;
    const Automorphisms automorphisms(graph_);
    const AutomorphismGroup group = automorphisms.stabiliser({});
    if (!forced_ && !may_gain(group.order)) return std::nullopt;
    TupleOrbits found(automorphisms, group, options_.order, options_.max_bytes);
    const double cells = dense_cells(graph_.nodes(), options_.order);
    const bool cheaper = kGatherCost * static_cast<double>(found.count()) < cells;
    if (forced_ || cheaper || !dense_fits()) return found;
    return std::nullopt;
  }

 private:
  bool may_compress() const {
    const bool possible = !has_edge_features(graph_) && graph_.nodes() <= kMaxPermutationNodes;
    if (forced_ && !possible) {
      throw InputError(
          "wl: compressed evaluation is for graphs without edge features and with at most 65535 "
          "nodes; use dense evaluation");
    }
    if (forced_) return true;
    return possible && options_.evaluation == WlEvaluation::kAuto &&
           dense_work(graph_.nodes(), options_.order) > kLittleWork;
  }

  /// An orbit has at most as many tuples as the group has members.
  bool may_gain(double group_order) const {
    const double least_bytes = dense_graph_bytes(graph_.nodes(), options_.order) / group_order;
    return group_order > kGatherCost && least_bytes <= static_cast<double>(options_.max_bytes);
  }

  bool dense_fits() const {
    return dense_graph_bytes(graph_.nodes(), options_.order) <=
           static_cast<double>(options_.max_bytes);
  }

  const Graph& graph_;
  const WlOptions& options_;
  bool forced_;
};

/// The bound on memory; refuses if that or the number of tuples is too large.
int64_t checked_bytes(const std::vector<const Graph*>& graphs,
                      const std::vector<std::optional<TupleOrbits>>& orbits,
                      const WlOptions& options) {
  double bytes = 0;
  double cells = 0;
  for (size_t i = 0; i < graphs.size(); ++i) {
    const int64_t n = graphs[i]->nodes();
    cells += orbits[i] ? static_cast<double>(orbits[i]->count()) : dense_cells(n, options.order);
    bytes += orbits[i] ? static_cast<double>(compressed_bytes(*orbits[i]))
                       : dense_graph_bytes(n, options.order);
  }
  if (bytes > static_cast<double>(options.max_bytes)) refuse(graphs, options, bytes);
  if (cells >= static_cast<double>(kMaxKeys)) {
    throw InputError("wl: more than 2^32 tuples; lower --k");
  }
  return static_cast<int64_t>(bytes);
}

}  // namespace

double dense_work(int64_t nodes, int order) { return dense_cells(nodes, order + 1); }

Plan make_plan(const std::vector<const Graph*>& graphs, const WlOptions& options) {
  const auto count = static_cast<int64_t>(graphs.size());
  std::vector<std::optional<TupleOrbits>> orbits(graphs.size());
  parallel_for(options.threads, count, 1, [&](int64_t begin, int64_t) {
    const auto i = static_cast<size_t>(begin);
    orbits[i] = Choice(*graphs[i], options).orbits();
  });
  Plan plan;
  plan.bytes = checked_bytes(graphs, orbits, options);
  std::vector<std::optional<TupleSpace>> spaces(graphs.size());
  parallel_for(options.threads, count, 1, [&](int64_t begin, int64_t) {
    const auto i = static_cast<size_t>(begin);
    if (orbits[i]) {
      spaces[i].emplace(std::move(*orbits[i]));
    } else {
      spaces[i].emplace(graphs[i]->nodes(), options.order);
    }
  });
  for (auto& space : spaces) plan.spaces.push_back(std::move(*space));
  return plan;
}

}  // namespace floydnet::wl

namespace floydnet {

double wl_dense_bytes(int order, const std::vector<int64_t>& nodes) {
  double bytes = 0;
  for (const int64_t n : nodes) bytes += wl::dense_graph_bytes(n, order);
  return bytes;
}

}  // namespace floydnet
