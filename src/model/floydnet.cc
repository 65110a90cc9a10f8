#include "base/part_times.h"
#include "floydnet/model.h"
#include "model/init.h"
#include "model/readout.h"
#include "model/recompute.h"
#include "model/stack.h"

namespace floydnet {

using torch::Tensor;

FloydNetImpl::FloydNetImpl(const ModelConfig& config) : config_(config) {
  config_.check("FloydNet");
  init_ = register_module("init", std::make_shared<InitImpl>(config_));
  stack_ = std::make_shared<FloydStack>(*this, config_);
  readout_ = register_module("readout", std::make_shared<ReadoutHeadsImpl>(config_));
}

TupleLayout FloydNetImpl::layout(const std::vector<int64_t>& sizes) const {
  return TupleIndex(static_cast<int>(config_.order), sizes, config_.supernode).layout();
}

Tensor FloydNetImpl::states(const GraphBatch& batch, const std::optional<Tensor>& pivot_bias) {
  const TupleIndex index(static_cast<int>(config_.order), batch.sizes, config_.supernode);
  FloydStack::Call call;
  call.pivot_bias = pivot_bias;
  if (batch.recompute) call.recompute = true;
  const auto initial = [init = init_, batch, index](const Tensor&) {
    const TimedPart part("features and Init, forward");
    return init->forward(batch, index);
  };
  // Init's arrays are as large as a block's, so they are recomputed with the blocks'.
  const bool recompute =
      call.recompute.value_or(config_.recompute) && torch::GradMode::is_enabled();
  const Tensor none = torch::empty({0});
  return stack_->forward(recompute ? recomputed(initial, none, init_->parameters()) : initial(none),
                         index.layout(), call);
}

Predictions FloydNetImpl::forward(const GraphBatch& batch,
                                  const std::optional<Tensor>& pivot_bias) {
  const Tensor final_states = states(batch, pivot_bias);
  const TimedPart part("readout, forward");
  return readout_->forward(final_states, layout(batch.sizes), batch);
}

}  // namespace floydnet
