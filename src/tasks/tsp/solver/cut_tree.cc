#include "tasks/tsp/solver/cut_tree.h"

#include <lemon/gomory_hu.h>
#include <lemon/smart_graph.h>

#include <cmath>
#include <numeric>

namespace floydnet::tsp {
namespace {

/// Flows are in integers: exact, and sure to end.
constexpr double kCapacityScale = 1 << 24;

}  // namespace

std::vector<TreeCut> cut_tree(int nodes, const std::vector<WeightedEdge>& edges) {
  using Graph = lemon::SmartGraph;
  using Capacities = Graph::EdgeMap<long long>;
  if (nodes < 2) return {};
  Graph graph;
  graph.reserveNode(nodes);
  for (int i = 0; i < nodes; ++i) graph.addNode();
  Capacities capacities(graph);
  for (const auto& [u, v, x] : edges) {
    capacities[graph.addEdge(Graph::nodeFromId(u), Graph::nodeFromId(v))] =
        std::llround(x * kCapacityScale);
  }
  lemon::GomoryHu<Graph, Capacities> tree(graph, capacities);
  tree.run();

  std::vector<TreeCut> cuts(static_cast<std::size_t>(nodes));  // by the node below the tree's edge
  int root = 0;
  for (int i = 0; i < nodes; ++i) {
    int up = i;
    while (true) {
      cuts[up].nodes.push_back(i);
      const Graph::Node above = tree.predNode(Graph::nodeFromId(up));
      if (above == lemon::INVALID) break;
      up = Graph::id(above);
    }
    root = up;
    if (up != i) {
      cuts[i].value = static_cast<double>(tree.predValue(Graph::nodeFromId(i))) / kCapacityScale;
    }
  }
  cuts.erase(cuts.begin() + root);
  return cuts;
}

}  // namespace floydnet::tsp
