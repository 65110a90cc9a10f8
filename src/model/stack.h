// FloydBlocks one after another: what every FloydNet is made of.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "floydnet/model.h"

namespace floydnet {

class FloydStack {
 public:
  FloydStack() = default;
  /// config.depth blocks become modules of `parent`, called block0, block1, ...; with shared
  /// weights they are one, block0.
  FloydStack(torch::nn::Module& parent, const ModelConfig& config, bool share_weights = false);

  struct Call {
    std::optional<torch::Tensor> pivot_bias;
    /// Of the attention logits, instead of the configuration's.
    std::optional<double> scale;
    /// Whether activations are recomputed in backward, instead of what the configuration says.
    std::optional<bool> recompute;
    /// Is given each block and the states that it is about to refine.
    std::function<void(FloydBlockImpl& block, const torch::Tensor& states)> before_block;
    /// Is given the states after each block.
    std::function<void(const torch::Tensor& states)> after_block;
  };
  torch::Tensor forward(torch::Tensor states, const TupleLayout& layout,
                        const Call& call = {}) const;

 private:
  ModelConfig config_;
  std::vector<FloydBlock> blocks_;
};

}  // namespace floydnet
