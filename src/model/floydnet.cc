#include <fmt/format.h>

#include "floydnet/model.h"
#include "model/init.h"
#include "model/readout.h"
#include "model/recompute.h"

namespace floydnet {

using torch::Tensor;

FloydNetImpl::FloydNetImpl(const ModelConfig& config) : config_(config) {
  config_.check("FloydNet");
  init_ = register_module("init", std::make_shared<InitImpl>(config_));
  for (int64_t layer = 0; layer < config_.depth; ++layer) {
    blocks_.emplace_back(register_module(fmt::format("block{}", layer), FloydBlock(config_)));
  }
  readout_ = register_module("readout", std::make_shared<ReadoutHeadsImpl>(config_));
}

TupleLayout FloydNetImpl::layout(const std::vector<int64_t>& sizes) const {
  return TupleIndex(static_cast<int>(config_.order), sizes, config_.supernode).layout();
}

Tensor FloydNetImpl::states(const GraphBatch& batch, const std::optional<Tensor>& pivot_bias) {
  const TupleIndex index(static_cast<int>(config_.order), batch.sizes, config_.supernode);
  Tensor states = init_->forward(batch, index);
  for (FloydBlock& block : blocks_) {
    const auto refine = [module = block.ptr(), layout = index.layout(), pivot_bias](
                            const Tensor& x) { return module->forward(x, layout, pivot_bias); };
    const bool recompute = config_.recompute && torch::GradMode::is_enabled();
    if (!recompute) {
      states = refine(states);
      continue;
    }
    std::vector<Tensor> tensors = block->parameters();
    if (pivot_bias) tensors.push_back(*pivot_bias);
    states = recomputed(refine, states, tensors);
  }
  return states;
}

Predictions FloydNetImpl::forward(const GraphBatch& batch,
                                  const std::optional<Tensor>& pivot_bias) {
  return readout_->forward(states(batch, pivot_bias), layout(batch.sizes), batch);
}

}  // namespace floydnet
