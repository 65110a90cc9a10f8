#include "bench/plain_block.h"

#include <fmt/format.h>
#include <torch/nn/functional/activation.h>

#include "bench/formulas.h"

namespace floydnet::bench {
namespace {

using torch::Tensor;

ModelConfig without_blocks(ModelConfig config) {
  config.depth = 0;
  return config;
}

void copy_by_name(const torch::nn::Module& from, torch::nn::Module& to) {
  const torch::NoGradGuard no_grad;
  const auto source = from.named_parameters();
  for (auto& item : to.named_parameters()) item.value().copy_(source[item.key()]);
}

}  // namespace

PlainBlock::PlainBlock(const torch::nn::Module& block, const ModelConfig& config)
    : config_(config) {
  torch::OrderedDict<std::string, Tensor> copies;
  for (const auto& item : block.named_parameters()) {
    copies.insert(item.key(), item.value().detach().clone().requires_grad_(true));
    parameters_.push_back(copies.back().value());
  }
  norm1_weight_ = copies["norm1.weight"];
  norm1_bias_ = copies["norm1.bias"];
  qkv_ = copies["qkv.weight"];
  proj_ = copies["proj.weight"];
  norm2_weight_ = copies["norm2.weight"];
  norm2_bias_ = copies["norm2.bias"];
  up_ = copies["up.weight"];
  down_ = copies["down.weight"];
}

Tensor PlainBlock::attend(const Tensor& states, int64_t batch, int64_t nodes) const {
  const int64_t heads = config_.heads, dim = config_.dim;
  const std::vector<Tensor> qkv = torch::linear(states, qkv_)
                                      .view({batch, nodes, nodes, 5, heads, dim / heads})
                                      .permute({3, 0, 4, 1, 2, 5})
                                      .unbind(0);
  const Tensor out =
      einsum_attention(qkv[0], {qkv[1], qkv[2]}, {qkv[3], qkv[4]}, config_.composition);
  return torch::linear(out.permute({0, 2, 3, 1, 4}).reshape({-1, dim}), proj_);
}

Tensor PlainBlock::forward(const Tensor& states, int64_t batch, int64_t nodes) const {
  const auto norm = [this](const Tensor& x, const Tensor& weight, const Tensor& bias) {
    return torch::layer_norm(x, {config_.dim}, weight, bias, config_.norm_eps);
  };
  const Tensor attended = states + attend(norm(states, norm1_weight_, norm1_bias_), batch, nodes);
  const Tensor hidden = torch::gelu(torch::linear(norm(attended, norm2_weight_, norm2_bias_), up_));
  return attended + torch::linear(hidden, down_);
}

PlainNet::PlainNet(FloydNet& model) : init_(without_blocks(model->config())) {
  copy_by_name(*model, *init_);
  const auto children = model->named_children();
  for (int64_t layer = 0; layer < model->config().depth; ++layer) {
    blocks_.emplace_back(*children[fmt::format("block{}", layer)], model->config());
  }
  const auto own = init_->named_parameters();
  head_weight_ = own["readout.graph.0.weight"];
  head_bias_ = own["readout.graph.0.bias"];
}

Tensor PlainNet::forward(const GraphBatch& batch) {
  const auto graphs = static_cast<int64_t>(batch.sizes.size());
  const int64_t nodes = batch.sizes.at(0);
  Tensor states = init_->states(batch);
  for (const PlainBlock& block : blocks_) states = block.forward(states, graphs, nodes);
  return torch::linear(states.view({graphs, nodes * nodes, -1}).sum(1), head_weight_, head_bias_);
}

std::vector<Tensor> PlainNet::parameters() const {
  std::vector<Tensor> all = init_->parameters();
  for (const PlainBlock& block : blocks_) {
    all.insert(all.end(), block.parameters().begin(), block.parameters().end());
  }
  return all;
}

}  // namespace floydnet::bench
