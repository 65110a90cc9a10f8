#include "tasks/clrs/features.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

namespace floydnet::clrs {
namespace {

using torch::Tensor;

Probe scalar(const std::string& name, Location location) {
  return {name, Stage::kInput, location, Type::kScalar};
}

TEST(ClrsFeatures, NumbersOfBothNodesAndOfTheGraphAreCompared) {
  const PairFeatures features({scalar("key", Location::kNode), scalar("target", Location::kGraph)},
                              {{2, 50}, /*supernode=*/true});
  const Tensor keys = torch::tensor({{0.25F, 0.75F}}), target = torch::tensor({0.5F});
  const Tensor columns = features({keys, target}, /*samples=*/1, /*nodes=*/2);
  ASSERT_EQ(columns.sizes(), (std::vector<int64_t>{1, 3, 3, features.columns()}));
  // X_0, X_1, G, then (key, key), (key, target), (target, key), (target, target) for 2 and for 50.
  const Tensor pair = columns[0][0][1];
  const double expected[] = {-0.5, -0.25, -0.25, 0};
  for (int64_t c = 0; c < 4; ++c) {
    EXPECT_NEAR(pair[3 + c].item<double>(), std::tanh(2 * expected[c]), 1e-6) << c;
    EXPECT_NEAR(pair[7 + c].item<double>(), std::tanh(50 * expected[c]), 1e-6) << c;
  }
  EXPECT_EQ(columns[0][2].narrow(1, 3, 8).abs().max().item<double>(), 0) << "the SuperNode";
}

TEST(ClrsFeatures, CountsMayBeRelative) {
  Probe deadline = scalar("d", Location::kNode);
  deadline.dtype = Dtype::kInt64;
  FeatureRule rule = {{1}};
  rule.relative_counts = true;
  const PairFeatures features({deadline, scalar("w", Location::kNode)}, rule);
  const Tensor columns = features(
      {torch::tensor({{1.F, 4.F, 2.F, 4.F}}), torch::tensor({{0.5F, 1.F, 0.F, 2.F}})}, 1, 4);
  // X_i, X_j, then (d, d), (d, w), ...
  const Tensor pair = columns[0][0][1];
  EXPECT_FLOAT_EQ(pair[0].item<float>(), 0.25F);
  EXPECT_FLOAT_EQ(pair[1].item<float>(), 0.5F);
  EXPECT_FLOAT_EQ(pair[4].item<float>(), std::tanh(0.25F - 1));
}

TEST(ClrsFeatures, SumsRunAlongThePositions) {
  FeatureRule rule = {{1}};
  rule.running_sums = true;
  const std::vector<Probe> probes = {scalar("pos", Location::kNode),
                                     scalar("key", Location::kNode)};
  const PairFeatures features(probes, rule);
  EXPECT_EQ(features.columns(), PairFeatures(probes, {{1}}).columns() + 2);
  // In the order of their positions: 0.1, 0.2, 0.4.
  const Tensor columns =
      features({torch::tensor({{0.5F, 0.0F, 0.2F}}), torch::tensor({{0.4F, 0.1F, 0.2F}})}, 1, 3);
  const int64_t sums = features.columns() - 3;  // before the indicator
  const auto sum = [&](int64_t i, int64_t j) {
    return std::atanh(columns[0][i][j][sums].item<float>());
  };
  EXPECT_NEAR(sum(1, 0), 0.7, 1e-5);
  EXPECT_NEAR(sum(1, 2), 0.3, 1e-5);
  EXPECT_NEAR(sum(2, 2), 0.2, 1e-5);
  EXPECT_NEAR(sum(0, 1), -0.2, 1e-5);
  EXPECT_TRUE(torch::equal(columns[0].select(2, sums), columns[0].select(2, sums + 1).t()));
}

TEST(ClrsFeatures, NumbersOfPairsAreNotCompared) {
  const Probe weights = scalar("A", Location::kEdge);
  EXPECT_EQ(PairFeatures({weights}, {{8}}).columns(), PairFeatures({weights}, {}).columns());
}

TEST(ClrsFeatures, NodesSeeThePointersOfMarkedNodes) {
  const Probe pointer = {"pi", Stage::kHint, Location::kNode, Type::kPointer};
  const Probe mark = {"k", Stage::kHint, Location::kNode, Type::kMaskOne};
  FeatureRule rule;
  rule.marked_pointers = true;
  const PairFeatures features({pointer, mark}, rule);
  // 0 -> 1, 1 -> 2, 2 -> 2; 1 is marked.
  const Tensor to = torch::one_hot(torch::tensor({{1, 2, 2}}), 3).to(torch::kFloat32);
  const Tensor columns = features({to, torch::tensor({{0.F, 1.F, 0.F}})}, 1, 3);
  ASSERT_EQ(columns.sizes(), (std::vector<int64_t>{1, 3, 3, features.columns()}));
  // X_i is the mark, whether i points to it, whether it points to i.
  const auto of_node = [&](int64_t i) { return columns[0][i][0].narrow(0, 0, 3); };
  EXPECT_TRUE(torch::equal(of_node(0), torch::tensor({0.F, 1.F, 0.F})));
  EXPECT_TRUE(torch::equal(of_node(1), torch::tensor({1.F, 0.F, 0.F})));
  EXPECT_TRUE(torch::equal(of_node(2), torch::tensor({0.F, 0.F, 1.F})));
}

TEST(ClrsFeatures, CategoriesAreComparedForEquality) {
  const Probe key = {"key", Stage::kInput, Location::kNode, Type::kCategorical, 3};
  FeatureRule rule;
  rule.equal_categories = true;
  const PairFeatures features({key}, rule);
  const Tensor classes = torch::one_hot(torch::tensor({{2, 0, 2}}), 3).to(torch::kFloat32);
  const Tensor columns = features({classes}, 1, 3);
  ASSERT_EQ(columns.size(3), features.columns());
  const Tensor equal = columns[0].select(2, 6);  // after X_i and X_j
  EXPECT_TRUE(
      torch::equal(equal, torch::tensor({{1.F, 0.F, 1.F}, {0.F, 1.F, 0.F}, {1.F, 0.F, 1.F}})));
}

TEST(ClrsFeatures, DepthsOfChainsAreCompared) {
  const Probe order = {"pred_h", Stage::kInput, Location::kNode, Type::kPointer};
  FeatureRule rule = {{8}};
  rule.chain_depths = true;
  const PairFeatures features({order}, rule);
  // Two chains: 0 <- 1 <- 2 <- 3 and 4 <- 5.
  const Tensor to = torch::one_hot(torch::tensor({{0, 0, 1, 2, 4, 4}}), 6).to(torch::kFloat32);
  const Tensor columns = features({to}, 1, 6);
  const double depths[] = {0, 1, 2, 3, 0, 1};
  for (int64_t i = 0; i < 6; ++i) {
    for (int64_t j = 0; j < 6; ++j) {
      EXPECT_NEAR(columns[0][i][j][2].item<double>(), std::tanh(depths[i] - depths[j]), 1e-6);
    }
  }
}

}  // namespace
}  // namespace floydnet::clrs
