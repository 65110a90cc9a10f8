// The two ways of counting, against brute force and closed formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/test_refusal.h"
#include "graph/families.h"
#include "graph/test_graphs.h"
#include "tasks/counting/data/copies.h"
#include "tasks/counting/data/homomorphisms.h"
#include "tasks/counting/data/test_oracle.h"
#include "wl/test_support.h"

namespace floydnet::counting {
namespace {

using testing::Each;
using testing::HasSubstr;

void expect_as_oracle(const Pattern& pattern, const Graph& graph) {
  const Counts wanted = Oracle(pattern, graph).count();
  const Counts found = Counter(pattern).count(Target(graph));
  const std::string where =
      pattern.name + " in " + format_graph(graph, GraphFormat::kGraph6) + " " + text(pattern.kind);
  ASSERT_EQ(found.graph, wanted.graph) << where;
  ASSERT_EQ(found.nodes, wanted.nodes) << where;
  ASSERT_EQ(found.pairs, wanted.pairs) << where;
}

TEST(Counter, BenchmarkPatternsInAllGraphsOnUpToSixNodes) {
  for (int64_t n = 0; n <= 6; ++n) {
    for (const Graph& graph : wl::all_graphs(n)) {
      for (const Pattern& pattern : benchmark_patterns()) expect_as_oracle(pattern, graph);
    }
  }
}

// Patterns of every shape, disconnected and edgeless ones too, with nodes 0 and 1 anywhere.
TEST(Counter, AllSmallPatternsInSmallGraphs) {
  std::mt19937 random(3);
  std::vector<Graph> graphs = wl::all_graphs(4);
  for (const Graph& graph : wl::all_graphs(5)) graphs.push_back(graph);
  for (int64_t k = 2; k <= 5; ++k) {
    for (const Graph& shape : wl::all_graphs(k)) {
      const Graph pattern = wl::shuffled(shape, random);
      for (const Kind kind : {Kind::kHomomorphisms, Kind::kCopies}) {
        for (const Graph& graph : graphs) {
          expect_as_oracle(make_pattern("small", kind, pattern), graph);
        }
      }
    }
  }
}

TEST(Counter, RandomPatternsOfSixNodesInRandomGraphs) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const Graph pattern = RandomGraph{false, false, 0.5}(6, seed);
    const Graph graph = RandomGraph{false, false, 0.5}(7, 100 + seed);
    for (const Kind kind : {Kind::kHomomorphisms, Kind::kCopies}) {
      expect_as_oracle(make_pattern("random", kind, pattern), graph);
    }
  }
}

TEST(Counter, CyclesInACompleteGraph) {
  const Counts counts = Counter(parse_pattern("cycle6")).count(Target(complete_graph(12)));
  EXPECT_EQ(counts.graph, 924 * 60);  // 12 over 6 sets of nodes, 5!/2 cycles on each
  EXPECT_EQ(counts.nodes, std::vector<int64_t>(12, 462 * 60));
  for (int64_t u = 0; u < 12; ++u) {
    for (int64_t v = 0; v < 12; ++v) {
      EXPECT_EQ(counts.pairs[static_cast<size_t>(12 * u + v)], u == v ? 0 : 924 * 60 * 6 / 66);
    }
  }
}

// Closed walks: the diagonal of the power of the adjacency matrix.
TEST(Counter, HomomorphismsOfACycleAreClosedWalks) {
  const int64_t n = 40;
  const Graph graph = RandomGraph{}(n, 5);
  const std::vector<uint8_t> adjacency = graph.adjacency();
  const Counts counts = Counter(parse_pattern("hom:cycle6")).count(Target(graph));
  for (int64_t start = 0; start < n; ++start) {
    std::vector<int64_t> walks(static_cast<size_t>(n));
    walks[static_cast<size_t>(start)] = 1;
    for (int step = 0; step < 6; ++step) {
      std::vector<int64_t> longer(walks.size());
      for (size_t i = 0; i < adjacency.size(); ++i) {
        longer[i % walks.size()] += adjacency[i] * walks[i / walks.size()];
      }
      walks = longer;
    }
    EXPECT_EQ(counts.nodes[static_cast<size_t>(start)], walks[static_cast<size_t>(start)]);
  }
}

Graph star(int64_t leaves) { return complete_bipartite_graph(1, leaves); }

Counts count_star(int64_t leaves, int64_t n) {
  const Pattern pattern = make_pattern("star", Kind::kHomomorphisms, star(leaves));
  return Counter(pattern).count(Target(complete_graph(n)));
}

// n (n-1)^k of them in a complete graph.
TEST(Counter, CountsAreExactUpTo63BitsAndRefusedBeyond) {
  int64_t power = 1;
  for (int i = 0; i < 6; ++i) power *= 199;
  const Counts counts = count_star(7, 200);
  EXPECT_EQ(counts.graph, 200 * 199 * power);
  EXPECT_THAT(counts.nodes, Each(199 * power));
  EXPECT_EQ(counts.pairs[1], power);
  EXPECT_THAT(refusal([] { count_star(8, 200); }),
              HasSubstr("pattern 'star': the sum of the counts over a graph does not fit 63 bits"));
  EXPECT_THAT(refusal([] { count_star(9, 1000); }),
              HasSubstr("pattern 'star': a number of homomorphisms in a graph of 1000 nodes does"));
}

TEST(Counter, TablesThatDoNotFitAreRefused) {
  const Pattern clique = make_pattern("K5", Kind::kHomomorphisms, complete_graph(5));
  EXPECT_THAT(refusal([&] { Counter(clique).count(Target(Graph(1000))); }),
              HasSubstr("a table of 1000^4 entries"));
}

TEST(Counter, LevelsThatAreNotWantedAreLeftOut) {
  for (const char* name : {"boat", "cycle4"}) {
    Counter counter(parse_pattern(name));
    const Target target(rook_graph(4));
    const Counts all = counter.count(target);
    const Counts graph = counter.count(target, {false, false});
    EXPECT_EQ(graph.graph, all.graph);
    EXPECT_TRUE(graph.nodes.empty() && graph.pairs.empty());
    EXPECT_EQ(counter.count(target, {true, false}).nodes, all.nodes);
    EXPECT_EQ(counter.count(target, {false, true}).pairs, all.pairs);
  }
}

TEST(Counter, AutomorphismGroupsHaveTheirOrder) {
  EXPECT_EQ(CopyCounter(complete_graph(6)).automorphisms(), 720);
  EXPECT_EQ(CopyCounter(cycle_graph(7)).automorphisms(), 14);
  EXPECT_EQ(CopyCounter(star(5)).automorphisms(), 120);
  EXPECT_EQ(CopyCounter(Graph(4)).automorphisms(), 24);
  EXPECT_EQ(CopyCounter(parse_pattern("chordal5").graph).automorphisms(), 2);
}

TEST(Counter, TablesRangeOverTheTreewidthOfThePattern) {
  for (const Pattern& pattern : benchmark_patterns()) {
    EXPECT_EQ(HomomorphismCounter(pattern.graph).width(), 2) << pattern.name;
  }
}

}  // namespace
}  // namespace floydnet::counting
