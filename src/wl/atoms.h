// What a pair of nodes looks like before any refinement.
#pragma once

#include <cstdint>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::wl {

/// For each graph a dense matrix, row-major: the number of the isomorphism type of the ordered pair
/// (x, y), that is of (graph features, features of x and y, edge x-y, edge y-x, x = y). Numbers are
/// comparable between the graphs.
std::vector<std::vector<uint32_t>> pair_atoms(const std::vector<const Graph*>& graphs);

/// Classes of nodes by their features alone, numbered from 0 in an order that depends on the values
/// only, not on the nodes' names.
std::vector<uint32_t> node_classes(const Graph& graph);

}  // namespace floydnet::wl
