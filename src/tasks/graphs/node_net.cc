#include "tasks/graphs/node_net.h"

#include <fmt/format.h>
#include <torch/nn/functional/dropout.h>
#include <torch/nn/init.h>

namespace floydnet::graphs {

using torch::Tensor;

MessagesImpl::MessagesImpl(const ModelConfig& config, const std::vector<int64_t>& edge_categories,
                           int64_t edge_reals)
    : config_(config) {
  const int64_t dim = config.dim;
  norm_ = register_module("norm", std::make_shared<NormImpl>(config.norm, dim, config.norm_eps));
  if (!edge_categories.empty() || edge_reals > 0) {
    edge_ =
        register_module("edge", std::make_shared<FeatureMapImpl>(edge_categories, edge_reals, dim));
  }
  self_ = register_module("self", torch::nn::Linear(dim, dim));
  message_ = register_module("message", torch::nn::Linear(dim, dim));
  out_ = register_module("out", torch::nn::Linear(dim, dim));
  if (config.zero_residual) {
    torch::NoGradGuard no_grad;
    torch::nn::init::zeros_(out_->weight);
    torch::nn::init::zeros_(out_->bias);
  }
}

Tensor MessagesImpl::forward(const Tensor& states, const GraphInputs& inputs) {
  const Tensor normed = norm_->forward(states);
  Tensor sent = message_(normed).index_select(0, inputs.from);
  if (edge_) {
    sent = sent +
           edge_->forward(inputs.edge_categories, inputs.edge_reals, inputs.from.size(0), "edge");
  }
  const Tensor received = self_(normed).index_add(0, inputs.to, activate(sent, config_.activation));
  const Tensor out = out_(activate(received, config_.activation));
  return states + torch::dropout(out, config_.dropout, is_training());
}

NodeNetImpl::NodeNetImpl(const ModelConfig& config, const Schema& schema) : config_(config) {
  config_.check("model");
  std::vector<int64_t> edge_categories;
  int64_t edge_reals = 0;
  for (const Feature& feature : schema.features) {
    if (feature.level != Level::kEdge) continue;
    edge_categories.insert(edge_categories.end(), feature.categories.begin(),
                           feature.categories.end());
    if (feature.real) edge_reals += feature.width;
  }
  init_ = register_module("init", std::make_shared<InitImpl>(config));
  for (int64_t i = 0; i < config.depth; ++i) {
    messages_.push_back(
        register_module(fmt::format("messages{}", i),
                        std::make_shared<MessagesImpl>(config, edge_categories, edge_reals)));
    blocks_.push_back(register_module(fmt::format("block{}", i), FloydBlock(config)));
  }
  readout_ = register_module("readout", std::make_shared<ReadoutHeadsImpl>(config));
}

Predictions NodeNetImpl::forward(const GraphInputs& inputs) {
  const TupleIndex index(1, inputs.batch.sizes, config_.supernode);
  Tensor states = init_->forward(inputs.batch, index);
  for (size_t i = 0; i < blocks_.size(); ++i) {
    states = messages_[i]->forward(states, inputs);
    states = blocks_[i]->forward(states, index.layout());
  }
  return readout_->forward(states, index.layout(), inputs.batch);
}

}  // namespace floydnet::graphs
