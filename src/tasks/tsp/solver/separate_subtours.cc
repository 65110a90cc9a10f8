#include <algorithm>

#include "tasks/tsp/solver/cut_tree.h"
#include "tasks/tsp/solver/separate.h"

namespace floydnet::tsp {
namespace {

constexpr double kTight = 1e-4;

std::vector<Cut> component_cuts(const Components& parts) {
  std::vector<Cut> cuts(static_cast<std::size_t>(parts.count));
  for (Cut& cut : cuts) cut.sets.resize(1);
  for (int node = 0; node < static_cast<int>(parts.of.size()); ++node) {
    cuts[parts.of[node]].sets[0].push_back(node);
  }
  return cuts;
}

NodeSet cities_of(const Support& support, const std::vector<int>& nodes) {
  NodeSet cities;
  for (const int node : nodes) {
    cities.insert(cities.end(), support.nodes[node].begin(), support.nodes[node].end());
  }
  return cities;
}

}  // namespace

std::vector<Cut> separate_subtours(const Support& support, std::vector<NodeSet>& tight) {
  const Components parts = components(support, [](const WeightedEdge&) { return true; });
  if (parts.count > 1) return component_cuts(parts);
  const Support small = shrunk(support);
  std::vector<Cut> cuts;
  for (const TreeCut& cut : cut_tree(small.size(), small.edges)) {
    NodeSet cities = cities_of(small, cut.nodes);
    if (cut.value < 2 - kMinViolation) {
      cuts.push_back({{std::move(cities)}});
    } else if (cut.value < 2 + kTight) {
      tight.push_back(std::move(cities));
    }
  }
  for (const NodeSet& node : small.nodes) {
    if (node.size() > 1) tight.push_back(node);
  }
  return cuts;
}

}  // namespace floydnet::tsp
