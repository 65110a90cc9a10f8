#include "tasks/brec/data/features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "floydnet/wl.h"
#include "graph/families.h"

namespace floydnet::brec {
namespace {

int64_t count_at(const Graph& graph, int64_t node, int64_t hop, int64_t which) {
  const int64_t column = (hop - 1) * kPeripheralCounts + which;
  return std::llround(std::expm1(graph.node_features.real(node, column)));
}

std::vector<int64_t> counts_at(const Graph& graph, int64_t node, int64_t hop) {
  std::vector<int64_t> counts;
  for (int64_t i = 0; i < kPeripheralCounts; ++i) counts.push_back(count_at(graph, node, hop, i));
  return counts;
}

TEST(BrecFeatures, NeighbourhoodsByHand) {
  // The neighbours of a node are a hexagon in the Shrikhande graph, two triangles in the rook's.
  Graph shrikhande = shrikhande_graph(), rook = rook_graph(4);
  add_peripheral_features(shrikhande);
  add_peripheral_features(rook);
  using Counts = std::vector<int64_t>;
  for (int64_t v = 0; v < 16; ++v) {
    EXPECT_EQ(counts_at(shrikhande, v, 1), (Counts{6, 6, 24, 0, 1, 36, 6, 3, 0}));
    EXPECT_EQ(counts_at(rook, v, 1), (Counts{6, 6, 24, 2, 2, 18, 0, 0, 0}));
    EXPECT_EQ(count_at(rook, v, 2, 0), 9);
    EXPECT_EQ(count_at(rook, v, 3, 0), 0);
  }
  EXPECT_TRUE(wl_compare(shrikhande, rook, {}).distinguished);
}

TEST(BrecFeatures, MoveWithTheNodes) {
  Graph graph = disjoint_union(complete_bipartite_graph(2, 3), cycle_graph(7));
  std::vector<int64_t> names;
  for (int64_t v = 0; v < graph.nodes(); ++v) names.push_back((5 * v + 3) % graph.nodes());
  Graph renamed = graph.relabeled(names);
  add_peripheral_features(graph);
  add_peripheral_features(renamed);
  const Graph moved = graph.relabeled(names);
  EXPECT_EQ(moved.node_features.reals, renamed.node_features.reals);
}

}  // namespace
}  // namespace floydnet::brec
