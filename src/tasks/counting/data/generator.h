// Random graphs of the benchmark's kind, for training sets as large as one likes.
#pragma once

#include <cstdint>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::counting {

/// A random regular graph of which as many edges as it has nodes are then taken away.
struct GraphShape {
  int64_t nodes;
  int64_t degree;
};
/// Those of the benchmark, each as likely as the others: (10, 6), (15, 6), (20, 5), (30, 5).
const std::vector<GraphShape>& benchmark_shapes();

/// Graph `index` of the sequence that belongs to a seed: the same on every machine, and whichever
/// others are made.
Graph random_graph(uint64_t seed, uint64_t index);
/// The first `count` graphs of the sequence.
std::vector<Graph> random_graphs(int64_t count, uint64_t seed);

}  // namespace floydnet::counting
