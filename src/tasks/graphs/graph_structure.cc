#include "tasks/graphs/graph_structure.h"

#include "tasks/graphs/structure/structure.h"

namespace floydnet::graphs {

GraphStructure structure_of(const GraphSet& set, int64_t graph, const StructureConfig& config) {
  const auto g = static_cast<size_t>(graph);
  const int64_t first = set.edge_offsets[g];
  const EdgeList edges{set.sizes[g], set.edges.data() + first, set.edge_offsets[g + 1] - first,
                       set.directed};
  const auto n = static_cast<size_t>(set.sizes[g]);
  GraphStructure structure;
  if (config.distances > 0) {
    structure.distances.resize(n * n);
    shortest_distances(edges, config.distances, structure.distances.data());
  }
  if (config.walks > 0) {
    structure.walks.resize(n * n * static_cast<size_t>(config.walks));
    walk_probabilities(edges, config.walks, structure.walks.data());
  }
  if (config.rings) {
    structure.node_rings.resize(n);
    structure.edge_rings.resize(static_cast<size_t>(edges.count));
    smallest_rings(edges, kLargestRing, structure.edge_rings.data(), structure.node_rings.data());
  }
  return structure;
}

}  // namespace floydnet::graphs
