#include "wl/orbits.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "base/test_refusal.h"
#include "graph/families.h"
#include "graph/test_graphs.h"
#include "wl/test_support.h"

namespace floydnet::wl {
namespace {

constexpr int64_t kNoLimit = int64_t{1} << 40;

/// Graphs with large, small and trivial groups; with node features, loops and directions.
std::vector<Graph> test_graphs() {
  std::vector<Graph> graphs = {Graph(5),           complete_graph(5),
                               cycle_graph(8),     complete_bipartite_graph(3, 4),
                               rook_graph(3),      cfi_graph(complete_bipartite_graph(2, 3), true),
                               shrikhande_graph(), disjoint_union(cycle_graph(4), cycle_graph(5)),
                               Graph(1),           RandomGraph{false, false, 0.5}(9, 4)};
  Graph featured = cycle_graph(8);
  featured.node_features = FeatureTable(8, 1, 0);
  featured.node_features.category(3, 0) = featured.node_features.category(5, 0) = 2;
  graphs.push_back(featured);
  graphs.emplace_back(6, std::vector<Graph::Edge>{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}},
                      true);
  Graph loops = cycle_graph(6);
  loops.add_edge(0, 0);
  loops.add_edge(3, 3);
  graphs.push_back(loops);
  return graphs;
}

/// All k-tuples, in lexicographic order.
std::vector<std::vector<int64_t>> tuples(int64_t n, int k) {
  std::vector<std::vector<int64_t>> result = {{}};
  for (int r = 0; r < k; ++r) {
    std::vector<std::vector<int64_t>> longer;
    for (const auto& tuple : result) {
      for (int64_t x = 0; x < n; ++x) {
        longer.push_back(tuple);
        longer.back().push_back(x);
      }
    }
    result = longer;
  }
  return result;
}

bool is_automorphism(const Graph& graph, const Permutation& permutation) {
  const std::vector<int64_t> names(permutation.begin(), permutation.end());
  const Graph image = graph.relabeled(names);
  return same_graph(image, graph) &&
         image.node_features.categories == graph.node_features.categories;
}

/// Orbits by walking along generators, from each tuple that was not met yet.
std::vector<std::set<std::vector<int64_t>>> orbits_by_walking(const Graph& graph, int k) {
  const auto generators = Automorphisms(graph).stabiliser({}).generators;
  std::set<std::vector<int64_t>> met;
  std::vector<std::set<std::vector<int64_t>>> orbits;
  for (const auto& start : tuples(graph.nodes(), k)) {
    if (!met.insert(start).second) continue;
    std::set<std::vector<int64_t>> orbit = {start};
    std::vector<std::vector<int64_t>> queue = {start};
    while (!queue.empty()) {
      const std::vector<int64_t> tuple = queue.back();
      queue.pop_back();
      for (const Permutation& g : generators) {
        std::vector<int64_t> image;
        for (const int64_t x : tuple) image.push_back(g[static_cast<size_t>(x)]);
        if (met.insert(image).second) {
          orbit.insert(image);
          queue.push_back(image);
        }
      }
    }
    orbits.push_back(orbit);
  }
  return orbits;
}

TEST(Automorphisms, OrdersOfKnownGroups) {
  const auto group_order = [](const Graph& graph) {
    return Automorphisms(graph).stabiliser({}).order;
  };
  EXPECT_EQ(group_order(Graph(0)), 1);
  EXPECT_EQ(group_order(complete_graph(6)), 720);
  EXPECT_EQ(group_order(cycle_graph(9)), 18);
  EXPECT_EQ(group_order(complete_bipartite_graph(3, 3)), 72);
  EXPECT_EQ(group_order(rook_graph(4)), 1152);
  EXPECT_EQ(group_order(shrikhande_graph()), 192);
  EXPECT_EQ(group_order(Graph(3, {{0, 1}, {1, 2}, {2, 0}}, true)), 3);
  EXPECT_EQ(Automorphisms(rook_graph(4)).stabiliser({0}).order, 72);
  EXPECT_EQ(Automorphisms(rook_graph(4)).stabiliser({0, 0, 5}).order, 8);
}

TEST(Automorphisms, GeneratorsKeepEdgesAndFeaturesAndFixPoints) {
  for (const Graph& graph : test_graphs()) {
    const Automorphisms automorphisms(graph);
    for (const Permutation& g : automorphisms.stabiliser({}).generators) {
      EXPECT_TRUE(is_automorphism(graph, g));
    }
    for (const Permutation& g : automorphisms.stabiliser({0}).generators) {
      EXPECT_TRUE(is_automorphism(graph, g));
      EXPECT_EQ(g[0], 0);
    }
  }
}

TEST(Orbits, AreThoseFoundByWalking) {
  for (const Graph& graph : test_graphs()) {
    for (int k = 1; k <= (graph.nodes() > 9 ? 3 : 4); ++k) {
      const TupleOrbits orbits(graph, k, kNoLimit);
      const auto expected = orbits_by_walking(graph, k);
      ASSERT_EQ(orbits.count(), static_cast<int64_t>(expected.size()));
      std::set<int64_t> used;
      for (const auto& orbit : expected) {
        const int64_t index = orbits.index(*orbit.begin());
        EXPECT_TRUE(used.insert(index).second) << "two orbits share an index";
        EXPECT_EQ(orbits.orbit_size(index), static_cast<int64_t>(orbit.size()));
        EXPECT_EQ(orbit.count(orbits.representative(index)), 1u);
        for (const auto& tuple : orbit) EXPECT_EQ(orbits.index(tuple), index);
      }
    }
  }
}

// What a round reads for pivot p and role r is the orbit of v[r<-p].
TEST(Orbits, TargetsLeadToTheOrbitOfTheReplacedTuple) {
  for (const Graph& graph : test_graphs()) {
    for (int k = 2; k <= (graph.nodes() > 9 ? 3 : 4); ++k) {
      TupleOrbits orbits(graph, k, kNoLimit);
      for (int64_t orbit = 0; orbit < orbits.count(); ++orbit) {
        const std::vector<int64_t> v = orbits.representative(orbit);
        int64_t prefix = 0;
        while (prefix + 1 < static_cast<int64_t>(orbits.prefixes().size()) &&
               orbits.prefixes()[static_cast<size_t>(prefix + 1)].first_child <= orbit) {
          ++prefix;
        }
        for (int role = 0; role + 1 < k; ++role) {
          std::vector<TupleOrbits::Target> targets;
          orbits.append_targets(prefix, role, targets);
          for (int64_t pivot = 0; pivot < graph.nodes(); ++pivot) {
            std::vector<int64_t> replaced = v;
            replaced[static_cast<size_t>(role)] = pivot;
            const TupleOrbits::Target& target = targets[static_cast<size_t>(pivot)];
            const uint16_t last = orbits.permutations().image(target.permutation, v.back());
            const auto& its_prefix = orbits.prefixes()[target.prefix];
            EXPECT_EQ(its_prefix.first_child + orbits.group(its_prefix).orbit_of[last],
                      orbits.index(replaced));
          }
        }
      }
    }
  }
}

TEST(Orbits, RefusesWhatItDoesNotKnow) {
  Graph graph = cycle_graph(4);
  EXPECT_THROW(TupleOrbits(graph, 5, kNoLimit), std::invalid_argument);
  EXPECT_THROW(TupleOrbits(graph, 2, kNoLimit).index({1, 2, 3}), std::invalid_argument);
  graph.edge_features = FeatureTable(4, 1, 0);
  EXPECT_THROW(TupleOrbits(graph, 2, kNoLimit), std::invalid_argument);
  WlOptions options = order(2);
  options.evaluation = WlEvaluation::kCompressed;
  EXPECT_NE(refusal([&] { wl_compare(graph, graph, options); }).find("edge features"),
            std::string::npos);
  options.evaluation = WlEvaluation::kAuto;
  EXPECT_FALSE(wl_compare(graph, graph, options).compressed);
}

TEST(Orbits, KeepsToTheLimitOfMemory) {
  const Graph graph = RandomGraph{false, false, 0.5}(60, 2);
  expect_refused_cheaply([&] { TupleOrbits(graph, 4, int64_t{1} << 20); }, "raise --max-memory");
}

/// Both evaluations, round by round: the same numbers of colours and of tuples of each colour.
void expect_same_evaluation(const Graph& a, const Graph& b, int k) {
  WlOptions options = order(k);
  options.stop_when_distinguished = false;
  for (int64_t rounds = 0;; ++rounds) {
    options.rounds = rounds;
    options.evaluation = WlEvaluation::kDense;
    const WlRefinement dense = wl_refine({&a, &b}, options);
    options.evaluation = WlEvaluation::kCompressed;
    const WlRefinement compressed = wl_refine({&a, &b}, options);
    EXPECT_FALSE(dense.compressed);
    EXPECT_TRUE(compressed.compressed);
    EXPECT_LE(compressed.evaluated_tuples, dense.evaluated_tuples);
    EXPECT_EQ(dense.colours, compressed.colours);
    EXPECT_EQ(dense.rounds, compressed.rounds);
    EXPECT_EQ(counts(dense), counts(compressed));
    if (dense.rounds < rounds) return;
  }
}

TEST(Compressed, EveryRoundIsThatOfDenseEvaluation) {
  for (const Graph& graph : test_graphs()) {
    std::mt19937 random(1);
    for (int k = 1; k <= (graph.nodes() > 9 ? 3 : 4); ++k) {
      expect_same_evaluation(graph, shuffled(graph, random), k);
    }
  }
  for (int k = 1; k <= 4; ++k) expect_same_evaluation(rook_graph(4), shrikhande_graph(), k);
  const Graph base = complete_bipartite_graph(3, 3);
  for (int k = 1; k <= 3; ++k) {
    expect_same_evaluation(cfi_graph(base, false), cfi_graph(base, true), k);
  }
}

TEST(Compressed, ReachesCfiPairsThatAreTooLargeOtherwise) {
  const Graph k5 = complete_graph(5);
  const Graph a = cfi_graph(k5, false);
  const Graph b = cfi_graph(k5, true);
  WlOptions options = order(4);
  options.max_bytes = int64_t{64} << 20;
  options.evaluation = WlEvaluation::kDense;
  EXPECT_NE(refusal([&] { wl_compare(a, b, options); }).find("limit"), std::string::npos);
  options.evaluation = WlEvaluation::kAuto;
  const WlVerdict verdict = wl_compare(a, b, options);
  EXPECT_TRUE(verdict.distinguished);
  EXPECT_TRUE(verdict.compressed);
  options.order = 3;
  EXPECT_FALSE(wl_compare(a, b, options).distinguished);
}

// A base of treewidth 5, with 96 nodes and then 130, takes k = 5.
TEST(Compressed, OrderFourDoesNotSeparateCfiPairsOfTreewidthFive) {
  const Graph k6 = complete_graph(6);
  Graph with_path(7, k6.edges());
  with_path.add_edge(0, 6);
  with_path.add_edge(1, 6);
  for (const Graph& base : {k6, with_path}) {
    const WlVerdict verdict = wl_compare(cfi_graph(base, false), cfi_graph(base, true), order(4));
    EXPECT_FALSE(verdict.distinguished);
    EXPECT_TRUE(verdict.stable);
    EXPECT_TRUE(verdict.compressed);
  }
}

}  // namespace
}  // namespace floydnet::wl
