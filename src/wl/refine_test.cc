#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "base/test_refusal.h"
#include "graph/families.h"
#include "graph/test_graphs.h"
#include "wl/test_support.h"

namespace floydnet::wl {
namespace {

bool separates(int k, const Graph& a, const Graph& b) {
  return wl_compare(a, b, order(k)).distinguished;
}

Graph attributed(int64_t nodes, uint32_t seed) {
  std::mt19937 random(seed);
  Graph graph = RandomGraph{seed % 2 == 1, seed % 3 == 0, 0.4}(nodes, seed);
  if (seed % 5 != 0) graph.node_features = random_features(nodes, 2, random);
  if (seed % 4 != 0) {
    graph.edge_features = random_features(static_cast<int64_t>(graph.edges().size()), 2, random);
  }
  graph.graph_features = random_features(1, 3, random);
  return graph;
}

// Every round against the definition, for pairs that have much in common.
TEST(Wl, EveryRoundIsTheDefinitions) {
  for (int k = 1; k <= kMaxOrder; ++k) {
    const int64_t nodes = k <= 2 ? 9 : 9 - k;
    for (uint32_t seed = 1; seed <= (k < 4 ? 30 : 8); ++seed) {
      const Graph a = attributed(nodes, seed);
      std::mt19937 random(seed);
      Graph b = shuffled(a, random);
      if (seed % 2 == 0) b = attributed(nodes, seed + 60);
      ExactRefinement exact({&a, &b}, k);
      WlOptions options = order(k);
      options.stop_when_distinguished = false;
      bool split = true;
      for (int64_t rounds = 0; split; ++rounds) {
        options.rounds = rounds;
        const WlRefinement refinement = wl_refine({&a, &b}, options);
        EXPECT_EQ(refinement.rounds, rounds);
        EXPECT_EQ(refinement.colours, exact.colours()) << k << " " << seed;
        EXPECT_EQ(counts(refinement), exact.counts()) << k << " " << seed << " " << rounds;
        split = exact.refine();
      }
      options.rounds.reset();
      EXPECT_TRUE(wl_refine({&a, &b}, options).stable);
      EXPECT_EQ(wl_refine({&a, &b}, options).colours, exact.colours());
    }
  }
}

TEST(Wl, ThousandsOfRelabelingsAreNeverSeparated) {
  std::mt19937 random(1);
  int64_t pairs = 0;
  for (int k = 1; k <= kMaxOrder; ++k) {
    const int64_t nodes = k == 4 ? 8 : 12;
    for (uint32_t seed = 1; seed <= 60; ++seed) {
      const Graph graph = seed % 2 == 0 ? attributed(nodes, seed)
                                        : RandomGraph{false, false, 0.1 * (seed % 7)}(nodes, seed);
      for (int copy = 0; copy < 20; ++copy, ++pairs) {
        const WlVerdict verdict = wl_compare(graph, shuffled(graph, random), order(k));
        EXPECT_FALSE(verdict.distinguished) << k << " " << seed;
        EXPECT_TRUE(verdict.stable);
      }
    }
  }
  EXPECT_GT(pairs, 4000);
}

TEST(Wl, SeparatesWhatTheoryProves) {
  struct Case {
    const char* name;
    Graph a, b;
    int separating_order;
  };
  const auto cfi = [](const char* name, const Graph& base, int treewidth) {
    return Case{name, cfi_graph(base, false), cfi_graph(base, true), treewidth};
  };
  // Path-like and cyclic bases have treewidth 1 and 2, K_{3,3} 3, K_n n-1; one-dimensional
  // refinement separates a CFI pair over no base with a cycle.
  const Case cases[] = {
      {"hexagon", cycle_graph(6), disjoint_union(cycle_graph(3), cycle_graph(3)), 2},
      {"rook", rook_graph(4), shrikhande_graph(), 3},
      cfi("cycle", cycle_graph(5), 2),
      cfi("K_2,3", complete_bipartite_graph(2, 3), 2),
      cfi("K_4", complete_graph(4), 3),
      cfi("K_3,3", complete_bipartite_graph(3, 3), 3),
      cfi("K_5", complete_graph(5), 4),
  };
  for (const Case& c : cases) {
    for (int k = 1; k <= kMaxOrder; ++k) {
      EXPECT_EQ(separates(k, c.a, c.b), k >= c.separating_order) << c.name << ", k = " << k;
    }
  }
}

TEST(Wl, SeesEveryKindOfAttribute) {
  const Graph plain = cycle_graph(5);
  Graph node = plain;
  node.node_features = FeatureTable(5, 1, 0);
  Graph other_node = node;
  other_node.node_features.category(2, 0) = 1;
  Graph edge = plain;
  edge.edge_features = FeatureTable(5, 0, 1);
  Graph other_edge = edge;
  other_edge.edge_features.real(3, 0) = 0.5;
  Graph graph = plain;
  graph.graph_features = FeatureTable(1, 1, 0);
  Graph other_graph = graph;
  other_graph.graph_features.category(0, 0) = 7;
  const Graph cycle(3, {{0, 1}, {1, 2}, {2, 0}}, true);
  const Graph path(3, {{0, 1}, {1, 2}, {0, 2}}, true);
  Graph loop(5, plain.edges());
  loop.add_edge(4, 4);
  for (int k = 1; k <= kMaxOrder; ++k) {
    EXPECT_TRUE(separates(k, node, other_node));
    EXPECT_TRUE(separates(k, edge, other_edge));
    EXPECT_TRUE(separates(k, graph, other_graph));
    EXPECT_TRUE(separates(k, cycle, path));
    EXPECT_TRUE(separates(k, plain, loop));
    EXPECT_TRUE(separates(k, plain, node)) << "features of value 0 are features";
  }
}

TEST(Wl, ZeroHasNoSignAndNotANumberIsOneValue) {
  Graph a(2);
  a.node_features = FeatureTable(2, 0, 1);
  Graph b = a;
  a.node_features.reals = {0.0, std::numeric_limits<double>::quiet_NaN()};
  b.node_features.reals = {-std::numeric_limits<double>::quiet_NaN(), -0.0};
  EXPECT_FALSE(separates(2, a, b));
}

TEST(Wl, StopsAfterTheRoundsGiven) {
  // A long path: one-dimensional refinement walks in from the ends, a node a round.
  Graph path(40);
  for (int64_t v = 0; v + 1 < 40; ++v) path.add_edge(v, v + 1);
  WlOptions options = order(1);
  options.rounds = 3;
  WlRefinement refinement = wl_refine({&path}, {options});
  EXPECT_EQ(refinement.rounds, 0) << "one graph is told apart from no other";
  options.stop_when_distinguished = false;
  refinement = wl_refine({&path}, options);
  EXPECT_EQ(refinement.rounds, 3);
  EXPECT_FALSE(refinement.stable);
  EXPECT_EQ(refinement.colours, 4);
  options.rounds.reset();
  refinement = wl_refine({&path}, options);
  EXPECT_TRUE(refinement.stable);
  EXPECT_EQ(refinement.colours, 20);
}

TEST(Wl, ManyGraphsAreRefinedTogether) {
  const Graph graphs[] = {cycle_graph(6), disjoint_union(cycle_graph(3), cycle_graph(3)),
                          cycle_graph(6), cycle_graph(7)};
  const WlRefinement refinement =
      wl_refine({&graphs[0], &graphs[1], &graphs[2], &graphs[3]}, order(2));
  EXPECT_NE(refinement.histograms[0], refinement.histograms[1]);
  EXPECT_EQ(refinement.histograms[0], refinement.histograms[2]);
  EXPECT_NE(refinement.histograms[0], refinement.histograms[3]);
}

TEST(Wl, ThreadsChangeNothing) {
  std::mt19937 random(3);
  const Graph a = RandomGraph{false, false, 0.2}(40, 5);
  const Graph b = shuffled(a, random);
  WlOptions options = order(3);
  const WlRefinement one = wl_refine({&a, &b}, options);
  options.threads = 3;
  const WlRefinement three = wl_refine({&a, &b}, options);
  EXPECT_EQ(one.histograms, three.histograms);
  EXPECT_EQ(one.rounds, three.rounds);
}

TEST(Wl, TinyGraphs) {
  for (int k = 1; k <= kMaxOrder; ++k) {
    EXPECT_FALSE(separates(k, Graph(0), Graph(0)));
    EXPECT_FALSE(separates(k, Graph(1), Graph(1)));
    EXPECT_TRUE(separates(k, Graph(2), complete_graph(2)));
  }
}

TEST(Wl, DifferentSizesAreTriviallyDistinguished) {
  const WlVerdict verdict = wl_compare(cycle_graph(5), cycle_graph(6), order(4));
  EXPECT_TRUE(verdict.distinguished);
  EXPECT_TRUE(verdict.sizes_differ);
  EXPECT_EQ(verdict.rounds, 0);
}

TEST(Wl, RefusesOrdersOutsideOneToFour) {
  const Graph graph = cycle_graph(4);
  EXPECT_THROW(wl_refine({&graph}, order(0)), std::invalid_argument);
  EXPECT_THROW(wl_refine({&graph}, order(5)), std::invalid_argument);
}

TEST(Wl, RefusesFeaturesThatDoNotFit) {
  Graph graph = cycle_graph(4);
  graph.node_features = FeatureTable(3, 1, 0);
  EXPECT_THROW(wl_refine({&graph}, order(2)), std::invalid_argument);
}

TEST(Wl, RefusesWhatNeedsMoreMemoryThanTheLimit) {
  WlOptions options = order(4);
  const Graph a = RandomGraph{false, false, 0.5}(120, 1);
  EXPECT_GT(wl_dense_bytes(4, {120, 120}), 2.0 * 120 * 120 * 120 * 120 * 20);
  expect_refused_cheaply([&] { wl_compare(a, a, options); },
                         "k = 4 on graphs of up to 120 nodes needs 26.3 GiB, the limit is 4.0 GiB; "
                         "raise --max-memory or lower --k");
  options.max_bytes = 1000;
  expect_refused_cheaply([&] { wl_compare(cycle_graph(10), cycle_graph(10), options); }, "needs");
}

TEST(Wl, NeedsNoMoreMemoryThanItSays) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer keeps freed memory for a while";
#endif
  const Graph a = RandomGraph{false, false, 0.5}(26, 1);
  WlOptions options = order(4);
  options.stop_when_distinguished = false;  // all colours differ in the end: the worst case
  int64_t bytes = 0;
  const Cost cost = cost_of([&] { wl_refine({&a}, options); });
  bytes = wl_refine({&a}, options).bytes;
  EXPECT_LT(cost.megabytes, static_cast<double>(bytes) / 1024 / 1024 + 2);
  EXPECT_GT(cost.megabytes, static_cast<double>(bytes) / 1024 / 1024 / 3) << "a useful bound";
}

TEST(WlPairs, LargePairsAreRefusedAndTheOthersRun) {
  const Graph small = rook_graph(4);
  const Graph other = shrikhande_graph();
  const Graph large = RandomGraph{false, false, 0.5}(150, 1);
  std::vector<int64_t> heard;
  WlOptions options = order(3);
  options.threads = 2;
  options.max_bytes = int64_t{64} << 20;
  const auto verdicts = wl_compare_pairs({{&small, &other}, {&large, &large}, {&small, &small}},
                                         options, [&](int64_t done) { heard.push_back(done); });
  EXPECT_TRUE(verdicts[0].distinguished);
  EXPECT_THAT(verdicts[1].refusal, testing::HasSubstr("150 nodes"));
  EXPECT_FALSE(verdicts[2].distinguished);
  EXPECT_TRUE(verdicts[2].refusal.empty());
  EXPECT_THAT(heard, testing::ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace floydnet::wl
