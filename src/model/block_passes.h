// The passes of a fused block: which kernels run on which rows and graphs, in what order. No
// autograd.
#pragma once

#include <torch/types.h>

#include <vector>

#include "attention/packed_run.h"
#include "model/fused_block.h"

namespace floydnet {

// The tensors of a block: states, pivot bias, then weight and bias of each part. Those that there
// are none of are undefined.
using BlockTensors = std::vector<torch::Tensor>;
constexpr size_t kStates = 0, kPivotBias = 1, kBlockTensors = 2 + 2 * kBlockParts;

constexpr size_t weight_of(BlockPart part) { return 2 + 2 * size_t{part}; }
constexpr size_t bias_of(BlockPart part) { return weight_of(part) + 1; }

/// Everything that is not a tensor.
struct BlockSettings {
  ModelConfig config;
  PackedCall attention;
  bool is_by_head = true;  // what the attention kernel reads and writes, as in kernels::BlockArrays
  bool rounds = false;     // operands of linear maps to bfloat16
};

/// Everything that forward computes and backward uses.
struct BlockStates {
  torch::Tensor stats1, qkv, middle, stats2, before_activation;
  PackedOutputs attention;
};

torch::Tensor forward_block(const BlockSettings& settings, const BlockTensors& in,
                            BlockStates* states);

/// Sets the gradients that are defined, of the shapes of `in`, given that of the result.
void backward_block(const BlockSettings& settings, const BlockTensors& in,
                    const BlockStates& states, const torch::Tensor& dy, BlockTensors* grads);

}  // namespace floydnet
