#include "graph/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace floydnet {
namespace {

/// (n, degree, common neighbours of adjacent nodes, and of others); the sets have one element each
/// if the graph is strongly regular.
struct Regularity {
  std::set<int64_t> degrees, adjacent, others;
};

Regularity regularity(const Graph& graph) {
  const int64_t n = graph.nodes();
  const auto a = graph.adjacency();
  Regularity r;
  for (int64_t i = 0; i < n; ++i) {
    r.degrees.insert(std::count(a.begin() + i * n, a.begin() + (i + 1) * n, 1));
    for (int64_t j = 0; j < n; ++j) {
      if (i == j) continue;
      int64_t common = 0;
      for (int64_t k = 0; k < n; ++k) common += a[i * n + k] & a[j * n + k];
      (a[i * n + j] ? r.adjacent : r.others).insert(common);
    }
  }
  return r;
}

/// Number of cliques of four nodes.
int64_t four_cliques(const Graph& graph) {
  const int64_t n = graph.nodes();
  const auto a = graph.adjacency();
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i + 1; j < n; ++j) {
      for (int64_t k = j + 1; k < n; ++k) {
        for (int64_t l = k + 1; l < n; ++l) {
          count += a[i * n + j] & a[i * n + k] & a[i * n + l] & a[j * n + k] & a[j * n + l] &
                   a[k * n + l];
        }
      }
    }
  }
  return count;
}

TEST(Families, RookAndShrikhandeAreStronglyRegularAndDiffer) {
  for (const Graph& graph : {rook_graph(4), shrikhande_graph()}) {
    const Regularity r = regularity(graph);
    EXPECT_EQ(graph.nodes(), 16);
    EXPECT_EQ(r.degrees, std::set<int64_t>{6});
    EXPECT_EQ(r.adjacent, std::set<int64_t>{2});
    EXPECT_EQ(r.others, std::set<int64_t>{2});
  }
  EXPECT_EQ(four_cliques(rook_graph(4)), 8);
  EXPECT_EQ(four_cliques(shrikhande_graph()), 0);
}

// The CFI graphs of K4 are the two strongly regular graphs above, a known fact that checks the
// construction.
TEST(Families, CfiPairOverK4IsRookAndShrikhande) {
  const Graph plain = cfi_graph(complete_graph(4), false);
  const Graph twisted = cfi_graph(complete_graph(4), true);
  for (const Graph& graph : {plain, twisted}) {
    const Regularity r = regularity(graph);
    EXPECT_EQ(graph.nodes(), 16);
    EXPECT_EQ(r.degrees, std::set<int64_t>{6});
    EXPECT_EQ(r.adjacent, std::set<int64_t>{2});
    EXPECT_EQ(r.others, std::set<int64_t>{2});
  }
  EXPECT_EQ(four_cliques(plain) + four_cliques(twisted), 8);
}

TEST(Families, SmallGraphs) {
  EXPECT_EQ(complete_graph(5).edges().size(), 10u);
  EXPECT_EQ(cycle_graph(6).edges().size(), 6u);
  EXPECT_EQ(complete_bipartite_graph(2, 3).edges().size(), 6u);
  const Graph both = disjoint_union(cycle_graph(3), cycle_graph(4));
  EXPECT_EQ(both.nodes(), 7);
  EXPECT_TRUE(both.has_edge(3, 6));
  EXPECT_FALSE(both.has_edge(2, 3));
  EXPECT_THROW(cycle_graph(2), std::invalid_argument);
  EXPECT_THROW(cfi_graph(complete_graph(22), false), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet
