// The dense operator: agreement with the packed one, unequal lengths, masks.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "attention/test_cases.h"

namespace floydnet {
namespace {

using torch::Tensor;

struct DenseCase {
  Tensor q;
  std::vector<Tensor> keys, values;
};

/// lengths of the target coordinates; [B, heads, ..., d].
DenseCase random_case(int64_t batch, int64_t heads, const std::vector<int64_t>& lengths,
                      int64_t pivots, int64_t dim) {
  const auto options = torch::TensorOptions(torch::kFloat64).requires_grad(true);
  std::vector<int64_t> shape = {batch, heads};
  shape.insert(shape.end(), lengths.begin(), lengths.end());
  shape.push_back(dim);
  DenseCase c;
  c.q = torch::randn(shape, options);
  for (size_t r = 0; r < lengths.size(); ++r) {
    std::vector<int64_t> role_shape = shape;
    role_shape[2 + r] = pivots;
    c.keys.push_back(torch::randn(role_shape, options));
    c.values.push_back(torch::randn(role_shape, options));
  }
  return c;
}

Tensor einsum_formula(const DenseCase& c, const std::optional<Tensor>& added,
                      const std::optional<Tensor>& excluded, double excluded_logit) {
  const double scale = 1 / std::sqrt(static_cast<double>(c.q.size(-1)));
  Tensor logits = scale * (torch::einsum("bhikd,bhjkd->bhikj", {c.q, c.keys[0]}) +
                           torch::einsum("bhikd,bhijd->bhikj", {c.q, c.keys[1]}));
  if (added) logits = logits + *added;
  if (excluded) logits = logits.masked_fill(*excluded, excluded_logit);
  const Tensor weights = torch::softmax(logits, -1);
  return torch::einsum("bhikj,bhjkd->bhikd", {weights, c.values[0]}) +
         torch::einsum("bhikj,bhijd->bhikd", {weights, c.values[1]});
}

void expect_same(const Tensor& out, const Tensor& wanted, const std::vector<Tensor>& inputs) {
  ASSERT_LT(relative_error(out, wanted), 1e-13);
  const Tensor dout = torch::randn_like(out);
  const auto found = torch::autograd::grad({out}, inputs, {dout});
  const auto expected = torch::autograd::grad({wanted}, inputs, {dout});
  for (size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_LT(relative_error(found[i], expected[i]), 1e-12) << "input " << i;
  }
}

std::vector<Tensor> inputs_of(const DenseCase& c) {
  return {c.q, c.keys[0], c.keys[1], c.values[0], c.values[1]};
}

TEST(DenseAttention, UnequalLengths) {
  torch::manual_seed(1);
  for (const auto& [i, k, j] : {std::array<int64_t, 3>{4, 5, 6}, {1, 7, 3}, {7, 1, 2}, {3, 3, 1}}) {
    const DenseCase c = random_case(2, 3, {i, k}, j, 5);
    expect_same(pivotal_attention_dense(c.q, c.keys, c.values),
                einsum_formula(c, std::nullopt, std::nullopt, 0), inputs_of(c));
  }
}

TEST(DenseAttention, WithoutPivotsAllIsZero) {
  for (const Composition composition : {Composition::kAdditive, Composition::kMultiplicative}) {
    const DenseCase c = random_case(1, 2, {9, 5}, 0, 16);
    AttentionOptions options;
    options.composition = composition;
    const Tensor out = pivotal_attention_dense(c.q, c.keys, c.values, std::nullopt, options);
    EXPECT_TRUE(torch::equal(out, torch::zeros_like(out)));
    const Tensor dq = torch::autograd::grad({out}, {c.q}, {torch::ones_like(out)})[0];
    EXPECT_TRUE(torch::equal(dq, torch::zeros_like(dq)));
  }
}

TEST(DenseAttention, AdditiveMaskIsBroadcastAndDifferentiable) {
  torch::manual_seed(2);
  const DenseCase c = random_case(2, 3, {4, 5}, 6, 5);
  const auto options = torch::TensorOptions(torch::kFloat64).requires_grad(true);
  for (const std::vector<int64_t>& shape :
       {std::vector<int64_t>{2, 3, 4, 5, 6}, {2, 1, 4, 1, 6}, {5, 6}, {6}}) {
    const Tensor mask = torch::randn(shape, options);
    auto inputs = inputs_of(c);
    inputs.push_back(mask);
    expect_same(pivotal_attention_dense(c.q, c.keys, c.values, mask),
                einsum_formula(c, mask, std::nullopt, 0), inputs);
  }
}

TEST(DenseAttention, BooleanMaskReplacesLogits) {
  torch::manual_seed(3);
  const DenseCase c = random_case(2, 2, {4, 4}, 4, 3);
  Tensor mask = torch::rand({2, 1, 4, 4, 4}) < 0.3;
  mask[0][0][1][2].fill_(true);
  expect_same(pivotal_attention_dense(c.q, c.keys, c.values, mask, {}, -1e9),
              einsum_formula(c, std::nullopt, mask, -1e9), inputs_of(c));
  const Tensor out = pivotal_attention_dense(c.q, c.keys, c.values, mask);
  EXPECT_EQ(out[0].select(1, 1).select(1, 2).abs().max().item<double>(), 0);
  EXPECT_TRUE(out.isfinite().all().item<bool>());
}

// Masks, cap, dropout and unequal lengths together, for every order, by finite differences.
TEST(DenseAttention, GradientsEqualFiniteDifferencesForEveryOrder) {
  torch::manual_seed(6);
  const std::vector<int64_t> lengths = {3, 2, 4, 2};
  for (int order = 1; order <= kMaxOrder; ++order) {
    DenseCase c = random_case(2, 2, {lengths.begin(), lengths.begin() + order}, 5, 3);
    AttentionOptions options;
    options.logit_cap = 2;
    options.dropout = 0.3;
    options.seed = 12;
    std::vector<int64_t> mask_shape(order + 3, 1);
    mask_shape.back() = 5;
    const auto f64 = torch::TensorOptions(torch::kFloat64);
    std::vector<Tensor> inputs = {c.q};
    inputs.insert(inputs.end(), c.keys.begin(), c.keys.end());
    inputs.insert(inputs.end(), c.values.begin(), c.values.end());
    inputs.push_back(torch::randn(mask_shape, f64.requires_grad(true)));
    const auto run = [&](const std::vector<Tensor>& t) {
      return pivotal_attention_dense(t[0], {t.begin() + 1, t.begin() + 1 + order},
                                     {t.begin() + 1 + order, t.end() - 1}, t.back(), options);
    };
    const Tensor out = run(inputs), w = torch::randn_like(out);
    const auto grads = torch::autograd::grad({out}, inputs, {w});
    torch::NoGradGuard no_grad;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Tensor u = torch::randn_like(inputs[i]);
      const auto value_at = [&](double step) {
        auto moved = inputs;
        moved[i] = inputs[i] + step * u;
        return (run(moved) * w).sum().item<double>();
      };
      const double numeric = (value_at(1e-6) - value_at(-1e-6)) / 2e-6;
      const double analytic = (grads[i] * u).sum().item<double>();
      EXPECT_NEAR(numeric, analytic, 1e-6 * (1 + (grads[i] * u).abs().sum().item<double>()))
          << "order " << order << ", input " << i;
    }
  }
}

TEST(DenseAttention, EqualsThePackedOperatorForEveryOrder) {
  torch::manual_seed(4);
  for (int order = 1; order <= kMaxOrder; ++order) {
    const int64_t n = 4, heads = 2, dim = 3;
    const DenseCase c = random_case(1, heads, std::vector<int64_t>(order, n), n, dim);
    const TupleLayout layout(order, {n});
    const auto packed = [&](const Tensor& t) { return t.reshape({heads, layout.rows(), dim}); };
    std::vector<Tensor> keys, values;
    for (int r = 0; r < order; ++r) {
      keys.push_back(packed(c.keys[r]));
      values.push_back(packed(c.values[r]));
    }
    const Tensor wanted =
        pivotal_attention(packed(c.q), torch::stack(keys), torch::stack(values), layout);
    EXPECT_TRUE(torch::equal(packed(pivotal_attention_dense(c.q, c.keys, c.values)), wanted));
  }
}

TEST(DenseAttention, MisuseIsNamedWithShapes) {
  const DenseCase c = random_case(1, 1, {2, 2}, 3, 4);
  try {
    pivotal_attention_dense(c.q, {c.keys[0], c.keys[0]}, c.values);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "pivotal_attention: keys[1] has shape [1, 1, 3, 2, 4], wanted [1, 1, 2, 3, 4]");
  }
  EXPECT_THROW(pivotal_attention_dense(c.q, c.keys, c.values, torch::zeros({7})),
               std::invalid_argument);
  EXPECT_THROW(pivotal_attention_dense(c.q, {}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet
