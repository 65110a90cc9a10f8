// Linear maps of rounded operands: what rounding gives, and how far blocks are from exact ones.
#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>
#include <limits>

#include "floydnet/error.h"
#include "floydnet/model.h"
#include "kernels/block_kernel.h"

namespace floydnet {
namespace {

using torch::Tensor;

/// Products of bfloat16 while it lives.
class Rounding {
 public:
  Rounding() { set_precision(Precision::kBfloat16); }
  ~Rounding() { set_precision(Precision::kFloat32); }
};

#define SKIP_WITHOUT_BFLOAT16() \
  if (!kernels::has_bfloat16()) GTEST_SKIP() << "this CPU has no products of bfloat16"

/// a^T b, [rows, m] and [rows, n].
Tensor product(const Tensor& a, const Tensor& b, bool rounds) {
  const Tensor d = torch::empty({a.size(1), b.size(1)});
  kernels::weight_gradient({{a.data_ptr<float>(), a.size(1), 0, a.size(1)},
                            {b.data_ptr<float>(), b.size(1), 0, b.size(1)},
                            a.size(0),
                            a.size(1),
                            b.size(1),
                            d.data_ptr<float>(),
                            rounds},
                           {0, a.size(1)});
  return d;
}

TEST(Bfloat16, ProductsOfSmallIntegersAreExact) {
  SKIP_WITHOUT_BFLOAT16();
  for (const int64_t rows : {2, 7, 64, 130}) {
    const Tensor a = torch::randint(-8, 9, {rows, 32}).to(torch::kFloat32);
    const Tensor b = torch::randint(-8, 9, {rows, 48}).to(torch::kFloat32);
    EXPECT_TRUE(torch::equal(product(a, b, true), a.t().matmul(b))) << rows << " rows";
  }
}

TEST(Bfloat16, OperandsAreRoundedToNearestEven) {
  SKIP_WITHOUT_BFLOAT16();
  const float step = 0x1p-7f;  // between bfloat16 numbers from 1 on
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<std::pair<float, float>> cases = {{1 + step / 2, 1},
                                                      {1 + 1.5f * step, 1 + 2 * step},
                                                      {1 + 0.51f * step, 1 + step},
                                                      {-3 - 0.9f * step, -3},
                                                      {infinity, infinity}};
  for (const auto& [given, wanted] : cases) {
    Tensor a = torch::zeros({2, 16});
    a[0][3] = given;
    EXPECT_EQ(product(a, torch::ones({2, 16}), true)[3][5].item<float>(), wanted) << given;
  }
  Tensor a = torch::zeros({2, 16});
  a[1][3] = std::nanf("");
  const Tensor d = product(a, torch::ones({2, 16}), true);
  EXPECT_TRUE(std::isnan(d[3][0].item<float>()));
  EXPECT_EQ(d[2][0].item<float>(), 0);
}

/// The output of a block, then the gradients of states and parameters.
std::vector<Tensor> evaluate(FloydBlock& block, const Tensor& given, const TupleLayout& layout) {
  block->zero_grad();
  const Tensor states = given.detach().requires_grad_(true);
  const Tensor out = block->forward(states, layout);
  out.mul(torch::arange(out.numel(), out.options()).view(out.sizes()).cos()).sum().backward();
  std::vector<Tensor> results = {out.detach(), states.grad()};
  for (const Tensor& parameter : block->parameters()) results.push_back(parameter.grad().clone());
  return results;
}

FloydBlock biased_block() {
  torch::manual_seed(5);
  ModelConfig config;
  config.linear_bias = true;
  config.zero_residual = false;
  return FloydBlock(config);
}

TEST(Bfloat16, BlocksAndGradientsAreCloseButNotEqual) {
  SKIP_WITHOUT_BFLOAT16();
  FloydBlock block = biased_block();
  const TupleLayout layout(2, {7, 1, 12});
  const Tensor states = torch::randn({layout.rows(), 64});
  const auto exact = evaluate(block, states, layout);
  const Rounding rounding;
  const auto rounded = evaluate(block, states, layout);
  for (size_t i = 0; i < exact.size(); ++i) {
    const double error =
        (rounded[i] - exact[i]).norm().item<double>() / exact[i].norm().item<double>();
    EXPECT_LT(error, 0.01) << "result " << i;
  }
  EXPECT_FALSE(torch::equal(rounded[0], exact[0]));
}

TEST(Bfloat16, BlocksAreTheSameForAnyNumberOfThreads) {
  SKIP_WITHOUT_BFLOAT16();
  FloydBlock block = biased_block();
  const TupleLayout layout(2, {9, 20, 3});
  const Tensor states = torch::randn({layout.rows(), 64});
  const Rounding rounding;
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const auto one = evaluate(block, states, layout);
  at::set_num_threads(3);
  const auto three = evaluate(block, states, layout);
  at::set_num_threads(threads);
  for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(torch::equal(one[i], three[i])) << i;
}

TEST(Bfloat16, IsRefusedWhereTheCpuHasItNot) {
  if (kernels::has_bfloat16()) GTEST_SKIP() << "this CPU has products of bfloat16";
  EXPECT_THROW(set_precision(Precision::kBfloat16), InputError);
}

}  // namespace
}  // namespace floydnet
