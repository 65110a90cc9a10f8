// The fused block against the composed one: same states, same gradients.
#include <gtest/gtest.h>
#include <torch/types.h>

#include "floydnet/model.h"
#include "model/fused_block.h"

namespace floydnet {
namespace {

using torch::Tensor;

struct BlockCase {
  const char* name;
  int64_t order;
  NormKind norm;
  Activation activation;
  bool linear_bias;
  Composition composition;
  bool pivot_bias;
  int64_t heads = 4;
};

class FusedBlock : public testing::TestWithParam<BlockCase> {};

ModelConfig config_of(const BlockCase& c) {
  ModelConfig config;
  config.order = c.order;
  config.dim = 64;
  config.heads = c.heads;
  config.norm = c.norm;
  config.activation = c.activation;
  config.linear_bias = c.linear_bias;
  config.composition = c.composition;
  config.zero_residual = false;
  return config;
}

void randomise(FloydBlock& block) {
  torch::NoGradGuard no_grad;
  for (Tensor& parameter : block->parameters()) parameter.add_(torch::randn_like(parameter), 0.1);
}

/// The output, then the gradients of states, pivot bias and parameters.
template <typename Forward>
std::vector<Tensor> evaluate(FloydBlock& block, Tensor states, std::optional<Tensor> bias,
                             const Forward& forward) {
  block->zero_grad();
  states = states.detach().requires_grad_(true);
  if (bias) bias = bias->detach().requires_grad_(true);
  const Tensor out = forward(states, bias);
  // Weights that differ from one another, so that no mistake cancels.
  out.mul(torch::arange(out.numel(), out.options()).view(out.sizes()).cos()).sum().backward();
  std::vector<Tensor> results = {out.detach(), states.grad()};
  if (bias) results.push_back(bias->grad());
  for (const Tensor& parameter : block->parameters()) results.push_back(parameter.grad().clone());
  return results;
}

void expect_equal_blocks(const BlockCase& c, torch::Dtype dtype, double tolerance) {
  torch::manual_seed(7);
  const ModelConfig config = config_of(c);
  ASSERT_TRUE(suits_fused_block(config));
  FloydBlock block(config);
  block->to(dtype);
  randomise(block);
  // More rows than one pass takes at a time, and graphs of different sizes.
  const TupleLayout layout(static_cast<int>(c.order), c.order == 3
                                                          ? std::vector<int64_t>{4, 1, 5}
                                                          : std::vector<int64_t>{7, 1, 12});
  const Tensor states = torch::randn({layout.rows(), config.dim}, dtype);
  std::optional<Tensor> bias;
  if (c.pivot_bias) bias = torch::randn({c.order, config.heads, layout.rows()}, dtype);
  const auto fused = evaluate(block, states, bias, [&](const Tensor& x, const auto& b) {
    return block->forward(x, layout, b);
  });
  const auto composed = evaluate(block, states, bias, [&](const Tensor& x, const auto& b) {
    return block->composed(x, layout, b);
  });
  ASSERT_EQ(fused.size(), composed.size());
  for (size_t i = 0; i < fused.size(); ++i) {
    const double scale = composed[i].abs().max().item<double>() + 1e-3;
    const double error = (fused[i] - composed[i]).abs().max().item<double>() / scale;
    EXPECT_LT(error, tolerance) << "result " << i;
  }
}

TEST_P(FusedBlock, EqualsTheComposedBlockInDouble) {
  expect_equal_blocks(GetParam(), torch::kFloat64, 1e-11);
}

TEST_P(FusedBlock, EqualsTheComposedBlockInFloat) {
  expect_equal_blocks(GetParam(), torch::kFloat32, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    All, FusedBlock,
    testing::Values(BlockCase{"plain", 2, NormKind::kLayer, Activation::kGelu, false,
                              Composition::kAdditive, false},
                    BlockCase{"biased", 2, NormKind::kLayer, Activation::kSilu, true,
                              Composition::kAdditive, true},
                    BlockCase{"rms", 2, NormKind::kRms, Activation::kRelu, false,
                              Composition::kMultiplicative, false},
                    BlockCase{"nodes", 1, NormKind::kLayer, Activation::kGelu, true,
                              Composition::kAdditive, false},
                    BlockCase{"triples", 3, NormKind::kLayer, Activation::kGelu, false,
                              Composition::kAdditive, true},
                    BlockCase{"narrow_heads", 2, NormKind::kLayer, Activation::kGelu, true,
                              Composition::kAdditive, true, 8},
                    BlockCase{"heads_of_two", 2, NormKind::kLayer, Activation::kGelu, true,
                              Composition::kAdditive, false, 32}),
    [](const auto& test) { return test.param.name; });

TEST(FusedBlock, IsTheSameForAnyNumberOfThreads) {
  torch::manual_seed(3);
  ModelConfig config;
  config.linear_bias = true;
  config.zero_residual = false;
  FloydBlock block(config);
  const TupleLayout layout(2, {9, 20, 3, 14});
  const Tensor states = torch::randn({layout.rows(), config.dim});
  const int threads = at::get_num_threads();
  std::vector<std::vector<Tensor>> runs;
  for (const int count : {1, 2, 4}) {
    at::set_num_threads(count);
    runs.push_back(evaluate(block, states, {}, [&](const Tensor& x, const auto& b) {
      return block->forward(x, layout, b);
    }));
  }
  at::set_num_threads(threads);
  for (size_t i = 0; i < runs[0].size(); ++i) {
    EXPECT_TRUE(torch::equal(runs[0][i], runs[1][i])) << "result " << i;
    EXPECT_TRUE(torch::equal(runs[0][i], runs[2][i])) << "result " << i;
  }
}

TEST(FusedBlock, GivesTheSameWithoutGradients) {
  ModelConfig config;
  config.zero_residual = false;
  FloydBlock block(config);
  const TupleLayout layout(2, {5});
  const Tensor states = torch::randn({25, 64});
  const Tensor with_gradients = block->forward(states, layout);
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(torch::equal(block->forward(states, layout), with_gradients));
}

TEST(FusedBlock, RefusesStatesThatDoNotFit) {
  FloydBlock block{ModelConfig()};
  const TupleLayout layout(2, {5});
  const Tensor states = torch::randn({25, 64});
  EXPECT_THROW(block->forward(torch::randn({24, 64}), layout), std::invalid_argument);
  EXPECT_THROW(block->forward(states.to(torch::kFloat64), layout), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet
