// What follows from a graph's edges alone, for Init.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/graphs/data/graph_set.h"
#include "tasks/graphs/structure_config.h"

namespace floydnet::graphs {

/// Rings up to this size count. 0 stands for no ring, s - 2 for a smallest ring of size s.
constexpr int64_t kLargestRing = 8, kRingSizes = kLargestRing - 1;

/// Empty where the configuration does not ask for it.
struct GraphStructure {
  std::vector<int64_t> distances;   // [n, n]; -1 where there is no path
  std::vector<float> walks;         // [n, n, steps]: probabilities after 0, 1, ... steps
  std::vector<int64_t> node_rings;  // [n], by kRingSizes
  std::vector<int64_t> edge_rings;  // [n, n]; 0 where there is no edge
};

GraphStructure structure_of(const GraphSet& set, int64_t graph, const StructureConfig& config);

}  // namespace floydnet::graphs
