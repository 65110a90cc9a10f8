#include "tasks/brec/data/features.h"

#include <array>
#include <cmath>
#include <vector>

namespace floydnet::brec {
namespace {

using Neighbours = std::vector<std::vector<int64_t>>;

/// Distances from `source` along nodes for which `inside` holds; -1 for what is not reached.
template <class Inside>
std::vector<int64_t> distances(const Neighbours& neighbours, int64_t source, Inside inside) {
  std::vector<int64_t> distance(neighbours.size(), -1);
  std::vector<int64_t> queue = {source};
  distance[static_cast<size_t>(source)] = 0;
  for (size_t head = 0; head < queue.size(); ++head) {
    const int64_t u = queue[head];
    for (const int64_t w : neighbours[static_cast<size_t>(u)]) {
      if (distance[static_cast<size_t>(w)] >= 0 || !inside(w)) continue;
      distance[static_cast<size_t>(w)] = distance[static_cast<size_t>(u)] + 1;
      queue.push_back(w);
    }
  }
  return distance;
}

/// Edges between nodes at distance d.
double edges_at(const Neighbours& neighbours, const std::vector<int64_t>& distance, int64_t d) {
  double ends = 0;
  for (size_t u = 0; u < neighbours.size(); ++u) {
    if (distance[u] != d) continue;
    for (const int64_t w : neighbours[u]) ends += distance[static_cast<size_t>(w)] == d ? 1 : 0;
  }
  return ends / 2;
}

/// Counts in the subgraph induced by the nodes at `hop`, given distances from the centre.
std::array<double, kPeripheralCounts> peripheral_counts(const Neighbours& neighbours,
                                                        const std::vector<int64_t>& from_centre,
                                                        int64_t hop) {
  const auto inside = [&](int64_t v) { return from_centre[static_cast<size_t>(v)] == hop; };
  double nodes = 0, degrees = 0, squared_degrees = 0, corners = 0;
  double components = 0, reached_pairs = 0;
  std::array<double, 3> far_pairs = {0, 0, 0};
  for (int64_t v = 0; v < static_cast<int64_t>(neighbours.size()); ++v) {
    if (!inside(v)) continue;
    double degree = 0, component = 0;
    const std::vector<int64_t> from_v = distances(neighbours, v, inside);
    for (const int64_t d : from_v) {
      if (d >= 0) ++component;
      if (d == 1) ++degree;
      if (d >= 2) ++far_pairs[static_cast<size_t>(d < 4 ? d - 2 : 2)];
    }
    ++nodes;
    degrees += degree;
    squared_degrees += degree * degree;
    corners += edges_at(neighbours, from_v, 1);
    components += 1 / component;
    reached_pairs += component;  // the sum over nodes of their component's size
  }
  return {
      nodes,         degrees / 2,      squared_degrees,  corners / 3,     std::round(components),
      reached_pairs, far_pairs[0] / 2, far_pairs[1] / 2, far_pairs[2] / 2};
}

}  // namespace

void add_peripheral_features(Graph& graph) {
  const int64_t n = graph.nodes();
  Neighbours neighbours(static_cast<size_t>(n));
  for (const auto& [u, v] : graph.edges()) {
    if (u == v) continue;
    neighbours[static_cast<size_t>(u)].push_back(v);
    neighbours[static_cast<size_t>(v)].push_back(u);
  }
  FeatureTable table(n, 0, kPeripheralFeatures);
  for (int64_t v = 0; v < n; ++v) {
    const auto from_centre = distances(neighbours, v, [](int64_t) { return true; });
    for (int64_t hop = 1; hop <= kPeripheralHops; ++hop) {
      const auto counts = peripheral_counts(neighbours, from_centre, hop);
      for (int64_t i = 0; i < kPeripheralCounts; ++i) {
        table.real(v, (hop - 1) * kPeripheralCounts + i) =
            std::log1p(counts[static_cast<size_t>(i)]);
      }
    }
  }
  graph.node_features = table;
}

}  // namespace floydnet::brec
