#include "tasks/graphs/data/undirected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace floydnet::graphs {
namespace {

using testing::ElementsAre;
using Edge = Graph::Edge;

GraphSet directed_set(const std::vector<Edge>& edges, const std::vector<int64_t>& features) {
  GraphSet set;
  set.directed = true;
  set.sizes = {4};
  set.edges = edges;
  set.edge_offsets = {0, static_cast<int64_t>(edges.size())};
  set.columns = {{"x", Level::kEdge, 1, false, features, {}}};
  return set;
}

TEST(Undirected, CouplesBecomeOneEdge) {
  GraphSet set = directed_set({{2, 1}, {0, 1}, {3, 3}, {1, 2}, {1, 0}}, {5, 6, 7, 5, 6});
  EXPECT_TRUE(collapse_directions(set));
  set.check();
  EXPECT_THAT(set.edges, ElementsAre(Edge(2, 1), Edge(0, 1), Edge(3, 3)));
  EXPECT_THAT(set.columns[0].integers, ElementsAre(5, 6, 7));
}

TEST(Undirected, OthersStayAsTheyAre) {
  GraphSet alone = directed_set({{2, 1}, {0, 1}, {1, 0}}, {5, 6, 6});
  EXPECT_FALSE(collapse_directions(alone));
  EXPECT_EQ(alone.edges.size(), 3U);
  GraphSet unequal = directed_set({{0, 1}, {1, 0}}, {5, 6});
  EXPECT_FALSE(collapse_directions(unequal));
  EXPECT_TRUE(unequal.directed);
}

TEST(Undirected, RepeatedEdgesCountOnce) {
  GraphSet set = directed_set({{0, 1}, {0, 1}, {1, 0}}, {5, 5, 5});
  EXPECT_TRUE(collapse_directions(set));
  EXPECT_THAT(set.edges, ElementsAre(Edge(0, 1)));
  GraphSet unequal = directed_set({{0, 1}, {0, 1}, {1, 0}}, {5, 6, 5});
  EXPECT_FALSE(collapse_directions(unequal));
  EXPECT_EQ(unequal.edges.size(), 3U);
}

TEST(Undirected, EveryGraphMustBeSymmetric) {
  GraphSet set = directed_set({{0, 1}, {1, 0}, {0, 1}}, {1, 1, 1});
  set.sizes = {2, 2};
  set.edge_offsets = {0, 2, 3};
  EXPECT_FALSE(collapse_directions(set));
  EXPECT_THAT(set.edge_offsets, ElementsAre(0, 2, 3));
}

}  // namespace
}  // namespace floydnet::graphs
