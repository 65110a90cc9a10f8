// The weights of a k-FloydNet with one linear layer as Init and blocks R' = Norm(R + PA(R)).
#pragma once

#include <cstdint>
#include <vector>

namespace floydnet::brec {

/// Matrices are row-major, [out, in].
struct FrozenWeights {
  struct PairTable {
    int a, b;                   // coordinates
    std::vector<double> table;  // [2, dim]: without and with an edge from a to b
  };
  struct Block {
    std::vector<double> qkv;   // [(1 + 2 order) dim, dim]: q, keys of each role, values of each
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

}  // namespace floydnet::brec
