// Random graphs and their comparison, for tests and fuzz targets.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet {

/// Whether the graphs have the same nodes and edges, in whatever order those were added.
inline bool same_graph(const Graph& a, const Graph& b) {
  const auto sorted = [](std::vector<Graph::Edge> edges) {
    std::sort(edges.begin(), edges.end());
    return edges;
  };
  return a.nodes() == b.nodes() && a.directed() == b.directed() &&
         sorted(a.edges()) == sorted(b.edges());
}

struct RandomGraph {
  bool directed = false;
  bool loops = false;
  double density = 0.3;

  Graph operator()(int64_t nodes, uint32_t seed) const {
    std::mt19937 random(seed);
    Graph graph(nodes, directed);
    for (int64_t from = 0; from < nodes; ++from) {
      for (int64_t to = directed ? 0 : from; to < nodes; ++to) {
        if (from == to && !loops) continue;
        if (random() < density * 4294967296.0) graph.add_edge(from, to);
      }
    }
    return graph;
  }
};

}  // namespace floydnet
