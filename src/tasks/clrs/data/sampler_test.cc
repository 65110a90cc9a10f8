#include "tasks/clrs/data/sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/test_refusal.h"
#include "tasks/clrs/data/algorithm.h"

namespace floydnet::clrs {
namespace {

std::string refusal_of(const std::string& algorithm, const SamplerOptions& options) {
  return refusal([&] { find_algorithm(algorithm).sampler->check(options, algorithm); });
}

SamplerOptions of_length(int64_t length) {
  SamplerOptions options;
  options.length = length;
  return options;
}

TEST(ClrsSampler, RefusesLengthsThatAreTooSmallOrTooLarge) {
  EXPECT_EQ(refusal_of("bfs", of_length(0)), "length 0 is too small for bfs: it takes at least 2");
  EXPECT_EQ(refusal_of("strongly_connected_components", of_length(3)),
            "length 3 is too small for strongly_connected_components: it takes at least 4");
  EXPECT_EQ(refusal_of("graham_scan", of_length(-5)),
            "length -5 is too small for graham_scan: it takes at least 3");
  EXPECT_EQ(refusal_of("bfs", of_length(int64_t{1} << 40)),
            "length 1099511627776 is too large: the limit is 16384");
}

TEST(ClrsSampler, RefusesBadProbabilities) {
  for (const double p : {-0.1, 1.5, std::nan("")}) {
    SamplerOptions options;
    options.edge_probabilities = {0.5, p};
    EXPECT_NE(refusal_of("dfs", options).find("an edge probability is from 0 to 1"),
              std::string::npos);
  }
}

TEST(ClrsSampler, RefusesNeedlesThatDoNotFit) {
  SamplerOptions options;
  for (const int64_t needle : {8, -8}) {
    options.needle_length = needle;
    EXPECT_EQ(refusal_of("kmp_matcher", options),
              "needles of up to 8 characters need a length of at least 17 for kmp_matcher, not 16");
    find_algorithm("bfs").sampler->check(options, "bfs");  // which has no needles
  }
}

TEST(ClrsSampler, RefusesSalsaGraphsWhereEdgesHaveADirection) {
  SamplerOptions options;
  options.graphs = GraphFamily::kSalsa;
  for (const char* name :
       {"topological_sort", "dag_shortest_paths", "minimum", "strongly_connected_components"}) {
    EXPECT_NE(refusal_of(name, options).find("does not take undirected graphs"), std::string::npos);
  }
}

bool is_symmetric(const Matrix& graph) {
  for (int64_t i = 0; i < graph.size(); ++i) {
    for (int64_t j = 0; j < i; ++j) {
      if (graph(i, j) != graph(j, i)) return false;
    }
  }
  return true;
}

/// Number of nodes that a walk from node 0 reaches.
int64_t reached(const Matrix& graph) {
  Nodes found = {0};
  for (size_t next = 0; next < found.size(); ++next) {
    for (int64_t j = 0; j < graph.size(); ++j) {
      const bool is_new = std::find(found.begin(), found.end(), j) == found.end();
      if (graph(found[next], j) != 0 && is_new) found.push_back(j);
    }
  }
  return static_cast<int64_t>(found.size());
}

TEST(ClrsSampler, SalsaGraphsAreConnectedSparseAndWithoutLoops) {
  SamplerOptions options = of_length(80);
  options.graphs = GraphFamily::kSalsa;
  RandomState random(1);
  double edges = 0;
  constexpr int kGraphs = 50;
  for (int graph = 0; graph < kGraphs; ++graph) {
    const Matrix drawn = kShortestPathSampler.draw(random, options).graph;
    EXPECT_TRUE(is_symmetric(drawn));
    EXPECT_EQ(reached(drawn), 80);
    for (int64_t i = 0; i < 80; ++i) {
      EXPECT_EQ(drawn(i, i), 0);
      for (int64_t j = 0; j < i; ++j) edges += drawn(i, j) != 0 ? 1 : 0;
    }
  }
  // p is uniform from 1 to 3 times ln(n) / n: twice that on average, and a little more, since
  // sparse graphs are drawn again.
  const double wanted = 2 * std::log(80.0) / 80 * (80 * 79 / 2);
  EXPECT_NEAR(edges / kGraphs, wanted, 0.15 * wanted);
}

TEST(ClrsSampler, AcyclicGraphsHaveNoWayBack) {
  RandomState random(2);
  for (int graph = 0; graph < 20; ++graph) {
    Matrix paths = kTopologicalSampler.draw(random, of_length(12)).graph;
    for (int64_t k = 0; k < 12; ++k) {
      for (int64_t i = 0; i < 12; ++i) {
        for (int64_t j = 0; j < 12; ++j) {
          if (paths(i, k) != 0 && paths(k, j) != 0) paths(i, j) = 1;
        }
      }
    }
    for (int64_t i = 0; i < 12; ++i) EXPECT_EQ(paths(i, i), 0);
  }
}

TEST(ClrsSampler, WeightsAreSymmetricAndAwayFromZero) {
  RandomState random(3);
  const Matrix graph = kAllPairsSampler.draw(random, of_length(30)).graph;
  EXPECT_TRUE(is_symmetric(graph));
  for (const double weight : graph.cells()) {
    EXPECT_TRUE(weight == 0 || (weight > 0.03 && weight < 1.001)) << weight;
  }
}

TEST(ClrsSampler, NeedlesAreInTheirHaystacks) {
  RandomState random(4);
  SamplerOptions options = of_length(20);
  options.needle_length = -8;
  std::vector<int> lengths(9, 0);
  for (int i = 0; i < 200; ++i) {
    const Problem problem = kMatcherSampler.draw(random, options);
    ++lengths.at(problem.pattern.size());
    EXPECT_EQ(problem.text.size() + problem.pattern.size(), 20u);
    EXPECT_NE(std::search(problem.text.begin(), problem.text.end(), problem.pattern.begin(),
                          problem.pattern.end()),
              problem.text.end());
  }
  EXPECT_EQ(lengths[0], 0);
  for (size_t m = 1; m < lengths.size(); ++m) EXPECT_GT(lengths[m], 5) << m;
}

TEST(ClrsSampler, HalfOfTheSegmentsCross) {
  RandomState random(5);
  int crossing = 0;
  for (int i = 0; i < 400; ++i) {
    const Problem problem = kSegmentsSampler.draw(random, {});
    crossing += segments_cross(problem.first, problem.second) ? 1 : 0;
  }
  EXPECT_NEAR(crossing, 200, 40);
}

TEST(ClrsSampler, PairwiseSumsAreSums) {
  for (const int64_t count : {0, 1, 7, 8, 9, 128, 129, 1000}) {
    Reals values(count);
    for (int64_t i = 0; i < count; ++i) values[i] = static_cast<double>(i + 1);
    EXPECT_EQ(pairwise_sum(values.data(), count), static_cast<double>(count * (count + 1) / 2));
  }
}

}  // namespace
}  // namespace floydnet::clrs
