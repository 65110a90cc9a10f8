// What all copies of a graph share when a frozen k-FloydNet is evaluated on it: the tuples, their
// orbits' sizes, and the states that Init gives them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "floydnet/graph.h"
#include "tasks/brec/data/frozen.h"
#include "wl/orbits.h"
#include "wl/space.h"

namespace floydnet::brec {

/// Cells are tuples, or orbits of them.
class Structure {
 public:
  /// Without orbits, of all tuples.
  Structure(const FrozenWeights& weights, const Graph& graph,
            std::optional<wl::TupleOrbits> orbits);

  const wl::TupleSpace& space() const { return space_; }
  int64_t nodes() const { return n_; }
  /// The cell of the tuple with this prefix and last coordinate.
  uint32_t cell(int64_t prefix, int64_t last) const {
    const int64_t at = prefix * n_ + last;
    return rows_.empty() ? static_cast<uint32_t>(at) : rows_[static_cast<size_t>(at)];
  }
  static int64_t last_coordinate(const wl::TupleSpace::Cells& cells, int64_t i) {
    return cells.points == nullptr ? i : cells.points[i];
  }
  double size(int64_t cell) const { return sizes_[static_cast<size_t>(cell)]; }  // of the orbit
  double tuples() const { return tuples_; }
  const std::vector<double>& states() const { return states_; }  // by Init: [cells, dim]

 private:
  void find_sizes();
  void init(const FrozenWeights& weights, const Graph& graph);
  void init_cell(const FrozenWeights& weights, const Graph& graph,
                 const std::vector<uint8_t>& adjacency, const std::array<int64_t, kMaxOrder>& tuple,
                 double* state) const;

  int64_t n_;
  wl::TupleSpace space_;
  std::vector<uint32_t> rows_;  // [prefixes, n]; none if all tuples are cells
  std::vector<double> sizes_;
  double tuples_ = 0;
  std::vector<double> states_;
};

}  // namespace floydnet::brec
