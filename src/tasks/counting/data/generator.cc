#include "tasks/counting/data/generator.h"

#include <algorithm>

#include "base/draws.h"

namespace floydnet::counting {
namespace {

/// Whether some two of the loose ends could still be joined.
bool can_go_on(const std::vector<int32_t>& ends, const std::vector<bool>& adjacency, int64_t n) {
  for (const int32_t u : ends) {
    for (const int32_t v : ends) {
      if (u != v && !adjacency[static_cast<size_t>(u * n + v)]) return true;
    }
  }
  return false;
}

/// Joins random loose ends, `degree` a node, as long as no loop or double edge arises (Steger and
/// Wormald: asymptotically uniform); false if that comes to a dead end.
bool try_regular(GraphShape shape, Draws& draws, std::vector<Graph::Edge>& edges) {
  const int64_t n = shape.nodes;
  std::vector<int32_t> ends;
  for (int64_t i = 0; i < n * shape.degree; ++i) ends.push_back(static_cast<int32_t>(i % n));
  std::vector<bool> adjacency(static_cast<size_t>(n * n));
  edges.clear();
  while (!ends.empty()) {
    const int32_t u = draws.take(ends);
    const int32_t v = draws.take(ends);
    if (u != v && !adjacency[static_cast<size_t>(u * n + v)]) {
      adjacency[static_cast<size_t>(u * n + v)] = adjacency[static_cast<size_t>(v * n + u)] = true;
      edges.emplace_back(std::min(u, v), std::max(u, v));
      continue;
    }
    ends.push_back(u);
    ends.push_back(v);
    if (!can_go_on(ends, adjacency, n)) return false;
  }
  return true;
}

}  // namespace

const std::vector<GraphShape>& benchmark_shapes() {
  static const std::vector<GraphShape> shapes = {{10, 6}, {15, 6}, {20, 5}, {30, 5}};
  return shapes;
}

Graph random_graph(uint64_t seed, uint64_t index) {
  Draws draws({seed, index});
  const GraphShape shape = benchmark_shapes()[draws.below(benchmark_shapes().size())];
  std::vector<Graph::Edge> edges;
  while (!try_regular(shape, draws, edges)) continue;
  for (int64_t i = 0; i < shape.nodes; ++i) draws.take(edges);
  std::sort(edges.begin(), edges.end());
  return Graph(shape.nodes, edges);
}

std::vector<Graph> random_graphs(int64_t count, uint64_t seed) {
  std::vector<Graph> graphs;
  for (int64_t i = 0; i < count; ++i) {
    graphs.push_back(random_graph(seed, static_cast<uint64_t>(i)));
  }
  return graphs;
}

}  // namespace floydnet::counting
