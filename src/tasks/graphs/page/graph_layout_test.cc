#include "tasks/graphs/page/graph_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace floydnet::graphs {
namespace {

double apart(const Place& a, const Place& b) { return std::hypot(a.x - b.x, a.y - b.y); }

std::vector<Graph::Edge> path(int32_t nodes) {
  std::vector<Graph::Edge> edges;
  for (int32_t u = 0; u + 1 < nodes; ++u) edges.emplace_back(u, u + 1);
  return edges;
}

double least_distance(const std::vector<Place>& places) {
  double least = INFINITY;
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t j = 0; j < i; ++j) least = std::min(least, apart(places[i], places[j]));
  }
  return least;
}

TEST(GraphLayout, APathIsALine) {
  const auto places = graph_layout(10, path(10));
  EXPECT_NEAR(apart(places[0], places[9]), 9, 0.5);
  EXPECT_NEAR(apart(places[4], places[5]), 1, 0.1);
}

TEST(GraphLayout, ACycleIsRound) {
  std::vector<Graph::Edge> edges = path(12);
  edges.emplace_back(11, 0);
  const auto places = graph_layout(12, edges);
  Place centre;
  for (const Place& place : places) centre = {centre.x + place.x / 12, centre.y + place.y / 12};
  for (const Place& place : places)
    EXPECT_NEAR(apart(place, centre), apart(places[0], centre), 0.2);
  EXPECT_GT(apart(places[0], places[6]), 3);
}

TEST(GraphLayout, NodesWithTheSameNeighboursStandApart) {
  std::vector<Graph::Edge> star;
  for (int32_t leaf = 1; leaf <= 8; ++leaf) star.emplace_back(0, leaf);
  const auto places = graph_layout(9, star);
  EXPECT_GT(least_distance(places), 0.4);
}

TEST(GraphLayout, PartsStandBesideEachOther) {
  // A triangle, an edge, and two nodes alone.
  const auto places = graph_layout(7, {{0, 1}, {1, 2}, {2, 0}, {4, 5}});
  EXPECT_GT(least_distance(places), 0.8);
  EXPECT_NEAR(apart(places[4], places[5]), 1, 0.01);
}

TEST(GraphLayout, OfOneNodeAndOfNone) {
  ASSERT_EQ(graph_layout(1, {}).size(), 1u);
  EXPECT_EQ(graph_layout(1, {})[0].x, 0);
  EXPECT_TRUE(graph_layout(0, {}).empty());
}

TEST(GraphLayout, LoopsAndSecondEdgesChangeNothing) {
  const auto plain = graph_layout(3, {{0, 1}, {1, 2}});
  const auto other = graph_layout(3, {{0, 1}, {1, 0}, {1, 1}, {1, 2}});
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(plain[i].x, other[i].x);
    EXPECT_EQ(plain[i].y, other[i].y);
  }
}

TEST(GraphLayout, LargeTreesUnfold) {
  std::vector<Graph::Edge> edges;
  for (int32_t v = 1; v < 444; ++v) edges.emplace_back(v < 100 ? v - 1 : v % 100, v);
  const auto places = graph_layout(444, edges), again = graph_layout(444, edges);
  double length = 0;
  for (const auto& [u, v] : edges) length += apart(places[u], places[v]) / 443;
  EXPECT_NEAR(length, 1, 0.3);
  // Nodes 0 and 99 are the ends of a path of 100 nodes.
  EXPECT_GT(apart(places[0], places[99]), 80);
  for (size_t i = 0; i < 444; ++i) {
    ASSERT_TRUE(std::isfinite(places[i].x) && std::isfinite(places[i].y));
    EXPECT_EQ(places[i].x, again[i].x);
  }
}

}  // namespace
}  // namespace floydnet::graphs
