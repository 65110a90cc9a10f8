#include "tasks/graphs/graph_structure.h"

#include <algorithm>

namespace floydnet::graphs {
namespace {

using Neighbours = std::vector<std::vector<int32_t>>;

/// Nodes that an edge leads to; with `both_ways`, also against its direction.
Neighbours neighbours_of(const GraphSet& set, int64_t graph, bool both_ways) {
  const auto g = static_cast<size_t>(graph);
  Neighbours found(static_cast<size_t>(set.sizes[g]));
  for (int64_t e = set.edge_offsets[g]; e < set.edge_offsets[g + 1]; ++e) {
    const auto [u, v] = set.edges[static_cast<size_t>(e)];
    found[static_cast<size_t>(u)].push_back(v);
    if (both_ways && u != v) found[static_cast<size_t>(v)].push_back(u);
  }
  return found;
}

/// Lengths of shortest paths from a node, up to `longest`; -1 for nodes that are further. An edge
/// may be left out.
std::vector<int64_t> lengths_from(const Neighbours& neighbours, int32_t start, int64_t longest,
                                  Graph::Edge left_out = {-1, -1}) {
  std::vector<int64_t> lengths(neighbours.size(), -1);
  std::vector<int32_t> queue = {start};
  lengths[static_cast<size_t>(start)] = 0;
  for (size_t next = 0; next < queue.size(); ++next) {
    const int32_t u = queue[next];
    const int64_t length = lengths[static_cast<size_t>(u)] + 1;
    if (length > longest) break;
    for (const int32_t v : neighbours[static_cast<size_t>(u)]) {
      const bool is_left_out = (u == left_out.first && v == left_out.second) ||
                               (v == left_out.first && u == left_out.second);
      if (is_left_out || lengths[static_cast<size_t>(v)] >= 0) continue;
      lengths[static_cast<size_t>(v)] = length;
      queue.push_back(v);
    }
  }
  return lengths;
}

/// Row by row of M^0, M^1, ..., where M_uv is 1 / degree of u along an edge.
std::vector<float> walk_probabilities(const Neighbours& neighbours, int64_t steps) {
  const size_t n = neighbours.size();
  std::vector<float> found(n * n * static_cast<size_t>(steps), 0);
  std::vector<float> here(n), there(n);
  for (size_t start = 0; start < n; ++start) {
    std::fill(here.begin(), here.end(), 0.F);
    here[start] = 1;
    for (int64_t step = 0; step < steps; ++step) {
      std::fill(there.begin(), there.end(), 0.F);
      for (size_t u = 0; u < n; ++u) {
        found[(start * n + u) * static_cast<size_t>(steps) + static_cast<size_t>(step)] = here[u];
        if (here[u] == 0) continue;
        const float share = here[u] / static_cast<float>(neighbours[u].size());
        for (const int32_t v : neighbours[u]) there[static_cast<size_t>(v)] += share;
      }
      std::swap(here, there);
    }
  }
  return found;
}

void find_rings(const Neighbours& neighbours, GraphStructure* structure) {
  const size_t n = neighbours.size();
  structure->node_rings.assign(n, 0);
  structure->edge_rings.assign(n * n, 0);
  for (size_t u = 0; u < n; ++u) {
    for (const int32_t other : neighbours[u]) {
      const auto v = static_cast<size_t>(other);
      const auto from = static_cast<int32_t>(u);
      if (v <= u) continue;
      const int64_t rest = lengths_from(neighbours, from, kLargestRing - 1, {from, other})[v];
      if (rest < 2) continue;
      const int64_t ring = rest + 1 - 2;
      structure->edge_rings[u * n + v] = structure->edge_rings[v * n + u] = ring;
      for (const size_t node : {u, v}) {
        int64_t& smallest = structure->node_rings[node];
        smallest = smallest == 0 ? ring : std::min(smallest, ring);
      }
    }
  }
}

}  // namespace

GraphStructure structure_of(const GraphSet& set, int64_t graph, const StructureConfig& config) {
  GraphStructure structure;
  if (config.distances == 0 && config.walks == 0 && !config.rings) return structure;
  const Neighbours neighbours = neighbours_of(set, graph, /*both_ways=*/!set.directed);
  if (config.distances > 0) {
    const auto n = static_cast<int64_t>(neighbours.size());
    for (int32_t start = 0; start < n; ++start) {
      const std::vector<int64_t> row = lengths_from(neighbours, start, n);
      structure.distances.insert(structure.distances.end(), row.begin(), row.end());
    }
  }
  if (config.walks > 0) structure.walks = walk_probabilities(neighbours, config.walks);
  if (config.rings) find_rings(neighbours_of(set, graph, /*both_ways=*/true), &structure);
  return structure;
}

}  // namespace floydnet::graphs
