// A frozen k-FloydNet evaluated on one representative of each orbit of tuples.
//
// The states of tuples in one orbit of the automorphism group are equal, so a block computes one
// state for each orbit, with all N pivots looked up through the map from tuples to orbits. Means
// over tuples weigh each orbit by its size. Up to rounding the result is that of the dense form.
#pragma once

#include <cstdint>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::brec {

/// Weights of Init (one linear layer) and of blocks R' = Norm(R + PA(R)), row-major [out, in].
struct FrozenWeights {
  struct PairTable {
    int a, b;                   // coordinates
    std::vector<double> table;  // [2, dim]: without and with an edge from a to b
  };
  struct Block {
    std::vector<double> qkv;   // [(1 + 2 order) dim, dim]
    std::vector<double> proj;  // [dim, dim]
  };

  int order = 2;
  int64_t dim = 1, heads = 1;
  double scale = 1;
  double norm_eps = 0;
  bool residual = true;
  std::vector<double> bias;      // [dim]
  std::vector<double> equality;  // [order (order - 1) / 2, dim]
  std::vector<PairTable> pairs;
  std::vector<std::vector<double>> nodes;  // by coordinate, [dim, reals]; none without features
  std::vector<Block> blocks;
};

/// The means over all tuples of the states before each Norm, [blocks * dim].
std::vector<double> compressed_means(const FrozenWeights& weights, const Graph& graph, int threads,
                                     int64_t max_bytes);

/// Orbits of k-tuples: compressed evaluation does count * N lookups a block. Infinite if more than
/// max_bytes would be needed to find out.
double orbit_count(const Graph& graph, int order, int64_t max_bytes);

}  // namespace floydnet::brec
