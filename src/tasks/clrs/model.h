// FloydNet as the processor of a CLRS algorithm.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <vector>

#include "model/mlp.h"
#include "model/norm.h"
#include "model/stack.h"
#include "tasks/clrs/config.h"
#include "tasks/clrs/decode.h"
#include "tasks/clrs/features.h"
#include "tasks/clrs/rollout.h"

namespace floydnet::clrs {

struct ClrsPredictions {
  std::vector<torch::Tensor> outputs;
  /// Of each step, each hint; empty without hints.
  std::vector<std::vector<torch::Tensor>> hints;
};

/// Pair states R of all nodes are made of a batch's inputs, refined and decoded:
///
///   step 1        R = Blocks(Init(inputs))
///   further steps R = Blocks(Init(inputs) + W Norm(R))
///
/// With hints there is one step for each of the algorithm's. Init sees the hints' first snapshot at
/// the first step, and then what the model itself predicted (or, in training, a part of the samples
/// the true ones: teacher forcing). A sample's outputs are those after its own last step.
///
/// Transitions carry no states: R = Blocks(Init(inputs, hints)), decoded, is what the next step
/// makes of these hints. All that a step knows of those before it is in the hints.
class ClrsModelImpl : public torch::nn::Module {
 public:
  ClrsModelImpl(const Spec& spec, const ClrsModelConfig& config);

  /// With transitions, a rollout of all steps.
  ClrsPredictions forward(const BatchTensors& batch);
  /// One step, for models of transitions. Inputs and hints are as PairFeatures wants them.
  StepPrediction transition(const Tensors& inputs, const Tensors& hints, int64_t samples,
                            int64_t nodes);
  /// The losses of each output, and of each hint if they are predicted, added up over the batch;
  /// loss_weights() tells what to divide them by.
  std::vector<torch::Tensor> loss_sums(const BatchTensors& batch);
  /// The outputs as decoded after each block of the last step, the last being forward's.
  std::vector<std::vector<torch::Tensor>> outputs_by_block(const BatchTensors& batch);

  /// The attention weights of chosen pairs in each block of the last step, of transitions of the
  /// first: [heads, pairs, pivots]. `pairs` are rows of the packed states.
  std::vector<torch::Tensor> attention_by_block(const BatchTensors& batch,
                                                const std::vector<int64_t>& pairs);

  const ClrsModelConfig& config() const { return config_; }
  const Spec& spec() const { return spec_; }

 private:
  /// Is told of the blocks of the last step.
  struct Observer {
    std::function<void(FloydBlockImpl& block, const torch::Tensor& rows, const TupleLayout& layout,
                       double scale)>
        before_block = {};
    std::function<void(const torch::Tensor& states, int64_t nodes)> after_block = {};
  };

  ClrsPredictions run(const BatchTensors& batch, const Observer& observer);
  int64_t steps_for(const BatchTensors& batch) const;
  /// What a step does not touch stays as it is.
  void keep_fed(const Tensors& fed, Tensors& predicted) const;
  Tensors next_hints(const BatchTensors& batch, int64_t step, const Tensors& predicted) const;
  ClrsPredictions trained_predictions(const BatchTensors& batch);
  torch::Tensor initial(const Tensors& inputs, const Tensors& hints, int64_t samples,
                        int64_t nodes);
  torch::Tensor refine(torch::Tensor states, int64_t samples, int64_t nodes,
                       const Observer& observer);

  Spec spec_;
  ClrsModelConfig config_;
  std::vector<Probe> outputs_, hints_;
  PairFeatures features_;
  std::shared_ptr<MlpImpl> init_;
  std::shared_ptr<NormImpl> carry_norm_, norm_;
  torch::nn::Linear carry_{nullptr};
  FloydStack stack_;
  Decoder output_decoder_{nullptr}, hint_decoder_{nullptr};
  torch::Tensor keep_;  // [hints]
};
TORCH_MODULE(ClrsModel);

}  // namespace floydnet::clrs
