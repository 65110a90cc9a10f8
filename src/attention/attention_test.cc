// Pivotal Attention against its formula, and the laws that it obeys.
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "attention/reference.h"
#include "attention/test_cases.h"
#include "kernels/dropout.h"

namespace floydnet {
namespace {

using torch::Tensor;

class EveryOrder : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Attention, EveryOrder, testing::Values(1, 2, 3, 4));

std::vector<Tensor> gradients(const Tensor& out, const Tensor& dout,
                              const std::vector<Tensor>& of) {
  return torch::autograd::grad({out}, of, {dout});
}

std::vector<Tensor> wanting_gradients(AttentionCase& c) {
  for (Tensor* t : {&c.q, &c.k, &c.v}) t->requires_grad_(true);
  if (c.bias) c.bias->requires_grad_(true);
  return c.inputs();
}

void compare_with_formula(AttentionCase c) {
  c.options.dropout = 0;
  const auto inputs = wanting_gradients(c);
  const Tensor out = c.run();
  const Tensor wanted = reference_attention(c.q, c.k, c.v, c.layout, c.options, c.bias);
  ASSERT_LT(relative_error(out, wanted), 1e-12) << c.describe();
  const Tensor dout = torch::randn_like(out);
  const auto found = gradients(out, dout, inputs);
  const auto expected = gradients(wanted, dout, inputs);
  for (size_t t = 0; t < found.size(); ++t) {
    ASSERT_LT(relative_error(found[t], expected[t]), 1e-11) << c.describe() << " input " << t;
  }
}

TEST_P(EveryOrder, ForwardAndGradientsEqualTheFormula) {
  CaseGenerator generator(11);
  for (int i = 0; i < 40; ++i) {
    ASSERT_NO_FATAL_FAILURE(compare_with_formula(generator.next(GetParam())));
  }
}

TEST(Attention, PairsOfSeveralTilesEqualTheFormula) {
  CaseGenerator generator(13);
  for (int i = 0; i < 4; ++i) {
    ASSERT_NO_FATAL_FAILURE(compare_with_formula(generator.of_shape(2, {16, 64}, 2, 16)));
    ASSERT_NO_FATAL_FAILURE(compare_with_formula(generator.of_shape(2, {65}, 1, 32)));
    ASSERT_NO_FATAL_FAILURE(compare_with_formula(generator.of_shape(2, {130}, 1, 1)));
    ASSERT_NO_FATAL_FAILURE(compare_with_formula(generator.of_shape(2, {130}, 1, 2)));
  }
}

// d/de f(x + e u) at 0 for f(x) = <out(x), w> against <grad f, u>, for random u and w.
double directional_error(AttentionCase c) {
  const auto inputs = wanting_gradients(c);
  const Tensor out = c.run();
  const Tensor w = torch::randn_like(out);
  const auto grads = gradients(out, w, inputs);
  std::vector<Tensor> u;
  double analytic = 0, size = 1;
  for (size_t t = 0; t < inputs.size(); ++t) {
    u.push_back(torch::randn_like(inputs[t]));
    const Tensor product = grads[t] * u[t];
    analytic += product.sum().item<double>();
    size += product.abs().sum().item<double>();
  }
  torch::NoGradGuard no_grad;
  const double step = 1e-5;
  const auto value_at = [&](double e) {
    AttentionCase moved = c;
    moved.q = c.q + e * u[0];
    moved.k = c.k + e * u[1];
    moved.v = c.v + e * u[2];
    if (c.bias) moved.bias = *c.bias + e * u[3];
    return (moved.run() * w).sum().item<double>();
  };
  // The fourth-order difference: errors of the formula are far below those of rounding.
  const double numeric =
      (8 * (value_at(step) - value_at(-step)) - (value_at(2 * step) - value_at(-2 * step))) /
      (12 * step);
  return std::abs(numeric - analytic) / size;
}

TEST_P(EveryOrder, GradientsEqualFiniteDifferences) {
  CaseGenerator generator(23);
  for (int i = 0; i < 60; ++i) {
    const AttentionCase c = generator.next(GetParam());
    ASSERT_LT(directional_error(c), 1e-7) << c.describe();
  }
}

TEST(Attention, GradientsOfMorePivotsThanAreHandledAtATime) {
  CaseGenerator generator(29);
  for (int i = 0; i < 6; ++i) {
    EXPECT_LT(directional_error(generator.of_shape(1, {200, 65}, 2, 40)), 1e-9) << i;
    EXPECT_LT(directional_error(generator.of_shape(2, {70}, 1, 33)), 1e-9) << i;
  }
}

TEST_P(EveryOrder, BatchEqualsOneGraphAtATimeToTheBit) {
  CaseGenerator generator(5);
  for (int i = 0; i < 10; ++i) {
    AttentionCase c = generator.next(GetParam());
    c.options.dropout = 0;
    const auto inputs = wanting_gradients(c);
    const Tensor out = c.run();
    const Tensor dout = torch::randn_like(out);
    const auto grads = gradients(out, dout, inputs);
    for (int64_t g = 0; g < c.layout.graphs(); ++g) {
      const int64_t begin = c.layout.offset(g), rows = c.layout.offset(g + 1) - begin;
      AttentionCase one = c;
      one.layout = TupleLayout(GetParam(), {c.layout.size(g)});
      one.q = c.q.detach().narrow(1, begin, rows).clone();
      one.k = c.k.detach().narrow(2, begin, rows).clone();
      one.v = c.v.detach().narrow(2, begin, rows).clone();
      if (c.bias) one.bias = c.bias->detach().narrow(2, begin, rows).clone();
      const auto own_inputs = wanting_gradients(one);
      const Tensor own_out = one.run();
      ASSERT_TRUE(torch::equal(own_out, out.narrow(1, begin, rows))) << c.describe();
      const auto own = gradients(own_out, dout.narrow(1, begin, rows), own_inputs);
      for (size_t t = 0; t < own.size(); ++t) {
        const int64_t row_dimension = t == 0 ? 1 : 2;
        ASSERT_TRUE(torch::equal(own[t], grads[t].narrow(row_dimension, begin, rows)))
            << c.describe() << " input " << t;
      }
    }
  }
}

void compare_numbers_of_threads(AttentionCase c) {
  const int threads_before = at::get_num_threads();
  const auto inputs = wanting_gradients(c);
  const Tensor dout = torch::randn_like(c.q);
  std::vector<Tensor> first;
  for (const int threads : {1, 2, 4}) {
    at::set_num_threads(threads);
    const Tensor out = c.run();
    auto results = gradients(out, dout, inputs);
    results.push_back(out);
    if (first.empty()) first = results;
    for (size_t t = 0; t < results.size(); ++t) {
      EXPECT_TRUE(torch::equal(results[t], first[t])) << c.describe() << ", threads " << threads;
    }
  }
  at::set_num_threads(threads_before);
}

TEST_P(EveryOrder, AnyNumberOfThreadsGivesTheSameBits) {
  CaseGenerator generator(7);
  for (int i = 0; i < 10; ++i) compare_numbers_of_threads(generator.next(GetParam()));
}

TEST(Attention, AnyNumberOfThreadsGivesTheSameBitsForPairsOfSeveralTiles) {
  CaseGenerator generator(17);
  for (const int64_t nodes : {64, 100, 140}) {
    compare_numbers_of_threads(generator.of_shape(2, {nodes}, 1, 16));
    compare_numbers_of_threads(generator.of_shape(2, {nodes}, 3, 40));
  }
}

TEST_P(EveryOrder, StridedInputsGiveTheSameAsContiguousOnes) {
  CaseGenerator generator(13);
  for (int i = 0; i < 5; ++i) {
    const AttentionCase c = generator.next(GetParam());
    AttentionCase strided = c;
    strided.q = c.q.transpose(0, 1).contiguous().transpose(0, 1);  // row-major heads
    strided.k = c.k.permute({2, 0, 1, 3}).contiguous().permute({1, 2, 0, 3});
    strided.v = c.v.transpose(2, 3).contiguous().transpose(2, 3);  // d not contiguous
    EXPECT_TRUE(torch::equal(strided.run(), c.run())) << c.describe();
    // Gradients, with an incoming one that is expanded from a single number.
    const auto wanted = [](AttentionCase problem) {
      const auto inputs = wanting_gradients(problem);
      return gradients(problem.run(), torch::ones({1, 1, 1}, torch::kFloat64).expand_as(problem.q),
                       inputs);
    };
    const auto of_strided = wanted(strided), of_contiguous = wanted(c);
    for (size_t t = 0; t < of_strided.size(); ++t) {
      EXPECT_TRUE(torch::equal(of_strided[t], of_contiguous[t])) << c.describe() << " input " << t;
    }
  }
}

TEST_P(EveryOrder, Float32IsCloseToFloat64) {
  CaseGenerator generator(17);
  for (int i = 0; i < 10; ++i) {
    AttentionCase c = generator.next(GetParam());
    const Tensor exact = c.run();
    for (Tensor* t : {&c.q, &c.k, &c.v}) *t = t->to(torch::kFloat32);
    if (c.bias) c.bias = c.bias->to(torch::kFloat32);
    EXPECT_LT(relative_error(c.run().to(torch::kFloat64), exact), 3e-5) << c.describe();
  }
}

// A graph of n nodes and its blow-up, where node v is a copy of v mod n: every pivot occurs twice
// as often, the softmax halves each weight, and the sums are as before.
/// The output and the gradients of q, k and v under fixed weights of the output.
template <typename Function>
std::vector<torch::Tensor> values_and_gradients(std::vector<torch::Tensor> inputs,
                                                const Function& function) {
  for (torch::Tensor& input : inputs) input = input.detach().requires_grad_(true);
  const torch::Tensor out = function(inputs[0], inputs[1], inputs[2]);
  const torch::Tensor weights = torch::arange(out.numel(), torch::kFloat64).cos().to(out.dtype());
  out.mul(weights.view(out.sizes())).sum().backward();
  return {out.detach(), inputs[0].grad(), inputs[1].grad(), inputs[2].grad()};
}

TEST_P(EveryOrder, Float32ErrsAtMostFourTimesAsMuchAsLibtorch) {
  const int order = GetParam();
  const std::vector<int64_t> sizes = {order <= 2 ? 40 : order == 3 ? 14 : 8};
  const TupleLayout layout(order, sizes);
  torch::manual_seed(11);
  const auto random = [&](std::vector<int64_t> shape) { return torch::randn(shape); };
  const std::vector<torch::Tensor> inputs = {random({2, layout.rows(), 16}),
                                             random({order, 2, layout.rows(), 16}),
                                             random({order, 2, layout.rows(), 16})};
  std::vector<torch::Tensor> exact_inputs;
  for (const torch::Tensor& input : inputs) exact_inputs.push_back(input.to(torch::kFloat64));
  const auto formula = [&](const auto& q, const auto& k, const auto& v) {
    return reference_attention(q, k, v, layout);
  };
  const auto exact = values_and_gradients(exact_inputs, formula);
  const auto plain = values_and_gradients(inputs, formula);
  const auto ours = values_and_gradients(inputs, [&](const auto& q, const auto& k, const auto& v) {
    return pivotal_attention(q, k, v, layout);
  });
  for (size_t i = 0; i < exact.size(); ++i) {
    const auto error = [&](const torch::Tensor& x) {
      return (x.to(torch::kFloat64) - exact[i]).square().mean().sqrt().item<double>();
    };
    EXPECT_LT(error(ours[i]), 4 * error(plain[i])) << "result " << i;
  }
}

TEST_P(EveryOrder, KeepingWeightsChangesNoBit) {
  CaseGenerator generator(500 + GetParam());
  for (int i = 0; i < 10; ++i) {
    AttentionCase c = generator.next(GetParam());
    std::vector<std::vector<torch::Tensor>> runs;
    for (const bool keep : {false, true}) {
      c.options.keep_weights = keep;
      runs.push_back(
          values_and_gradients({c.q, c.k, c.v}, [&](const auto& q, const auto& k, const auto& v) {
            return pivotal_attention(q, k, v, c.layout, c.options, c.bias);
          }));
    }
    for (size_t r = 0; r < runs[0].size(); ++r) {
      EXPECT_TRUE(torch::equal(runs[0][r], runs[1][r])) << c.describe() << ", result " << r;
    }
  }
}

TEST_P(EveryOrder, DuplicatedPivotsChangeNothing) {
  const int order = GetParam();
  const int64_t n = 3, dim = 5;
  const TupleLayout small(order, {n}), large(order, {2 * n});
  std::vector<int64_t> original;  // row of the tuple that a row is a copy of
  for (int64_t row = 0; row < large.rows(); ++row) {
    auto v = large.tuple(row).second;
    for (int c = 0; c < order; ++c) v[c] %= n;
    original.push_back(small.row(0, v));
  }
  const Tensor rows = torch::tensor(original);
  const auto f64 = torch::TensorOptions(torch::kFloat64);
  const Tensor q = torch::randn({2, small.rows(), dim}, f64);
  const Tensor k = torch::randn({order, 2, small.rows(), dim}, f64);
  const Tensor v = torch::randn({order, 2, small.rows(), dim}, f64);
  const Tensor wanted = pivotal_attention(q, k, v, small).index_select(1, rows);
  const Tensor found = pivotal_attention(q.index_select(1, rows), k.index_select(2, rows),
                                         v.index_select(2, rows), large);
  EXPECT_LT(relative_error(found, wanted), 1e-13);
}

TEST_P(EveryOrder, WeightsOfTargetsReproduceTheOutput) {
  // With values that name the pivot, the output is the weights.
  const int order = GetParam();
  const TupleLayout layout(order, {3, 4});
  const int64_t pivots = 4;
  const auto options = torch::TensorOptions(torch::kFloat64);
  const Tensor q = torch::randn({2, layout.rows(), pivots}, options);
  const Tensor k = torch::randn({order, 2, layout.rows(), pivots}, options);
  Tensor v = torch::zeros({order, 2, layout.rows(), pivots}, options);
  for (int64_t row = 0; row < layout.rows(); ++row) {
    v.index_put_({0, torch::indexing::Slice(), row, layout.tuple(row).second[0]}, 1);
  }
  const Tensor out = pivotal_attention(q, k, v, layout);
  const std::vector<int64_t> targets = {0, layout.offset(1) - 1, layout.rows() - 1, 2};
  const Tensor weights = attention_weights(q, k, layout, targets);
  ASSERT_EQ(weights.sizes(), torch::IntArrayRef({2, 4, pivots}));
  EXPECT_LT(relative_error(weights, out.index_select(1, torch::tensor(targets))), 1e-14);
}

TEST(Attention, TargetsWithoutAdmissiblePivotGetZerosAndGiveNoGradients) {
  const TupleLayout layout(2, {3});
  const auto options = torch::TensorOptions(torch::kFloat64).requires_grad(true);
  const Tensor q = torch::randn({1, 9, 4}, options);
  const Tensor k = torch::randn({2, 1, 9, 4}, options);
  const Tensor v = torch::randn({2, 1, 9, 4}, options);
  Tensor bias = torch::zeros({2, 1, 9}, torch::kFloat64);
  bias[1].slice(1, 0, 3).fill_(-std::numeric_limits<double>::infinity());  // all left pairs (0, j)
  const Tensor out = pivotal_attention(q, k, v, layout, {}, bias);
  EXPECT_TRUE(torch::equal(out.slice(1, 0, 3), torch::zeros({1, 3, 4}, torch::kFloat64)));
  EXPECT_GT(out.slice(1, 3, 9).abs().min().item<double>(), 0);
  const auto grads = gradients(out, torch::ones_like(out), {q, k, v});
  EXPECT_EQ(grads[0].slice(1, 0, 3).abs().max().item<double>(), 0);
  EXPECT_EQ(grads[1][1].slice(1, 0, 3).abs().max().item<double>(), 0);
  for (const Tensor& grad : grads) EXPECT_TRUE(grad.isfinite().all().item<bool>());
}

TEST(Attention, WhatAnExcludedPivotHoldsDoesNotMatter) {
  const TupleLayout layout(2, {4});
  const Tensor q = torch::randn({1, 16, 3}), k = torch::randn({2, 1, 16, 3});
  const Tensor v = torch::randn({2, 1, 16, 3});
  Tensor bias = torch::zeros({2, 1, 16});
  Tensor bad_k = k.clone(), bad_v = v.clone();
  for (int64_t i = 0; i < 4; ++i) {  // pivot 2, for all i
    bias[1][0][i * 4 + 2] = -INFINITY;
    bad_k[1][0][i * 4 + 2] = NAN;
    bad_v[1][0][i * 4 + 2] = INFINITY;
  }
  for (const double cap : {0.0, 2.0}) {
    AttentionOptions options;
    options.logit_cap = cap;
    const auto run = [&](const Tensor& key, const Tensor& value) {
      std::vector<Tensor> inputs = {q.detach().clone().requires_grad_(true),
                                    key.detach().clone().requires_grad_(true),
                                    value.detach().clone().requires_grad_(true)};
      const Tensor out = pivotal_attention(inputs[0], inputs[1], inputs[2], layout, options, bias);
      auto results = gradients(out, torch::ones_like(out), inputs);
      results.push_back(out);
      return results;
    };
    const auto clean = run(k, v), bad = run(bad_k, bad_v);
    for (size_t i = 0; i < clean.size(); ++i) {
      EXPECT_TRUE(torch::equal(bad[i], clean[i])) << "cap " << cap << ", result " << i;
    }
  }
}

TEST(Attention, NotANumberStaysInItsRow) {
  const TupleLayout layout(2, {5});
  Tensor q = torch::randn({1, 25, 8});
  const Tensor k = torch::randn({2, 1, 25, 8}), v = torch::randn({2, 1, 25, 8});
  q[0][7][3] = NAN;
  const Tensor bad = pivotal_attention(q, k, v, layout).isnan().any(-1)[0];
  EXPECT_EQ(bad.sum().item<int64_t>(), 1);
  EXPECT_TRUE(bad[7].item<bool>());
}

TEST(Attention, HugeLogitsStayFinite) {
  const TupleLayout layout(2, {6});
  AttentionOptions options;
  options.scale = 1e4;
  const auto wants = torch::TensorOptions(torch::kFloat32).requires_grad(true);
  const Tensor q = torch::randn({2, 36, 8}, wants), k = torch::randn({2, 2, 36, 8}, wants);
  const Tensor v = torch::randn({2, 2, 36, 8}, wants);
  const Tensor out = pivotal_attention(q, k, v, layout, options);
  EXPECT_TRUE(out.isfinite().all().item<bool>());
  for (const Tensor& grad : gradients(out, torch::ones_like(out), {q, k, v})) {
    EXPECT_TRUE(grad.isfinite().all().item<bool>());
  }
}

TEST(Attention, AScaleOfZeroWeighsAllPivotsAlike) {
  const TupleLayout layout(1,
                           {6});  // fewer pivots than a vector has lanes: the rest must not count
  AttentionOptions options;
  options.scale = 0;
  const Tensor q = torch::randn({1, 6, 4}), k = torch::randn({1, 1, 6, 4});
  const Tensor v = torch::randn({1, 1, 6, 4});
  const Tensor mean = v[0].mean(1, true).expand({1, 6, 4});
  EXPECT_LT(relative_error(pivotal_attention(q, k, v, layout, options), mean), 1e-6);
}

TEST(Attention, MultiplicationOf3x3MatricesIsExact) {
  // Lifted coordinates (r, s, t): A_rs from the left relation, B_st from the right one; their
  // product summed over s is (AB)_rt. One admissible pivot: j = 1, for the target (0, 2).
  const int64_t n = 3, lift = 27;
  const TupleLayout layout(2, {n});
  const Tensor a = torch::randn({3, 3}, torch::kFloat64), b = torch::randn({3, 3}, torch::kFloat64);
  Tensor v = torch::zeros({2, 1, n * n, lift}, torch::kFloat64);
  v[1][0][0 * n + 1] = a.unsqueeze(2).expand({3, 3, 3}).reshape({lift});  // left (0, 1): A_rs
  v[0][0][1 * n + 2] = b.unsqueeze(0).expand({3, 3, 3}).reshape({lift});  // right (1, 2): B_st
  Tensor bias = torch::full({2, 1, n * n}, -INFINITY, torch::kFloat64);
  bias[1][0][0 * n + 1] = 0;
  bias[0][0][1 * n + 2] = 0;
  AttentionOptions options;
  options.composition = Composition::kMultiplicative;
  const Tensor zeros = torch::zeros({1, n * n, lift}, torch::kFloat64);
  const Tensor out =
      pivotal_attention(zeros, torch::zeros_like(v), v, layout, options, bias)[0][0 * n + 2];
  const Tensor product = out.view({3, 3, 3}).sum(1);
  const Tensor written_out = (a.unsqueeze(2) * b.unsqueeze(0)).sum(1);
  EXPECT_TRUE(torch::equal(product, written_out));
  EXPECT_LT(relative_error(product, a.matmul(b)), 1e-15);
}

TEST(AttentionDropout, EqualsTheFormulaWithTheSameMask) {
  const int64_t n = 9;
  const TupleLayout layout(2, {n});
  AttentionOptions options;
  options.dropout = 0.4;
  options.seed = 99;
  const auto f64 = torch::TensorOptions(torch::kFloat64);
  const Tensor q = torch::randn({2, n * n, 4}, f64), k = torch::randn({2, 2, n * n, 4}, f64);
  const Tensor v = torch::randn({2, 2, n * n, 4}, f64);
  Tensor keep = torch::ones({2, n, n, n}, f64);
  for (int64_t target = 0; target < 2 * n * n; ++target) {
    kernels::apply_dropout(keep.data_ptr<double>() + target * n, 0, n, options.dropout,
                           options.seed, static_cast<uint64_t>(target));
  }
  const double kept = (keep > 0).to(torch::kFloat64).mean().item<double>();
  EXPECT_NEAR(kept, 0.6, 0.05);
  EXPECT_DOUBLE_EQ(keep.max().item<double>(), 1 / 0.6);
  EXPECT_LT(relative_error(pivotal_attention(q, k, v, layout, options),
                           reference_of_graph(q, k, v, n, options, std::nullopt, keep)),
            1e-13);
  AttentionOptions other = options;
  other.seed = 100;
  EXPECT_FALSE(torch::equal(pivotal_attention(q, k, v, layout, options),
                            pivotal_attention(q, k, v, layout, other)));
}

TEST(AttentionChecks, MisuseIsNamedWithShapes) {
  const TupleLayout layout(2, {2});
  const Tensor q = torch::randn({1, 4, 3}), k = torch::randn({2, 1, 4, 3});
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([&] { pivotal_attention(q, k.slice(0, 0, 1), k, layout); }),
            "pivotal_attention: k has shape [1, 1, 4, 3], wanted [2, 1, 4, 3]");
  EXPECT_EQ(message([&] { pivotal_attention(q, k, k, TupleLayout(2, {3})); }),
            "pivotal_attention: q has 4 rows, but the layout has 9");
  EXPECT_EQ(message([&] { pivotal_attention(q.to(torch::kInt32), k, k, layout); }),
            "pivotal_attention: q has type Int, wanted float32 or float64");
  EXPECT_EQ(message([&] { pivotal_attention(q, k.to(torch::kFloat64), k, layout); }),
            "pivotal_attention: k has type Double on cpu, wanted Float on cpu as q");
  EXPECT_EQ(message([&] {
              pivotal_attention(q, k, k, layout, {}, torch::zeros({2, 3, 4}));
            }),
            "pivotal_attention: bias has shape [2, 3, 4], wanted [2, 1, 4]");
  AttentionOptions options;
  options.dropout = 1;
  EXPECT_EQ(message([&] { pivotal_attention(q, k, k, layout, options); }),
            "pivotal_attention: dropout is 1, wanted a number in [0, 1)");
  options = {};
  options.logit_cap = INFINITY;
  EXPECT_EQ(message([&] { pivotal_attention(q, k, k, layout, options); }),
            "pivotal_attention: logit_cap is inf, wanted 0 (none) or a positive number");
}

TEST(AttentionChecks, SecondDerivativesAreRefused) {
  const TupleLayout layout(2, {2});
  const Tensor q = torch::randn({1, 4, 3}).requires_grad_(true), k = torch::randn({2, 1, 4, 3});
  const Tensor out = pivotal_attention(q, k, k, layout);
  EXPECT_THROW(torch::autograd::grad({out.sum()}, {q}, {}, true, /*create_graph=*/true),
               std::exception);
}

TEST(Attention, EmptyBatchesAndEmptyGraphs) {
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{}, {0}, {0, 2, 0}}) {
    const TupleLayout layout(2, sizes);
    const Tensor q = torch::randn({1, layout.rows(), 3}).requires_grad_(true);
    const Tensor k = torch::randn({2, 1, layout.rows(), 3});
    const Tensor out = pivotal_attention(q, k, k, layout);
    EXPECT_EQ(out.sizes(), q.sizes());
    out.sum().backward();
  }
}

}  // namespace
}  // namespace floydnet
