// Small sets, for tests only.
#pragma once

#include <limits>

#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

/// A real label that is not there.
inline constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

/// A triangle with a tail, and a single edge: columns of every level, names and splits.
inline GraphSet small_set() {
  GraphSet set;
  set.sizes = {4, 2};
  set.edge_offsets = {0, 4, 5};
  set.edges = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {0, 1}};
  set.pairs_listed = true;
  set.pair_offsets = {0, 2, 3};
  set.pairs = {{0, 3}, {3, 0}, {1, 0}};
  set.columns = {
      {"x", Level::kNode, 2, false, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {}},
      {"weight", Level::kEdge, 1, true, {}, {.5F, 1, 1.5F, 2, 2.5F}},
      {"contact", Level::kPair, 1, false, {1, 1, 0}, {}},
      {"y", Level::kGraph, 1, true, {}, {-1.25F, 3}},
  };
  set.splits = {Split::kTrain, Split::kTest};
  set.names = {"paw", "edge"};
  return set;
}

inline bool operator==(const Column& a, const Column& b) {
  return a.name == b.name && a.level == b.level && a.width == b.width && a.real == b.real &&
         a.integers == b.integers && a.reals == b.reals;
}

inline bool operator==(const GraphSet& a, const GraphSet& b) {
  return a.sizes == b.sizes && a.directed == b.directed && a.edge_offsets == b.edge_offsets &&
         a.edges == b.edges && a.pairs_listed == b.pairs_listed &&
         a.pair_offsets == b.pair_offsets && a.pairs == b.pairs && a.columns == b.columns &&
         a.splits == b.splits && a.names == b.names;
}

}  // namespace floydnet::graphs
