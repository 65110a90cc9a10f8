#include "floydnet/graph.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

namespace floydnet {
namespace {

std::string misuse(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Graph, KeepsUndirectedEdgesOnceAndInOrder) {
  Graph graph(4);
  EXPECT_EQ(graph.add_edge(2, 1), 0);
  EXPECT_EQ(graph.add_edge(0, 3), 1);
  EXPECT_EQ(graph.add_edge(3, 3), 2);
  EXPECT_EQ(graph.edges(), (std::vector<Graph::Edge>{{1, 2}, {0, 3}, {3, 3}}));
  EXPECT_TRUE(graph.has_edge(1, 2));
  EXPECT_TRUE(graph.has_edge(2, 1));
  EXPECT_FALSE(graph.has_edge(0, 1));
  EXPECT_EQ(graph.adjacency(),
            (std::vector<uint8_t>{0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(graph.edge_indices(),
            (std::vector<int64_t>{-1, -1, -1, 1, -1, -1, 0, -1, -1, 0, -1, -1, 1, -1, -1, 2}));
}

TEST(Graph, KeepsTheDirectionOfDirectedEdges) {
  const Graph graph(2, {{1, 0}, {1, 1}}, true);
  EXPECT_TRUE(graph.has_edge(1, 0));
  EXPECT_FALSE(graph.has_edge(0, 1));
  EXPECT_EQ(graph.adjacency(), (std::vector<uint8_t>{0, 0, 1, 1}));
  EXPECT_EQ(graph.edge_indices(), (std::vector<int64_t>{-1, -1, 0, 1}));
  EXPECT_NO_THROW(Graph(2, {{0, 1}, {1, 0}}, true));
}

TEST(Graph, RefusesMisuse) {
  EXPECT_EQ(misuse([] { Graph(-1); }), "a graph cannot have -1 nodes");
  EXPECT_EQ(misuse([] { Graph(int64_t{1} << 31); }), "a graph cannot have 2147483648 nodes");
  EXPECT_EQ(misuse([] { Graph(3, {{0, 1}, {1, 0}}); }), "the edge 0-1 is given twice");
  EXPECT_EQ(misuse([] { Graph(3).add_edge(0, 3); }), "node 3 is not in 0..2");
  EXPECT_EQ(misuse([] { Graph(3).has_edge(-1, 0); }), "node -1 is not in 0..2");
  EXPECT_EQ(misuse([] { Graph(2).relabeled({0}); }), "1 new names for 2 nodes");
  EXPECT_EQ(misuse([] { Graph(2).relabeled({1, 1}); }), "two nodes get the new name 1");
  EXPECT_EQ(misuse([] { Graph(2).relabeled({0, 2}); }), "new name 2 is not in 0..1");
}

TEST(Graph, FeaturesFollowTheNewNames) {
  Graph graph(3, {{0, 1}, {1, 2}});
  graph.node_features = FeatureTable(3, 1, 2);
  graph.edge_features = FeatureTable(2, 1, 0);
  graph.graph_features = FeatureTable(1, 0, 1);
  for (int64_t v = 0; v < 3; ++v) {
    graph.node_features.category(v, 0) = 10 + v;
    graph.node_features.real(v, 1) = 0.5 * static_cast<double>(v);
  }
  graph.edge_features.category(1, 0) = 7;
  graph.graph_features.real(0, 0) = 2.5;

  const Graph renamed = graph.relabeled({2, 0, 1});
  EXPECT_EQ(renamed.edges(), (std::vector<Graph::Edge>{{0, 2}, {0, 1}}));
  EXPECT_EQ(renamed.node_features.categories, (std::vector<int64_t>{11, 12, 10}));
  EXPECT_EQ(renamed.node_features.real(1, 1), 1.0);
  EXPECT_EQ(renamed.edge_features.category(1, 0), 7);
  EXPECT_EQ(renamed.graph_features.real(0, 0), 2.5);

  graph.node_features = FeatureTable(2, 1, 0);
  EXPECT_EQ(misuse([&] { graph.relabeled({0, 1, 2}); }), "2 rows of node features for 3 nodes");
}

TEST(FeatureTable, ChecksSizesAndIndices) {
  const FeatureTable table(2, 3, 0);
  EXPECT_EQ(table.categories.size(), 6u);
  EXPECT_EQ(misuse([&] { table.category(2, 0); }), "feature row 2 is not in 0..1");
  EXPECT_EQ(misuse([&] { table.category(0, 3); }), "feature column 3 is not in 0..2");
  EXPECT_EQ(misuse([&] { table.real(0, 0); }), "feature column 0 is not in 0..-1");
  EXPECT_NE(misuse([] { FeatureTable(int64_t{1} << 40, int64_t{1} << 40, 0); }), "");
  EXPECT_NE(misuse([] { FeatureTable(-1, 0, 0); }), "");
}

}  // namespace
}  // namespace floydnet
