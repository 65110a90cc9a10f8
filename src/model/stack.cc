#include "model/stack.h"

#include <fmt/format.h>

#include "model/recompute.h"

namespace floydnet {

using torch::Tensor;

FloydStack::FloydStack(torch::nn::Module& parent, const ModelConfig& config, bool share_weights)
    : config_(config) {
  for (int64_t layer = 0; layer < config.depth; ++layer) {
    const bool repeated = share_weights && layer > 0;
    blocks_.push_back(
        repeated ? blocks_[0]
                 : parent.register_module(fmt::format("block{}", layer), FloydBlock(config)));
  }
}

Tensor FloydStack::forward(Tensor states, const TupleLayout& layout, const Call& call) const {
  const bool recompute =
      call.recompute.value_or(config_.recompute) && torch::GradMode::is_enabled();
  for (const FloydBlock& block : blocks_) {
    const auto refine = [module = block.ptr(), layout, pivot_bias = call.pivot_bias,
                         scale = call.scale](const Tensor& x) {
      return module->forward(x, layout, pivot_bias, scale);
    };
    if (call.before_block) call.before_block(*block.ptr(), states);
    if (recompute) {
      std::vector<Tensor> tensors = block->parameters();
      if (call.pivot_bias) tensors.push_back(*call.pivot_bias);
      states = recomputed(refine, states, tensors);
    } else {
      states = refine(states);
    }
    if (call.after_block) call.after_block(states);
  }
  return states;
}

}  // namespace floydnet
