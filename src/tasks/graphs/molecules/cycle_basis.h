// The cycle basis that ZINC's y was made with.
#pragma once

#include <cstdint>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::graphs {

/// Lengths of the cycles in the basis that networkx 1 and 2 give: a tree grows from the smallest
/// node of each component, nodes are taken from a stack and their neighbours in ascending order,
/// and every other edge closes a cycle. Not the smallest rings: the longest depends on the order.
std::vector<int64_t> cycle_basis_lengths(int64_t nodes, const std::vector<Graph::Edge>& edges);

}  // namespace floydnet::graphs
