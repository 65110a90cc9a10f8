// bfs, bellman_ford, dijkstra, floyd_warshall.
#include "base/require.h"
#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/priority_search.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {
namespace {

void bfs(const Problem& problem, Trace& trace) {
  const Matrix& graph = problem.graph;
  const int64_t n = trace.nodes();
  record_graph_with_source(problem, trace);
  Reals reached(n, 0);
  reached[problem.source] = 1;
  Nodes parent = identity(n);
  Reals before;
  do {
    trace.push(reached, parent);
    before = reached;
    for (int64_t i = 0; i < n; ++i) {
      if (before[i] == 0) continue;
      for (int64_t j = 0; j < n; ++j) {
        if (graph(i, j) == 0) continue;
        if (parent[j] == j && j != problem.source) parent[j] = i;
        reached[j] = 1;
      }
    }
  } while (reached != before);
  trace.outputs(parent);
}

void bellman_ford(const Problem& problem, Trace& trace) {
  const Matrix& graph = problem.graph;
  const int64_t n = trace.nodes();
  record_graph_with_source(problem, trace);
  Reals distance(n, 0);
  Reals reached(n, 0);
  reached[problem.source] = 1;
  Nodes parent = identity(n);
  Reals distance_before, reached_before;
  int64_t rounds = 0;
  do {
    require(rounds++ <= n, "bellman_ford: the graph has a cycle of negative length");
    trace.push(parent, distance, reached);
    distance_before = distance;
    reached_before = reached;
    for (int64_t u = 0; u < n; ++u) {
      if (reached_before[u] == 0) continue;
      for (int64_t v = 0; v < n; ++v) {
        if (graph(u, v) == 0) continue;
        const double through_u = distance_before[u] + graph(u, v);
        if (reached[v] == 0 || through_u < distance[v]) {
          distance[v] = through_u;
          parent[v] = u;
        }
        reached[v] = 1;
      }
    }
  } while (distance != distance_before);
  trace.outputs(parent);
}

void dijkstra(const Problem& problem, Trace& trace) {
  search_by_priority(problem, trace,
                     [](double distance, double weight) { return distance + weight; });
}

class FloydWarshall {
 public:
  FloydWarshall(const Problem& problem, Trace& trace)
      : n_(trace.nodes()), distance_(problem.graph), parent_(n_), known_(n_), trace_(trace) {
    for (int64_t i = 0; i < n_; ++i) {
      for (int64_t j = 0; j < n_; ++j) {
        parent_(i, j) = static_cast<double>(i);
        known_(i, j) = i == j || distance_(i, j) != 0 ? 1 : 0;
      }
    }
  }

  void run() {
    for (int64_t k = 0; k < n_; ++k) {
      trace_.push(parent_, distance_, known_, One{k});
      sweep(k);
    }
    trace_.outputs(parent_);
  }

 private:
  void sweep(int64_t k) {
    before_ = distance_;
    known_before_ = known_;
    for (int64_t i = 0; i < n_; ++i) {
      if (known_before_(i, k) == 0) continue;
      const double to_k = before_(i, k);
      for (int64_t j = 0; j < n_; ++j) {
        if (known_before_(k, j) == 0) continue;
        const double through_k = to_k + before_(k, j);
        if (known_(i, j) == 0 || through_k < distance_(i, j)) {
          distance_(i, j) = through_k;
          parent_(i, j) = parent_(k, j);
          known_(i, j) = 1;
        }
      }
    }
  }

  int64_t n_;
  Matrix distance_, parent_, known_, before_, known_before_;
  Trace& trace_;
};

void floyd_warshall(const Problem& problem, Trace& trace) {
  trace.inputs(Positions{}, problem.graph, Adjacency{problem.graph});
  FloydWarshall(problem, trace).run();
}

}  // namespace

std::vector<Algorithm> shortest_path_algorithms() {
  const Probe parent = integer(node("pi", Type::kPointer));
  const Probe parent_h = node("pi_h", Type::kPointer);
  const Probe weights = edge("A", Type::kScalar);
  return {
      {"bfs", Category::kGraphs, &kBfsSampler, bfs,
       make_spec(graph_with_source_probes(integer(weights)), {parent},
                 {node("reach_h", Type::kMask), parent_h})},
      {"bellman_ford", Category::kGraphs, &kShortestPathSampler, bellman_ford,
       make_spec(graph_with_source_probes(weights), {parent},
                 {parent_h, node("d", Type::kScalar), node("msk", Type::kMask)})},
      {"dijkstra", Category::kGraphs, &kShortestPathSampler, dijkstra, priority_search_spec("d")},
      {"floyd_warshall", Category::kGraphs, &kAllPairsSampler, floyd_warshall,
       make_spec({node("pos", Type::kScalar), weights, edge("adj", Type::kMask)},
                 {edge("Pi", Type::kPointer)},
                 {edge("Pi_h", Type::kPointer), edge("D", Type::kScalar), edge("msk", Type::kMask),
                  node("k", Type::kMaskOne)})},
  };
}

}  // namespace floydnet::clrs
