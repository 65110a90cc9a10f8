// States of single nodes: self-attention within a graph, and messages along its edges.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include <memory>
#include <vector>

#include "floydnet/model.h"
#include "model/init.h"
#include "model/norm.h"
#include "model/readout.h"
#include "tasks/graphs/inputs.h"

namespace floydnet::graphs {

/// h_i + W act(S n_i + sum_{j -> i} act(M n_j + e_ji)), where n is h normalised and e_ji the
/// edge's features, embedded.
class MessagesImpl : public torch::nn::Module {
 public:
  MessagesImpl(const ModelConfig& config, const std::vector<int64_t>& edge_categories,
               int64_t edge_reals);

  torch::Tensor forward(const torch::Tensor& states, const GraphInputs& inputs);

 private:
  ModelConfig config_;
  std::shared_ptr<NormImpl> norm_;
  std::shared_ptr<FeatureMapImpl> edge_;  // null where edges have no features
  torch::nn::Linear self_{nullptr}, message_{nullptr}, out_{nullptr};
};

/// Init, then messages and a FloydBlock of order 1 in turn, then readouts.
class NodeNetImpl : public torch::nn::Module {
 public:
  NodeNetImpl(const ModelConfig& config, const Schema& schema);

  Predictions forward(const GraphInputs& inputs);

 private:
  ModelConfig config_;
  std::shared_ptr<InitImpl> init_;
  std::vector<std::shared_ptr<MessagesImpl>> messages_;
  std::vector<FloydBlock> blocks_;
  std::shared_ptr<ReadoutHeadsImpl> readout_;
};

}  // namespace floydnet::graphs
