// Readouts: from tuple states to one vector for each graph, node and pair, and on to predictions.
#pragma once

#include <torch/nn/module.h>

#include <memory>

#include "floydnet/model.h"
#include "model/mlp.h"

namespace floydnet {

class ReadoutHeadsImpl : public torch::nn::Module {
 public:
  explicit ReadoutHeadsImpl(const ModelConfig& config);

  /// states: [rows, dim] in `layout`, whose sizes count the SuperNode.
  Predictions forward(const torch::Tensor& states, const TupleLayout& layout,
                      const GraphBatch& batch);

 private:
  torch::Tensor graph_state(const torch::Tensor& states, int64_t n) const;
  torch::Tensor node_states(const torch::Tensor& states, int64_t n) const;
  torch::Tensor pair_states(const torch::Tensor& states, int64_t n) const;
  torch::Tensor pooled(const torch::Tensor& states, std::vector<int64_t> kept) const;
  torch::Tensor diagonal(const torch::Tensor& states, int64_t n) const;
  torch::Tensor scaled(const torch::Tensor& sums, size_t coordinates) const;

  ModelConfig config_;
  std::shared_ptr<MlpImpl> graph_, node_, pair_;
};

}  // namespace floydnet
