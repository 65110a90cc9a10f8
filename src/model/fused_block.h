// A FloydBlock as one autograd node on the kernels of kernels/block_kernel.h, for the
// common kind of block.
#pragma once

#include <torch/types.h>

#include <array>

#include "floydnet/model.h"

namespace floydnet {

/// What has parameters in a block, in the order of computation.
enum BlockPart : size_t { kNorm1, kQkv, kProj, kNorm2, kUp, kDown, kBlockParts };

struct PartTensors {
  torch::Tensor weight;
  torch::Tensor bias;  // may be undefined
};
using BlockParameters = std::array<PartTensors, kBlockParts>;

/// Whether fused_block computes such a block: normalised before (by mean and deviation, or by the
/// root mean square), with a feed-forward part, without mixing, query-key norm or scale, and widths
/// that are whole vectors on this machine; heads may be narrower. It knows no dropout.
bool suits_fused_block(const ModelConfig& config);

/// What the composed block computes, but for the order of sums; `scale` is that of the logits.
torch::Tensor fused_block(const ModelConfig& config, const BlockParameters& parameters,
                          const torch::Tensor& states, const TupleLayout& layout,
                          const std::optional<torch::Tensor>& pivot_bias,
                          std::optional<double> scale);

}  // namespace floydnet
