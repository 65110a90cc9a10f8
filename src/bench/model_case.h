// The cases of the block and of the training step: their sizes, costs and sides.
#pragma once

#include <string>
#include <vector>

#include "bench/work.h"
#include "floydnet/model.h"

namespace floydnet::bench {

struct BlockCase {
  int64_t dim = 384, heads = 6, nodes = 64, batch = 1;

  std::string name() const;  // such as "d_r384 H6 N64 B1"
  ModelConfig config() const;
  /// Linear maps and Pivotal Attention.
  double flops(Direction direction) const;
  /// Estimate of what forward and backward hold at once.
  double state_bytes() const;
};

std::vector<BlockCase> default_block_cases();

/// FloydBlock (kFused) or the plain block (kEinsum), with the same weights; gradients of the input
/// and of all parameters.
Work block_work(const BlockCase& of, Side side, Direction direction,
                at::ScalarType type = at::kFloat);

struct TrainCase {
  BlockCase block = {64, 4, 16, 32};
  int64_t depth = 4;

  std::string name() const;
  /// Of the blocks, forward and backward; Init and readout are small.
  double flops() const;
};

/// A whole step: forward, squared error of one output a graph, backward, AdamW. Returns the loss.
/// kFused is FloydNet, kEinsum the plain one with the same weights.
Work train_work(const TrainCase& of, Side side);

}  // namespace floydnet::bench
