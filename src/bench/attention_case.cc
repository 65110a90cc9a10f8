#include "bench/attention_case.h"

#include <fmt/format.h>
#include <torch/types.h>

#include <cmath>
#include <limits>

#include "bench/formulas.h"

namespace floydnet::bench {
namespace {

using at::Tensor;

/// A view as a leaf of its own, as parameters of a function would be.
Tensor leaf(const Tensor& tensor) { return tensor.detach().requires_grad_(true); }

std::vector<Tensor> role_leaves(const Tensor& roles, const std::vector<int64_t>& shape) {
  std::vector<Tensor> leaves;
  for (const Tensor& role : roles.unbind(0)) leaves.push_back(leaf(role.view(shape)));
  return leaves;
}

Work fused_work(const AttentionInputs& in, Direction direction) {
  const Tensor q = leaf(in.q), k = leaf(in.k), v = leaf(in.v);
  AttentionOptions options;
  options.composition = in.attention_case.composition;
  const auto forward = [q, k, v, options, layout = in.attention_case.layout()] {
    return pivotal_attention(q, k, v, layout, options);
  };
  return make_work(direction, forward, {q, k, v}, in.dout);
}

Work formula_work(const AttentionInputs& in, Side side, Direction direction) {
  const AttentionCase& c = in.attention_case;
  std::vector<int64_t> shape = {c.heads, c.batch};
  shape.insert(shape.end(), c.order, c.nodes);
  shape.push_back(c.dim);
  const Tensor q = leaf(in.q.view(shape));
  const std::vector<Tensor> keys = role_leaves(in.k, shape), values = role_leaves(in.v, shape);
  std::vector<Tensor> leaves = {q};
  leaves.insert(leaves.end(), keys.begin(), keys.end());
  leaves.insert(leaves.end(), values.begin(), values.end());
  const auto formula = side == Side::kEinsum ? einsum_attention : naive_attention;
  const auto forward = [q, keys, values, formula, composition = c.composition] {
    return formula(q, keys, values, composition);
  };
  return make_work(direction, forward, leaves, in.dout.view(shape));
}

}  // namespace

std::string AttentionCase::name() const {
  std::string text;
  if (order != 2) text += fmt::format("k{} ", order);
  if (batch != 1) text += fmt::format("B{} ", batch);
  text += fmt::format("H{} d{} N", heads, dim);
  if (least_nodes != 0) text += fmt::format("{}..", least_nodes);
  text += std::to_string(nodes);
  if (composition == Composition::kMultiplicative) text += " mult";
  return text;
}

TupleLayout AttentionCase::layout() const {
  std::vector<int64_t> sizes(batch, nodes);
  if (least_nodes != 0) {
    for (int64_t b = 0; b < batch; ++b) {
      sizes[b] = least_nodes + b * (nodes - least_nodes + 1) / batch;
    }
  }
  return {static_cast<int>(order), sizes};
}

double AttentionCase::flops(Direction direction) const {
  const double terms = direction == Direction::kForward ? 4 : 14;
  const TupleLayout all = layout();
  double scores = 0;
  for (const int64_t n : all.sizes()) {
    scores += std::pow(static_cast<double>(n), static_cast<double>(order + 1));
  }
  return terms * static_cast<double>(order * dim * heads) * scores;
}

double AttentionCase::extra_bytes(Side side, Direction direction) const {
  if (side == Side::kFused) return 0;
  if (least_nodes != 0)
    return std::numeric_limits<double>::infinity();  // they take equal sizes only
  const auto k = static_cast<double>(order);
  const double state = state_bytes() / (4 * k + 4);
  const double scores = state / static_cast<double>(dim) * static_cast<double>(nodes);
  const double composed = scores * static_cast<double>(dim);
  const bool forward = direction == Direction::kForward;
  // As measured: libtorch 1.13 copies what is not laid out for a matrix product.
  if (side == Side::kEinsum && composition == Composition::kAdditive) {
    return forward ? (k + 1) * scores + k * state : (k + 2) * scores + 2 * k * state;
  }
  const double kept = composition == Composition::kAdditive ? 3 : 2 * k;
  return (forward ? 2 : kept) * composed + 2 * scores;
}

double AttentionCase::state_bytes() const {
  const double state = 4 * static_cast<double>(batch * heads * dim) *
                       std::pow(static_cast<double>(nodes), static_cast<double>(order));
  return state * static_cast<double>(2 * (2 * order + 1) + 2);
}

std::vector<AttentionCase> default_attention_cases() {
  return {
      {2, 1, 6, 64, 64},
      {2, 1, 6, 64, 128},
      {2, 1, 6, 64, 256},
      {2, 4, 4, 16, 64},
      {2, 32, 4, 16, 16},
      {2, 32, 4, 16, 24},
      {2, 32, 4, 16, 40},
      {2, 32, 2, 16, 17},
      {2, 32, 4, 8, 17},
      {2, 32, 4, 8, 17, Composition::kAdditive, 4},
      {3, 1, 4, 16, 32},
      {4, 1, 4, 16, 16},
      {2, 1, 6, 64, 64, Composition::kMultiplicative},
  };
}

AttentionInputs::AttentionInputs(const AttentionCase& of, at::ScalarType type)
    : attention_case(of) {
  const int64_t rows = of.layout().rows();
  q = filled({of.heads, rows, of.dim}, 1, type);
  k = filled({of.order, of.heads, rows, of.dim}, 2, type);
  v = filled({of.order, of.heads, rows, of.dim}, 3, type);
  dout = filled({of.heads, rows, of.dim}, 4, type);
}

Work attention_work(const AttentionInputs& inputs, Side side, Direction direction) {
  return side == Side::kFused ? fused_work(inputs, direction)
                              : formula_work(inputs, side, direction);
}

}  // namespace floydnet::bench
