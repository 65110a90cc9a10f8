// FloydNet for graphs with features of any level: states of nodes, pairs or triples.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <vector>

#include "floydnet/model.h"
#include "tasks/graphs/inputs.h"

namespace floydnet::graphs {

class NodeNetImpl;

/// For order 2 and more a FloydNet. States of order 1 know nothing of edges, so there a layer of
/// messages along edges stands before each block (node_net.h).
class GraphModelImpl : public torch::nn::Module {
 public:
  /// `config` is what InputBuilder::configure made of it.
  GraphModelImpl(const ModelConfig& config, const Schema& schema);

  /// For each target of the schema [rows of its level, outputs]: standardised numbers, or logits.
  std::vector<torch::Tensor> forward(const GraphInputs& inputs);

 private:
  torch::Tensor of_edges(const torch::Tensor& pairs, const GraphInputs& inputs) const;

  Schema schema_;
  FloydNet net_{nullptr};
  std::shared_ptr<NodeNetImpl> node_net_;
};
TORCH_MODULE(GraphModel);

}  // namespace floydnet::graphs
