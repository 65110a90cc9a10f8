// Where the nodes of a graph are drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::graphs {

struct Place {
  double x = 0, y = 0;
};

/// Nodes that are k edges apart stand about k apart; parts without a path between them stand beside
/// each other. Edges count for both directions. The same graph has the same places. Takes n * n
/// memory, and time for some dozen passes over all pairs.
std::vector<Place> graph_layout(int64_t nodes, const std::vector<Graph::Edge>& edges);

}  // namespace floydnet::graphs
