#include "tasks/graphs/graph_structure.h"

#include <gmock/gmock.h>

#include "tasks/graphs/test_graph_sets.h"

namespace floydnet::graphs {
namespace {

using ::testing::ElementsAre;

/// A triangle 0 1 2 with a tail 2-3, and a node of its own, 4.
GraphSet paw() {
  GraphSet set;
  set.sizes = {5};
  set.edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}};
  set.edge_offsets = {0, 4};
  set.check();
  return set;
}

StructureConfig all_of_it() {
  StructureConfig config;
  config.walks = 3;
  config.rings = true;
  return config;
}

TEST(GraphStructure, DistancesAreThoseOfAllPairs) {
  EXPECT_THAT(structure_of(paw(), 0, all_of_it()).distances,
              ElementsAre(0, 1, 1, 2, -1, 1, 0, 1, 2, -1, 1, 1, 0, 1, -1, 2, 2, 1, 0, -1, -1, -1,
                          -1, -1, 0));
  const GraphSet set = random_set(20, 4);
  for (int64_t g = 0; g < set.graphs(); ++g) {
    const auto at = static_cast<size_t>(g);
    const std::vector<Graph::Edge> edges(set.edges.begin() + set.edge_offsets[at],
                                         set.edges.begin() + set.edge_offsets[at + 1]);
    EXPECT_EQ(structure_of(set, g, {}).distances, distances_in(set.sizes[at], edges));
  }
}

TEST(GraphStructure, WalksAreRowsOfPowersOfTheTransitionMatrix) {
  const std::vector<float> walks = structure_of(paw(), 0, all_of_it()).walks;
  const auto steps = [&](size_t u, size_t v) {
    const auto first = walks.begin() + static_cast<int64_t>((u * 5 + v) * 3);
    return std::vector<float>(first, first + 3);
  };
  EXPECT_THAT(steps(0, 0), ElementsAre(1, 0, 0.25F + 0.5F / 3));
  EXPECT_THAT(steps(3, 2), ElementsAre(0, 1, 0));
  EXPECT_THAT(steps(3, 3), ElementsAre(0, 0, 1.F / 3));
  EXPECT_THAT(steps(4, 4), ElementsAre(1, 0, 0)) << "nowhere to go";
}

TEST(GraphStructure, RingsAreTheSmallestThroughNodesAndEdges) {
  const GraphStructure found = structure_of(paw(), 0, all_of_it());
  EXPECT_THAT(found.node_rings, ElementsAre(1, 1, 1, 0, 0)) << "1 stands for 3";
  EXPECT_EQ(found.edge_rings[0 * 5 + 1], 1);
  EXPECT_EQ(found.edge_rings[3 * 5 + 2], 0);
  for (int32_t n = 3; n <= 10; ++n) {
    GraphSet ring;
    ring.sizes = {n};
    for (int32_t i = 0; i < n; ++i) ring.edges.emplace_back(i, (i + 1) % n);
    ring.edge_offsets = {0, n};
    const int64_t wanted = n <= kLargestRing ? n - 2 : 0;
    EXPECT_EQ(structure_of(ring, 0, all_of_it()).node_rings,
              std::vector<int64_t>(static_cast<size_t>(n), wanted));
  }
}

TEST(GraphStructure, FollowsDirections) {
  GraphSet set = paw();
  set.directed = true;
  const GraphStructure found = structure_of(set, 0, all_of_it());
  EXPECT_EQ(found.distances[0 * 5 + 2], 2);
  EXPECT_EQ(found.distances[3 * 5 + 0], -1);
  EXPECT_THAT(found.node_rings, ElementsAre(1, 1, 1, 0, 0));
}

}  // namespace
}  // namespace floydnet::graphs
