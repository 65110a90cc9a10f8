// A tour to start from.
#pragma once

#include <vector>

#include "tasks/tsp/solver/neighbours.h"

namespace floydnet::tsp {

struct Edge {
  int u;
  int v;
};

/// Takes the edges in order, each that still fits in a tour; the paths that result are linked end
/// to nearest end.
Tour tour_of_edges(const Instance& instance, const std::vector<Edge>& edges);

/// Shortest edges between neighbours first.
Tour greedy_tour(const Instance& instance, const Neighbours& neighbours);

}  // namespace floydnet::tsp
