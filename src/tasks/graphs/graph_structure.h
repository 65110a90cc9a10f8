// What follows from a graph's edges alone, for Init.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/graphs/data/graph_set.h"
#include "tasks/graphs/structure_config.h"

namespace floydnet::graphs {

/// Rings of more nodes do not count; so rings have kRingSizes categories, 0 for none.
constexpr int64_t kLargestRing = 8, kRingSizes = kLargestRing + 1;

/// Empty where the configuration does not ask for it; structure/structure.h has the definitions.
struct GraphStructure {
  std::vector<float> distances;   // [n, n]
  std::vector<float> walks;       // [n, n, steps]
  std::vector<float> node_rings;  // [n]
  std::vector<float> edge_rings;  // [edges]
};

GraphStructure structure_of(const GraphSet& set, int64_t graph, const StructureConfig& config);

}  // namespace floydnet::graphs
