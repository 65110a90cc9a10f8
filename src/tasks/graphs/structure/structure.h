// What the edges of a graph say about its nodes and pairs: distances, random walks, rings. Each
// function writes one array, and computes nothing twice that a graph of 444 nodes would notice.
#pragma once

#include <cstdint>

#include "floydnet/graph.h"

namespace floydnet::graphs {

/// The edges of one graph, such as a part of GraphSet::edges; they must be in range.
struct EdgeList {
  int64_t nodes = 0;
  const Graph::Edge* edges = nullptr;
  int64_t count = 0;
  bool directed = false;  // else an edge stands for both directions
};

/// distances: [n, n], of the shortest path from row to column. More than `cap` steps, or no path at
/// all, count as cap + 1.
void shortest_distances(const EdgeList& graph, int64_t cap, float* distances);

/// probabilities: [n, n, steps]: entry (i, j, s) is the probability that a walk from i, which takes
/// each edge as likely, is at j after s steps: (D^-1 A)^s, with the identity at s = 0. A walk ends
/// at a node without edges that lead on.
void walk_probabilities(const EdgeList& graph, int64_t steps, float* probabilities);

/// edge_rings: [count], node_rings: [n]: nodes on the smallest ring through each; 0 if there is
/// none of up to `largest` nodes. Directions do not matter, and a loop is no ring. Either may be
/// null.
void smallest_rings(const EdgeList& graph, int64_t largest, float* edge_rings, float* node_rings);

}  // namespace floydnet::graphs
