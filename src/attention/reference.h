// Pivotal Attention written out plainly, for tests: everything is materialised, autograd does the
// rest.
#pragma once

#include <torch/types.h>

#include <cmath>
#include <optional>
#include <vector>

#include "floydnet/attention.h"

namespace floydnet {

/// x_r: [heads, n, ..., n, ...] over v[r<-p]. Gives [heads, v_0, ..., v_{k-1}, p, ...], where the
/// replaced coordinate has length 1.
inline torch::Tensor by_target_and_pivot(const torch::Tensor& x_r, int role, int order) {
  return x_r.movedim(1 + role, order).unsqueeze(1 + role);
}

/// The formula for one graph of n nodes. `keep` multiplies the weights, [heads, v..., p].
inline torch::Tensor reference_of_graph(const torch::Tensor& q, const torch::Tensor& k,
                                        const torch::Tensor& v, int64_t n,
                                        const AttentionOptions& options,
                                        const std::optional<torch::Tensor>& bias,
                                        const std::optional<torch::Tensor>& keep = std::nullopt) {
  const int order = static_cast<int>(k.size(0));
  const int64_t heads = q.size(0), dim = q.size(2);
  std::vector<int64_t> shape(order + 2, n);
  shape.front() = heads;
  shape.back() = dim;
  const bool product = options.composition == Composition::kMultiplicative;
  const auto composed = [&](const torch::Tensor& roles) {
    torch::Tensor result;
    for (int r = 0; r < order; ++r) {
      const auto term = by_target_and_pivot(roles[r].reshape(shape), r, order);
      result = !result.defined() ? term : product ? result * term : result + term;
    }
    return result;  // [heads, v..., p, d], broadcast where order is 1
  };
  const double scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(dim)));
  auto logits = scale * (q.reshape(shape).unsqueeze(-2) * composed(k)).sum(-1);
  if (options.logit_cap > 0) logits = options.logit_cap * torch::tanh(logits / options.logit_cap);
  if (bias) {
    const std::vector<int64_t> bias_shape(shape.begin(), shape.end() - 1);
    for (int r = 0; r < order; ++r) {
      const auto own = (*bias)[r].expand({heads, q.size(1)}).reshape(bias_shape);
      logits = logits + by_target_and_pivot(own, r, order);
    }
  }
  // A row of -inf alone has no softmax; by convention its weights are zero.
  const auto hopeless = logits.isinf().logical_and(logits < 0).all(-1, true);
  auto weights = torch::softmax(logits.masked_fill(hopeless, 0), -1).masked_fill(hopeless, 0);
  if (keep) weights = weights * *keep;
  return (weights.unsqueeze(-1) * composed(v)).sum(-2).reshape(q.sizes());
}

/// The formula for a packed batch, one graph after the other.
inline torch::Tensor reference_attention(const torch::Tensor& q, const torch::Tensor& k,
                                         const torch::Tensor& v, const TupleLayout& layout,
                                         const AttentionOptions& options = {},
                                         const std::optional<torch::Tensor>& bias = std::nullopt) {
  std::vector<torch::Tensor> graphs;
  for (int64_t g = 0; g < layout.graphs(); ++g) {
    const int64_t begin = layout.offset(g), rows = layout.offset(g + 1) - begin;
    if (rows == 0) continue;
    std::optional<torch::Tensor> own_bias;
    if (bias) own_bias = bias->narrow(2, begin, rows);
    graphs.push_back(reference_of_graph(q.narrow(1, begin, rows), k.narrow(2, begin, rows),
                                        v.narrow(2, begin, rows), layout.size(g), options,
                                        own_bias));
  }
  return graphs.empty() ? torch::empty_like(q) : torch::cat(graphs, 1);
}

}  // namespace floydnet
