#include <fmt/format.h>
#include <torch/types.h>

#include <stdexcept>

#include "floydnet/model.h"

namespace floydnet {
namespace {

using torch::Tensor;

struct Columns {
  int64_t categories;
  int64_t reals;

  bool operator==(const Columns& other) const {
    return categories == other.categories && reals == other.reals;
  }
};

Columns columns_of(const FeatureTable& table) {
  return {table.category_columns, table.real_columns};
}

void require_same_columns(const Graph& graph, const Graph& first, size_t index) {
  const auto same = [](const FeatureTable& a, const FeatureTable& b) {
    return columns_of(a) == columns_of(b);
  };
  if (same(graph.node_features, first.node_features) &&
      same(graph.edge_features, first.edge_features) &&
      same(graph.graph_features, first.graph_features)) {
    return;
  }
  throw std::invalid_argument(
      fmt::format("make_batch: graph {} has other feature columns than graph 0", index));
}

/// Collects rows of a feature table and turns them into tensors.
class Rows {
 public:
  explicit Rows(Columns columns) : columns_(columns) {}

  void add(const FeatureTable& table, int64_t row) {
    for (int64_t c = 0; c < columns_.categories; ++c) categories_.push_back(table.category(row, c));
    for (int64_t c = 0; c < columns_.reals; ++c) reals_.push_back(table.real(row, c));
  }
  void add_zeros() {
    categories_.resize(categories_.size() + columns_.categories, 0);
    reals_.resize(reals_.size() + columns_.reals, 0.0);
  }

  Tensor categories() const {
    if (columns_.categories == 0) return {};
    return torch::tensor(categories_, torch::kInt64).view({-1, columns_.categories});
  }
  Tensor reals(torch::Dtype dtype) const {
    if (columns_.reals == 0) return {};
    return torch::tensor(reals_, torch::kFloat64).view({-1, columns_.reals}).to(dtype);
  }

 private:
  Columns columns_;
  std::vector<int64_t> categories_;
  std::vector<double> reals_;
};

}  // namespace

GraphBatch make_batch(const std::vector<Graph>& graphs, torch::Dtype dtype) {
  if (graphs.empty()) throw std::invalid_argument("make_batch: got no graphs, wanted at least one");
  Rows node_rows(columns_of(graphs[0].node_features));
  Rows pair_rows(columns_of(graphs[0].edge_features));
  Rows graph_rows(columns_of(graphs[0].graph_features));
  std::vector<int64_t> adjacency;
  GraphBatch batch;
  for (size_t g = 0; g < graphs.size(); ++g) {
    const Graph& graph = graphs[g];
    require_same_columns(graph, graphs[0], g);
    batch.sizes.push_back(graph.nodes());
    for (int64_t node = 0; node < graph.nodes(); ++node) node_rows.add(graph.node_features, node);
    for (const int64_t edge : graph.edge_indices()) {
      adjacency.push_back(edge >= 0);
      if (edge >= 0) {
        pair_rows.add(graph.edge_features, edge);
      } else {
        pair_rows.add_zeros();
      }
    }
    graph_rows.add(graph.graph_features, 0);
  }
  batch.adjacency = torch::tensor(adjacency, torch::kInt64);
  batch.node_categories = node_rows.categories();
  batch.node_reals = node_rows.reals(dtype);
  batch.pair_categories = pair_rows.categories();
  batch.pair_reals = pair_rows.reals(dtype);
  batch.graph_categories = graph_rows.categories();
  batch.graph_reals = graph_rows.reals(dtype);
  return batch;
}

}  // namespace floydnet
