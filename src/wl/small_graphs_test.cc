#include <gtest/gtest.h>

#include <set>

#include "wl/test_support.h"

namespace floydnet::wl {
namespace {

constexpr int64_t kGraphsOnNodes[] = {1, 1, 2, 4, 11, 34, 156, 1044};  // OEIS A000088

int64_t classes(const std::vector<Graph>& graphs, const WlOptions& options) {
  std::vector<const Graph*> views;
  for (const Graph& graph : graphs) views.push_back(&graph);
  const WlRefinement refinement = wl_refine(views, options);
  const std::set<WlHistogram> different(refinement.histograms.begin(), refinement.histograms.end());
  return static_cast<int64_t>(different.size());
}

// Refined together, the graphs fall into as many classes as there are isomorphism classes: nothing
// is merged. One-dimensional refinement merges the first graphs on six nodes.
TEST(WlSmallGraphs, PairsSeparateAllGraphsOnUpToSevenNodes) {
  for (int64_t n = 1; n <= 7; ++n) {
    const std::vector<Graph> graphs = all_graphs(n);
    ASSERT_EQ(static_cast<int64_t>(graphs.size()), kGraphsOnNodes[n]);
    EXPECT_EQ(classes(graphs, order(2)), kGraphsOnNodes[n]) << n;
    if (n <= 5) {
      EXPECT_EQ(classes(graphs, order(1)), kGraphsOnNodes[n]) << n;
    } else {
      EXPECT_LT(classes(graphs, order(1)), kGraphsOnNodes[n]) << n;
    }
    if (n <= 6) {
      EXPECT_EQ(classes(graphs, order(3)), kGraphsOnNodes[n]) << n;
      EXPECT_EQ(classes(graphs, order(4)), kGraphsOnNodes[n]) << n;
    }
  }
}

TEST(WlSmallGraphs, IsomorphicOnesAreNeverSeparated) {
  std::mt19937 random(7);
  for (int64_t n = 1; n <= 7; ++n) {
    for (const Graph& graph : all_graphs(n)) {
      const Graph copy = shuffled(graph, random);
      ASSERT_EQ(Automorphisms(copy).canonical_form(), Automorphisms(graph).canonical_form());
      for (int k = 1; k <= 3; ++k) {
        EXPECT_FALSE(wl_compare(graph, copy, order(k)).distinguished);
      }
    }
  }
}

// Some other graph of the same size: never a false verdict, whatever the evaluation.
TEST(WlSmallGraphs, SeparatedOnesAreNotIsomorphic) {
  std::mt19937 random(8);
  const std::vector<Graph> graphs = all_graphs(6);
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (size_t j = 0; j <= i; ++j) {
      const Graph copy = shuffled(graphs[j], random);
      for (const WlEvaluation evaluation : {WlEvaluation::kDense, WlEvaluation::kCompressed}) {
        WlOptions options = order(2);
        options.evaluation = evaluation;
        EXPECT_EQ(wl_compare(graphs[i], copy, options).distinguished, i != j) << i << " " << j;
      }
    }
  }
}

}  // namespace
}  // namespace floydnet::wl
