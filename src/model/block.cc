#include <torch/nn/init.h>

#include "floydnet/model.h"
#include "model/fused_block.h"
#include "model/mlp.h"
#include "model/norm.h"

namespace floydnet {
namespace {

using torch::Tensor;

torch::nn::Linear make_linear(int64_t in, int64_t out, bool bias) {
  return torch::nn::Linear(torch::nn::LinearOptions(in, out).bias(bias));
}

void start_linear(torch::nn::Linear& linear, bool zero) {
  torch::NoGradGuard no_grad;
  if (zero) {
    torch::nn::init::zeros_(linear->weight);
  } else {
    torch::nn::init::xavier_uniform_(linear->weight);
  }
  if (linear->bias.defined()) torch::nn::init::zeros_(linear->bias);
}

uint64_t next_seed() {
  return static_cast<uint64_t>(
      torch::randint(std::numeric_limits<int64_t>::max(), {1}, torch::kInt64).item<int64_t>());
}

}  // namespace

FloydBlockImpl::FloydBlockImpl(const ModelConfig& config) : config_(config) {
  config_.check("FloydBlock");
  const ModelConfig& c = config_;
  const int64_t projections = 1 + 2 * c.order;  // q, k of each role, v of each role
  const auto norm = [&c](int64_t dim) {
    return std::make_shared<NormImpl>(c.norm, dim, c.norm_eps);
  };
  norm1_ = register_module("norm1", norm(c.dim));
  if (c.symmetric_mix) mix_ = register_module("mix", make_linear(c.dim, c.dim, c.linear_bias));
  qkv_ = register_module("qkv", make_linear(c.dim, projections * c.dim, c.linear_bias));
  proj_ = register_module("proj", make_linear(c.dim, c.dim, c.linear_bias));
  if (c.qk_norm) {
    const int64_t head_dim = c.dim / c.heads;
    q_norm_ =
        register_module("q_norm", std::make_shared<NormImpl>(NormKind::kRms, head_dim, c.norm_eps));
    k_norm_ =
        register_module("k_norm", std::make_shared<NormImpl>(NormKind::kRms, head_dim, c.norm_eps));
  }
  if (c.symmetric_mix) start_linear(mix_, true);
  start_linear(qkv_, false);
  start_linear(proj_, c.zero_residual);
  if (!c.ffn) return;
  norm2_ = register_module("norm2", norm(c.dim));
  up_ = register_module("up", make_linear(c.dim, c.ffn_ratio * c.dim, c.linear_bias));
  down_ = register_module("down", make_linear(c.ffn_ratio * c.dim, c.dim, c.linear_bias));
  start_linear(up_, false);
  start_linear(down_, c.zero_residual);
  if (c.ffn_scale) ffn_scale_ = register_parameter("ffn_scale", torch::ones({}));
}

Tensor FloydBlockImpl::mixed(const Tensor& states, const TupleLayout& layout) {
  if (!config_.symmetric_mix) return states;
  std::vector<Tensor> transposed;
  for (int64_t graph = 0; graph < layout.graphs(); ++graph) {
    const int64_t n = layout.size(graph);
    transposed.push_back(states.narrow(0, layout.offset(graph), n * n)
                             .reshape({n, n, config_.dim})
                             .transpose(0, 1)
                             .reshape({n * n, config_.dim}));
  }
  return states + mix_(torch::cat(transposed));
}

FloydBlockImpl::Projected FloydBlockImpl::project(const Tensor& states) {
  const int64_t order = config_.order, heads = config_.heads;
  const int64_t head_dim = config_.dim / heads;
  // [rows, (role, head, d)] -> [role, head, rows, d]
  const Tensor qkv = qkv_(states).view({-1, 1 + 2 * order, heads, head_dim}).permute({1, 2, 0, 3});
  const auto roles = qkv.split_with_sizes({1, order, order}, 0);
  Tensor q = roles[0].squeeze(0), k = roles[1];
  if (config_.qk_norm) {
    q = q_norm_->forward(q);
    k = k_norm_->forward(k);
  }
  return {q, k, roles[2]};
}

AttentionOptions FloydBlockImpl::attention_options(std::optional<double> scale) const {
  AttentionOptions options;
  options.scale = scale ? scale : config_.scale;
  options.composition = config_.composition;
  options.logit_cap = config_.logit_cap;
  return options;
}

Tensor FloydBlockImpl::attend(const Tensor& states, const TupleLayout& layout,
                              const std::optional<Tensor>& pivot_bias,
                              std::optional<double> scale) {
  const Projected projected = project(states);
  AttentionOptions options = attention_options(scale);
  if (is_training() && config_.attention_dropout > 0) {
    options.dropout = config_.attention_dropout;
    options.seed = next_seed();
  }
  const Tensor heads_out =
      pivotal_attention(projected.q, projected.k, projected.v, layout, options, pivot_bias);
  const Tensor out = proj_(heads_out.permute({1, 0, 2}).reshape({-1, config_.dim}));
  return torch::dropout(out, config_.dropout, is_training());
}

Tensor FloydBlockImpl::attention_weights(const Tensor& states, const TupleLayout& layout,
                                         const std::vector<int64_t>& targets,
                                         const std::optional<Tensor>& pivot_bias,
                                         std::optional<double> scale) {
  torch::NoGradGuard no_grad;
  const bool pre = config_.norm_position == NormPosition::kPre;
  const Tensor input = mixed(states, layout);
  const Projected projected = project(pre ? norm1_->forward(input) : input);
  return floydnet::attention_weights(projected.q, projected.k, layout, targets,
                                     attention_options(scale), pivot_bias);
}

Tensor FloydBlockImpl::feed_forward(const Tensor& states) {
  const Tensor out = down_(activate(up_(states), config_.activation));
  return torch::dropout(out, config_.dropout, is_training());
}

Tensor FloydBlockImpl::forward(const Tensor& states, const TupleLayout& layout,
                               const std::optional<Tensor>& pivot_bias,
                               std::optional<double> scale) {
  const bool drops = is_training() && (config_.dropout > 0 || config_.attention_dropout > 0);
  if (drops || !suits_fused_block(config_)) return composed(states, layout, pivot_bias, scale);
  BlockParameters parameters;
  parameters[kNorm1] = {norm1_->weight(), norm1_->bias()};
  parameters[kQkv] = {qkv_->weight, qkv_->bias};
  parameters[kProj] = {proj_->weight, proj_->bias};
  parameters[kNorm2] = {norm2_->weight(), norm2_->bias()};
  parameters[kUp] = {up_->weight, up_->bias};
  parameters[kDown] = {down_->weight, down_->bias};
  return fused_block(config_, parameters, states, layout, pivot_bias,
                     scale ? scale : config_.scale);
}

Tensor FloydBlockImpl::composed(const Tensor& states, const TupleLayout& layout,
                                const std::optional<Tensor>& pivot_bias,
                                std::optional<double> scale) {
  const bool pre = config_.norm_position == NormPosition::kPre;
  const auto scaled = [this](const Tensor& x) { return ffn_scale_.defined() ? x * ffn_scale_ : x; };
  const Tensor input = mixed(states, layout);
  if (pre) {
    const Tensor attended = states + attend(norm1_->forward(input), layout, pivot_bias, scale);
    if (!config_.ffn) return attended;
    return attended + scaled(feed_forward(norm2_->forward(attended)));
  }
  const Tensor attended = norm1_->forward(states + attend(input, layout, pivot_bias, scale));
  if (!config_.ffn) return attended;
  // Here the published block scales the normalised sum, not the branch.
  return scaled(norm2_->forward(attended + feed_forward(attended)));
}

}  // namespace floydnet
