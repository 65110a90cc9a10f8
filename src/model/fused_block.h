// A FloydBlock as one autograd node on the kernels of kernels/block_kernel.h, for the
// common kind of block.
#pragma once

#include <torch/types.h>

#include "floydnet/model.h"

namespace floydnet {

/// The parameters of a block; biases may be undefined.
struct BlockParameters {
  torch::Tensor norm1_weight, norm1_bias;
  torch::Tensor qkv_weight, qkv_bias;
  torch::Tensor proj_weight, proj_bias;
  torch::Tensor norm2_weight, norm2_bias;
  torch::Tensor up_weight, up_bias;
  torch::Tensor down_weight, down_bias;
};

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
