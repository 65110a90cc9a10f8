// Minimum cuts between all pairs of nodes.
#pragma once

#include <vector>

#include "tasks/tsp/solver/support.h"

namespace floydnet::tsp {

struct TreeCut {
  double value;
  std::vector<int> nodes;  ///< of one side
};

/// The cuts of a Gomory-Hu tree: among them is a minimum cut between any two nodes. Capacities are
/// the edges' values.
std::vector<TreeCut> cut_tree(int nodes, const std::vector<WeightedEdge>& edges);

}  // namespace floydnet::tsp
