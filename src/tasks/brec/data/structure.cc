#include "tasks/brec/data/structure.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace floydnet::brec {

using wl::TupleOrbits;
using wl::TupleSpace;

Structure::Structure(const FrozenWeights& weights, const Graph& graph,
                     std::optional<TupleOrbits> orbits)
    : n_(graph.nodes()),
      space_(orbits ? TupleSpace(std::move(*orbits)) : TupleSpace(graph.nodes(), weights.order)) {
  if (space_.compressed()) {
    std::vector<uint32_t> numbers(static_cast<size_t>(space_.cells()));
    std::iota(numbers.begin(), numbers.end(), 0u);
    space_.fill_rows(numbers.data(), rows_);
  }
  find_sizes();
  init(weights, graph);
}

void Structure::find_sizes() {
  sizes_.resize(static_cast<size_t>(space_.cells()));
  for (int64_t prefix = 0; prefix < space_.prefixes(); ++prefix) {
    const auto cells = space_.cells_of(prefix);
    for (int64_t i = 0; i < cells.count; ++i) {
      sizes_[static_cast<size_t>(cells.first + i)] =
          static_cast<double>(cells.weight) * (cells.sizes == nullptr ? 1 : cells.sizes[i]);
    }
  }
  tuples_ = std::accumulate(sizes_.begin(), sizes_.end(), 0.0);
}

void Structure::init(const FrozenWeights& weights, const Graph& graph) {
  const std::vector<uint8_t> adjacency = graph.adjacency();
  states_.resize(sizes_.size() * static_cast<size_t>(weights.dim));
  for (int64_t prefix = 0; prefix < space_.prefixes(); ++prefix) {
    const auto cells = space_.cells_of(prefix);
    auto tuple = space_.prefix_tuple(prefix);
    for (int64_t i = 0; i < cells.count; ++i) {
      tuple[static_cast<size_t>(weights.order - 1)] = last_coordinate(cells, i);
      init_cell(weights, graph, adjacency, tuple, states_.data() + (cells.first + i) * weights.dim);
    }
  }
}

void Structure::init_cell(const FrozenWeights& weights, const Graph& graph,
                          const std::vector<uint8_t>& adjacency,
                          const std::array<int64_t, kMaxOrder>& tuple, double* state) const {
  const int64_t dim = weights.dim;
  const auto add = [&](const double* row) {
    for (int64_t c = 0; c < dim; ++c) state[c] += row[c];
  };
  std::copy(weights.bias.begin(), weights.bias.end(), state);
  for (size_t a = 0; a < weights.nodes.size(); ++a) {
    const int64_t reals = graph.node_features.real_columns;
    for (int64_t c = 0; c < dim; ++c) {
      for (int64_t f = 0; f < reals; ++f) {
        state[c] += weights.nodes[a][static_cast<size_t>(c * reals + f)] *
                    graph.node_features.real(tuple[a], f);
      }
    }
  }
  for (const FrozenWeights::PairTable& pair : weights.pairs) {
    const int64_t from = tuple[static_cast<size_t>(pair.a)];
    const int64_t to = tuple[static_cast<size_t>(pair.b)];
    add(pair.table.data() + adjacency[static_cast<size_t>(from * n_ + to)] * dim);
  }
  const double* equality = weights.equality.data();
  for (int a = 0; a < weights.order; ++a) {
    for (int b = a + 1; b < weights.order; ++b, equality += dim) {
      if (tuple[static_cast<size_t>(a)] == tuple[static_cast<size_t>(b)]) add(equality);
    }
  }
}

}  // namespace floydnet::brec
