#include "wl/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "floydnet/error.h"
#include "wl/relabel.h"

namespace floydnet::wl {
namespace {

/// Below this, finding automorphisms costs more than it saves: some milliseconds of work.
constexpr double kLittleWork = 2e6;
/// Compressed evaluation reads rows through permutations, which takes about twice the time.
constexpr double kGatherCost = 2;

double dense_cells(int64_t nodes, int order) {
  return std::pow(static_cast<double>(nodes), order);
}

double dense_graph_bytes(int64_t nodes, int order) {
  const double atoms = 20.0 * static_cast<double>(nodes) * static_cast<double>(nodes);
  return atoms + static_cast<double>(kBytesPerCell) * dense_cells(nodes, order);
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

/// Chooses for one graph; an empty result stands for dense evaluation.
class Choice {
 public:
  Choice(const Graph& graph, const WlOptions& options) : graph_(graph), options_(options) {}

  std::optional<TupleOrbits> orbits() const {
    if (!worth_a_try()) return std::nullopt;
    TupleOrbits found(graph_, options_.order, options_.max_bytes);
    const double cells = dense_cells(graph_.nodes(), options_.order);
    const bool cheaper = kGatherCost * static_cast<double>(found.count()) < cells;
    if (forced() || cheaper || !dense_fits()) return found;
    return std::nullopt;
  }

 private:
  bool forced() const { return options_.evaluation == WlEvaluation::kCompressed; }

  bool dense_fits() const {
    return dense_graph_bytes(graph_.nodes(), options_.order) <=
           static_cast<double>(options_.max_bytes);
  }

  bool worth_a_try() const {
    if (forced()) {
      if (has_edge_features(graph_) || graph_.nodes() > kMaxPermutationNodes) {
        throw InputError("wl: compressed evaluation is for graphs without edge features and with "
                         "at most 65535 nodes; use dense evaluation");
      }
      return true;
    }
    if (options_.evaluation == WlEvaluation::kDense || has_edge_features(graph_)) return false;
    if (graph_.nodes() > kMaxPermutationNodes) return false;
    if (dense_work(graph_.nodes(), options_.order) <= kLittleWork) return false;
    const double order = Automorphisms(graph_).stabiliser({}).order;
    // An orbit has at most `order` tuples, which bounds the gain before the orbits are found.
    const double least_bytes = dense_graph_bytes(graph_.nodes(), options_.order) / order;
    return order > kGatherCost && least_bytes <= static_cast<double>(options_.max_bytes);
  }

  const Graph& graph_;
  const WlOptions& options_;
};

}  // namespace

double dense_work(int64_t nodes, int order) { return dense_cells(nodes, order + 1); }

Plan make_plan(const std::vector<const Graph*>& graphs, const WlOptions& options) {
  std::vector<std::optional<TupleOrbits>> orbits;
  double bytes = 0;
  double cells = 0;
  for (const Graph* graph : graphs) {
    orbits.push_back(Choice(*graph, options).orbits());
    const auto& its = orbits.back();
    cells += its ? static_cast<double>(its->count()) : dense_cells(graph->nodes(), options.order);
    bytes += its ? static_cast<double>(compressed_bytes(*its))
                 : dense_graph_bytes(graph->nodes(), options.order);
    if (bytes > static_cast<double>(options.max_bytes)) refuse(graphs, options, bytes);
  }
  if (cells >= static_cast<double>(kMaxKeys)) {
    throw InputError("wl: more than 2^32 tuples; lower --k");
  }
  Plan plan;
  plan.bytes = static_cast<int64_t>(bytes);
  for (size_t i = 0; i < graphs.size(); ++i) {
    if (orbits[i]) {
      plan.spaces.emplace_back(std::move(*orbits[i]));
    } else {
      plan.spaces.emplace_back(graphs[i]->nodes(), options.order);
    }
  }
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
