#include "tasks/graphs/structure/structure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <vector>

#include "base/draws.h"
#include "base/stopwatch.h"

namespace floydnet::graphs {
namespace {

using testing::ElementsAre;

struct RandomGraph {
  int64_t n;
  bool directed;
  std::vector<Graph::Edge> edges;

  EdgeList list() const { return {n, edges.data(), static_cast<int64_t>(edges.size()), directed}; }
  bool has(int64_t u, int64_t v) const {
    return std::any_of(edges.begin(), edges.end(), [&](const Graph::Edge& e) {
      return (e.first == u && e.second == v) || (!directed && e.first == v && e.second == u);
    });
  }
};

RandomGraph random_graph_of(Draws& draws) {
  RandomGraph graph{static_cast<int64_t>(1 + draws.below(12)), draws.below(2) == 1, {}};
  const uint64_t sparse = 2 + draws.below(6);
  for (int32_t u = 0; u < graph.n; ++u) {
    for (int32_t v = graph.directed ? 0 : u; v < graph.n; ++v) {
      const bool wanted = draws.below(u == v ? 10 : sparse) == 0;
      if (wanted) graph.edges.emplace_back(u, v);
    }
  }
  draws.shuffle(graph.edges);
  return graph;
}

/// Floyd and Warshall.
std::vector<double> naive_distances(const RandomGraph& graph, double far) {
  const int64_t n = graph.n;
  std::vector<double> d(static_cast<size_t>(n * n), far);
  const auto at = [&](int64_t i, int64_t j) -> double& {
    return d[static_cast<size_t>(i * n + j)];
  };
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) at(i, j) = i == j ? 0 : graph.has(i, j) ? 1 : far;
  }
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) at(i, j) = std::min(at(i, j), at(i, k) + at(k, j));
    }
  }
  return d;
}

TEST(Structure, DistancesEqualFloydWarshall) {
  Draws draws({1});
  for (int round = 0; round < 100; ++round) {
    const RandomGraph graph = random_graph_of(draws);
    const auto cap = static_cast<int64_t>(draws.below(6));
    std::vector<float> distances(static_cast<size_t>(graph.n * graph.n));
    shortest_distances(graph.list(), cap, distances.data());
    const std::vector<double> wanted = naive_distances(graph, 1000);
    for (size_t i = 0; i < distances.size(); ++i) {
      EXPECT_EQ(distances[i], std::min<double>(wanted[i], static_cast<double>(cap + 1)));
    }
  }
}

TEST(Structure, WalksEqualPowersOfTheMatrix) {
  Draws draws({2});
  constexpr int64_t kSteps = 6;
  for (int round = 0; round < 50; ++round) {
    const RandomGraph graph = random_graph_of(draws);
    const int64_t n = graph.n;
    std::vector<float> walks(static_cast<size_t>(n * n * kSteps));
    walk_probabilities(graph.list(), kSteps, walks.data());
    const auto size = static_cast<size_t>(n);
    std::vector<std::vector<double>> p(size, std::vector<double>(size));
    std::vector<std::vector<double>> power(size, std::vector<double>(size));
    for (size_t i = 0; i < size; ++i) {
      double degree = 0;
      const auto edge = [&](size_t j) {
        return graph.has(static_cast<int64_t>(i), static_cast<int64_t>(j));
      };
      for (size_t j = 0; j < size; ++j) degree += edge(j) ? 1 : 0;
      for (size_t j = 0; j < size; ++j) p[i][j] = edge(j) ? 1 / degree : 0;
      power[i][i] = 1;
    }
    for (int64_t step = 0; step < kSteps; ++step) {
      for (size_t i = 0; i < size; ++i) {
        for (size_t j = 0; j < size; ++j) {
          EXPECT_NEAR(walks[(i * size + j) * kSteps + static_cast<size_t>(step)], power[i][j],
                      1e-6);
        }
      }
      std::vector<std::vector<double>> product(size, std::vector<double>(size));
      for (size_t i = 0; i < size; ++i) {
        for (size_t j = 0; j < size; ++j) {
          for (size_t k = 0; k < size; ++k) product[i][j] += power[i][k] * p[k][j];
        }
      }
      power = product;
    }
  }
}

TEST(Structure, RingsByHand) {
  // A square with a triangle on one side, a tail, and a loop.
  const std::vector<Graph::Edge> edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0},
                                          {1, 4}, {4, 2}, {3, 5}, {5, 5}};
  const EdgeList list{6, edges.data(), 8, false};
  std::vector<float> edge_rings(8), node_rings(6);
  smallest_rings(list, 20, edge_rings.data(), node_rings.data());
  EXPECT_THAT(edge_rings, ElementsAre(4, 3, 4, 4, 3, 3, 0, 0));
  EXPECT_THAT(node_rings, ElementsAre(4, 3, 3, 4, 3, 0));
  smallest_rings(list, 3, edge_rings.data(), nullptr);
  EXPECT_THAT(edge_rings, ElementsAre(0, 3, 0, 0, 3, 3, 0, 0));
}

TEST(Structure, RingsEqualDistancesWithoutTheEdge) {
  Draws draws({3});
  for (int round = 0; round < 100; ++round) {
    RandomGraph graph = random_graph_of(draws);
    if (graph.directed) continue;
    std::vector<float> rings(graph.edges.size());
    smallest_rings(graph.list(), 100, rings.data(), nullptr);
    for (size_t e = 0; e < rings.size(); ++e) {
      const auto [u, v] = graph.edges[e];
      RandomGraph other = graph;
      other.edges.erase(other.edges.begin() + static_cast<std::ptrdiff_t>(e));
      const double around = naive_distances(other, 1000)[static_cast<size_t>(u * graph.n + v)];
      EXPECT_EQ(rings[e], u == v || around >= 1000 ? 0 : around + 1);
    }
  }
}

TEST(Structure, LargeGraphsTakeMilliseconds) {
  // As long as the longest peptide: a chain with a ring at every tenth node.
  constexpr int64_t kNodes = 444;
  std::vector<Graph::Edge> edges;
  for (int32_t i = 0; i + 1 < kNodes; ++i) edges.emplace_back(i, i + 1);
  for (int32_t i = 0; i + 6 < kNodes; i += 10) edges.emplace_back(i, i + 5);
  const EdgeList list{kNodes, edges.data(), static_cast<int64_t>(edges.size()), false};
  constexpr int64_t kSteps = 16;
  std::vector<float> walks(kNodes * kNodes * kSteps), distances(kNodes * kNodes);
  std::vector<float> rings(edges.size());
  double best = 1;
  for (int round = 0; round < 3; ++round) {
    const auto start = std::chrono::steady_clock::now();
    shortest_distances(list, 20, distances.data());
    walk_probabilities(list, kSteps, walks.data());
    smallest_rings(list, 20, rings.data(), nullptr);
    best = std::min(best, seconds_since(start));
  }
  RecordProperty("milliseconds", std::to_string(1e3 * best));
  EXPECT_LT(best, 0.25);
}

}  // namespace
}  // namespace floydnet::graphs
