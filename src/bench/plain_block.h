// A FloydBlock and a FloydNet from libtorch's operators alone, with the weights of ours: what they
// are compared with. For k = 2, graphs of one size, and the default configuration of the block.
#pragma once

#include <torch/nn/module.h>

#include <string>
#include <vector>

#include "floydnet/model.h"

namespace floydnet::bench {

class PlainBlock {
 public:
  /// Copies the parameters of a FloydBlock.
  PlainBlock(const torch::nn::Module& block, const ModelConfig& config);

  /// states: [batch * nodes^2, dim].
  torch::Tensor forward(const torch::Tensor& states, int64_t batch, int64_t nodes) const;
  /// In the order of the FloydBlock's.
  const std::vector<torch::Tensor>& parameters() const { return parameters_; }

 private:
  torch::Tensor attend(const torch::Tensor& states, int64_t batch, int64_t nodes) const;

  ModelConfig config_;
  std::vector<torch::Tensor> parameters_;
  torch::Tensor norm1_weight_, norm1_bias_, qkv_, proj_;
  torch::Tensor norm2_weight_, norm2_bias_, up_, down_;
};

/// Init is FloydNet's own; blocks and readout are plain.
class PlainNet {
 public:
  explicit PlainNet(FloydNet& model);

  /// Graph outputs, [graphs, outputs], as FloydNet's with the readout kSum.
  torch::Tensor forward(const GraphBatch& batch);
  std::vector<torch::Tensor> parameters() const;

 private:
  FloydNet init_;
  std::vector<PlainBlock> blocks_;
  torch::Tensor head_weight_, head_bias_;
};

}  // namespace floydnet::bench
