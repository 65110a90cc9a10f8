// The tuples of one graph that a round evaluates: all of them, or one an orbit.
//
// Tuples are grouped by their first k-1 coordinates, a prefix. A prefix owns a row of N colours,
// one for each last coordinate. For a fixed prefix and pivot p, the colours of v[r<-p], for all
// last coordinates and a role r < k-1, are a row again: that of the prefix with its r-th coordinate
// replaced, read through a permutation if that is not a representative. Role k-1 gives one colour
// of the prefix's own row.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "floydnet/graph.h"
#include "wl/orbits.h"

namespace floydnet::wl {

class TupleSpace {
 public:
  /// All tuples of a graph of n nodes.
  TupleSpace(int64_t n, int order);
  /// The representatives of orbits. Finding the targets of all pivots takes the time of about one
  /// round.
  explicit TupleSpace(TupleOrbits orbits);

  bool compressed() const { return orbits_.has_value(); }
  int64_t nodes() const { return n_; }
  int64_t prefixes() const { return prefixes_; }
  int64_t cells() const { return cells_; }  // tuples that are evaluated

  /// The tuples that a prefix owns: consecutive cells, one for each of these last coordinates.
  struct Cells {
    int64_t first;
    int64_t count;
    const uint16_t* points;  // null: 0..n-1
    const uint32_t* sizes;   // of the last coordinates' orbits; null: 1 each
    int64_t weight;          // of the prefix's orbit
  };
  Cells cells_of(int64_t prefix) const;

  struct Source {
    int64_t prefix;
    const uint16_t* images;  // null: the identity
  };
  Source source(int64_t prefix, int role, int64_t pivot) const;

  std::array<int64_t, kMaxOrder> prefix_tuple(int64_t prefix) const;

  /// From one colour for each cell to rows, which dense spaces do without.
  void fill_rows(const uint32_t* cell_colours, std::vector<uint32_t>& rows) const;

 private:
  int64_t n_;
  int order_;
  int64_t prefixes_;
  int64_t cells_;
  std::array<int64_t, kMaxOrder> strides_{};  // dense: of a prefix's coordinates
  std::optional<TupleOrbits> orbits_;
  std::vector<TupleOrbits::Target> targets_;  // [prefixes, k-1, n]
};

/// What orbits, their targets, rows, pairs and cells need.
int64_t compressed_bytes(const TupleOrbits& orbits);
/// A key, a colour, and, should all colours differ, a table slot, a count and a histogram's entry.
constexpr int64_t kBytesPerCell = 68;
/// The same for the isomorphism types of ordered pairs, with an entry of the edge matrix.
constexpr int64_t kBytesPerPair = 52;

}  // namespace floydnet::wl
