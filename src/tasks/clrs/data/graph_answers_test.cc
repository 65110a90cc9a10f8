// What the graph algorithms answer, beside brute force and each other.
#include <algorithm>
#include <cmath>
#include <functional>

#include "tasks/clrs/data/test_samples.h"

namespace floydnet::clrs {
namespace {

constexpr double kNoWay = 1e9;
constexpr int kGraphProblems = 20;

void for_problems(const Sampler& sampler, const std::function<void(const Problem&)>& check) {
  RandomState random(8);
  for (int i = 0; i < kGraphProblems; ++i) {
    SamplerOptions options;
    options.length = 5 + i % 8;
    options.edge_probabilities = {0.25, 0.5};
    check(sampler.draw(random, options));
  }
}

/// Lengths of shortest paths; 0 from a node to itself.
Matrix distances(const Matrix& graph) {
  const int64_t n = graph.size();
  Matrix result(n, kNoWay);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      if (graph(i, j) != 0) result(i, j) = graph(i, j);
    }
    result(i, i) = 0;
  }
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        result(i, j) = std::min(result(i, j), result(i, k) + result(k, j));
      }
    }
  }
  return result;
}

/// Follows parents from every node to the source and compares the lengths of the paths.
void expect_shortest_paths(const Problem& problem, const Reals& parent, const std::string& name) {
  const Matrix wanted = distances(problem.graph);
  for (int64_t v = 0; v < problem.nodes; ++v) {
    double length = 0;
    int64_t at = v;
    for (int64_t steps = 0; steps < problem.nodes && parent[at] != static_cast<double>(at);
         ++steps) {
      const auto before = static_cast<int64_t>(parent[at]);
      ASSERT_NE(problem.graph(before, at), 0) << name;
      length += problem.graph(before, at);
      at = before;
    }
    if (wanted(problem.source, v) < kNoWay) {
      EXPECT_EQ(at, problem.source) << name;
      EXPECT_NEAR(length, wanted(problem.source, v), 1e-9) << name;
    } else {
      EXPECT_EQ(at, v) << name;
    }
  }
}

TEST(ClrsGraphAnswers, ParentsLieOnShortestPaths) {
  for (const char* name : {"bfs", "bellman_ford", "dijkstra", "dag_shortest_paths"}) {
    for_problems(*find_algorithm(name).sampler, [&](const Problem& problem) {
      expect_shortest_paths(problem, answer(name, problem), name);
    });
  }
}

TEST(ClrsGraphAnswers, FloydWarshallAgreesForAllPairs) {
  for_problems(kAllPairsSampler, [](Problem problem) {
    // A loop is a path of its own to the reference; without loops it is the textbook's.
    for (int64_t i = 0; i < problem.nodes; ++i) problem.graph(i, i) = 0;
    const Reals parent = answer("floyd_warshall", problem);
    for (problem.source = 0; problem.source < problem.nodes; ++problem.source) {
      Reals row(parent.begin() + problem.source * problem.nodes,
                parent.begin() + (problem.source + 1) * problem.nodes);
      const Matrix reach = distances(problem.graph);
      for (int64_t v = 0; v < problem.nodes; ++v) {
        if (reach(problem.source, v) >= kNoWay) row[v] = static_cast<double>(v);
      }
      expect_shortest_paths(problem, row, "floyd_warshall");
    }
  });
}

TEST(ClrsGraphAnswers, SpanningTreesOfBothKindsWeighTheSame) {
  for_problems(kShortestPathSampler, [](const Problem& problem) {
    const int64_t n = problem.nodes;
    const Matrix reach = distances(problem.graph);
    const Reals in_tree = answer("mst_kruskal", problem);
    const Reals parent = answer("mst_prim", problem);
    double kruskal = 0, prim = 0;
    for (int64_t i = 0; i < n; ++i) {
      if (reach(problem.source, i) >= kNoWay) continue;  // Prim sees the source's component only
      const auto before = static_cast<int64_t>(parent[i]);
      if (before != i) prim += problem.graph(before, i);
      for (int64_t j = 0; j < i; ++j) kruskal += in_tree[i * n + j] * problem.graph(i, j);
    }
    EXPECT_NEAR(prim, kruskal, 1e-9);
  });
}

TEST(ClrsGraphAnswers, TopologicalOrderGoesWithTheEdges) {
  for_problems(kTopologicalSampler, [](const Problem& problem) {
    const Reals next = answer("topological_sort", problem, "topo");
    auto at = place_of_one(answer("topological_sort", problem, "topo_head"));
    Nodes place(problem.nodes, -1);
    for (int64_t step = 0; step < problem.nodes; ++step) {
      ASSERT_EQ(place[at], -1);
      place[at] = step;
      at = static_cast<int64_t>(next[at]);
    }
    for (int64_t i = 0; i < problem.nodes; ++i) {
      for (int64_t j = 0; j < problem.nodes; ++j) {
        if (problem.graph(i, j) != 0) {
          EXPECT_LT(place[i], place[j]);
        }
      }
    }
  });
}

TEST(ClrsGraphAnswers, DepthFirstParentsAreSmallestWhereAllIsReached) {
  Problem problem;  // 0 -> 2 -> 1, 0 -> 1: depth first reaches 1 through 0, and 2 last
  problem.nodes = 3;
  problem.graph = Matrix(3);
  problem.graph(0, 1) = problem.graph(0, 2) = problem.graph(2, 1) = 1;
  EXPECT_EQ(answer("dfs", problem), Reals({0, 0, 0}));
  problem.graph(1, 2) = 1;  // now 2 is reached from 1
  EXPECT_EQ(answer("dfs", problem), Reals({0, 0, 1}));
}

int64_t components_without(Matrix graph, int64_t node) {
  const int64_t n = graph.size();
  const Matrix reach = distances(graph);
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i) {
    bool first = i != node;
    for (int64_t j = 0; j < i; ++j) first &= j == node || reach(i, j) >= kNoWay;
    count += first ? 1 : 0;
  }
  return count;
}

TEST(ClrsGraphAnswers, CutNodesAndBridgesPartTheGraph) {
  for_problems(kArticulationSampler, [](const Problem& problem) {
    const int64_t n = problem.nodes;
    const int64_t all = components_without(problem.graph, -1);
    const Reals is_cut = answer("articulation_points", problem);
    const Reals is_bridge = answer("bridges", problem);
    for (int64_t v = 0; v < n; ++v) {
      Matrix rest = problem.graph;
      bool isolated = true;
      for (int64_t j = 0; j < n; ++j) {
        isolated &= j == v || rest(v, j) == 0;
        rest(v, j) = rest(j, v) = 0;
      }
      const int64_t parts = components_without(rest, v) + (isolated ? 1 : 0);
      EXPECT_EQ(is_cut[v] == 1, parts > all);
      for (int64_t j = 0; j < n; ++j) {
        const bool edge = j != v && problem.graph(v, j) != 0;
        Matrix without = problem.graph;
        without(v, j) = without(j, v) = 0;
        const double wanted = components_without(without, -1) > all ? 1 : 0;
        EXPECT_EQ(is_bridge[v * n + j], edge ? wanted : j == v ? 0 : kMasked);
      }
    }
  });
}

TEST(ClrsGraphAnswers, StrongComponentsReachEachOther) {
  for_problems(kComponentsSampler, [](const Problem& problem) {
    const Reals component = answer("strongly_connected_components", problem);
    const Matrix reach = distances(problem.graph);
    for (int64_t i = 0; i < problem.nodes; ++i) {
      for (int64_t j = 0; j < problem.nodes; ++j) {
        const bool together = reach(i, j) < kNoWay && reach(j, i) < kNoWay;
        EXPECT_EQ(component[i] == component[j], together);
      }
    }
  });
}

}  // namespace
}  // namespace floydnet::clrs
