#include "tasks/brec/data/compressed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "base/test_refusal.h"
#include "graph/families.h"

namespace floydnet::brec {
namespace {

using testing::HasSubstr;

FrozenWeights random_weights(int order, int64_t dim, int64_t heads, int blocks) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto numbers = [&](int64_t count, double spread) {
    std::vector<double> x(static_cast<size_t>(count));
    for (double& y : x) y = spread * normal(random);
    return x;
  };
  FrozenWeights weights;
  weights.order = order;
  weights.dim = dim;
  weights.heads = heads;
  weights.scale = 5;
  weights.norm_eps = 1e-9;
  weights.bias = numbers(dim, 1);
  weights.equality = numbers(order * (order - 1) / 2 * dim, 1);
  for (int a = 0; a < order; ++a) {
    for (int b = 0; b < order; ++b) {
      if (a != b) weights.pairs.push_back({a, b, numbers(2 * dim, 1)});
    }
  }
  const double spread = 1 / std::sqrt(static_cast<double>(dim));
  for (int i = 0; i < blocks; ++i) {
    weights.blocks.push_back(
        {numbers((1 + 2 * order) * dim * dim, spread), numbers(dim * dim, spread)});
  }
  return weights;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST(BrecCompressed, TheSameForAnyNumberOfThreads) {
  const FrozenWeights weights = random_weights(3, 4, 2, 3);
  OrbitNetwork::Options options;
  options.always_compressed = true;
  const Graph graph = cfi_graph(complete_graph(4), false);
  const auto expected = OrbitNetwork(weights, graph, options).means(6, 5, 3);
  ASSERT_EQ(expected.size(), 6u * 4 * 4);
  options.threads = 2;
  EXPECT_EQ(OrbitNetwork(weights, graph, options).means(6, 5, 3), expected);
  options.threads = 1000;  // not enough memory for a thousand batches: the parts of one
  options.max_bytes = int64_t{64} << 20;
  EXPECT_EQ(OrbitNetwork(weights, graph, options).means(6, 5, 3), expected);
}

TEST(BrecCompressed, CopiesDifferByRoundingOnly) {
  const FrozenWeights weights = random_weights(2, 4, 2, 3);
  OrbitNetwork network(weights, shrikhande_graph(), {});
  EXPECT_TRUE(network.compressed());
  EXPECT_EQ(network.lookups(), 4 * 16);  // pairs: equal, adjacent, and two kinds of others
  const std::vector<double> means = network.means(4, 1, 3);
  const size_t width = means.size() / 4;
  for (size_t copy = 1; copy < 4; ++copy) {
    const auto begin = means.begin() + static_cast<int64_t>(copy * width);
    const double difference = largest_difference(
        {means.begin(), means.begin() + static_cast<int64_t>(width)}, {begin, begin + width});
    EXPECT_GT(difference, 0);
    EXPECT_LT(difference, 1e-12);
  }
  EXPECT_GT(largest_difference(means, network.means(4, 2, 3)), 0);
  EXPECT_EQ(means, network.means(4, 1, 3));
}

TEST(BrecCompressed, FewerBlocksAreTheFirstOnes) {
  const FrozenWeights weights = random_weights(2, 4, 2, 3);
  OrbitNetwork network(weights, shrikhande_graph(), {});
  const auto all = network.means(10, 1, 3), first = network.means(10, 1, 1);
  for (size_t copy = 0; copy < 10; ++copy) {
    for (size_t i = 0; i < 2 * 4; ++i) EXPECT_EQ(first[copy * 2 * 4 + i], all[copy * 4 * 4 + i]);
  }
  EXPECT_THROW(network.means(10, 1, 4), std::invalid_argument);
}

TEST(BrecCompressed, AllTuplesWhereThereIsNoSymmetry) {
  // A node with legs of length 1, 2 and 3.
  const Graph graph(7, {{0, 1}, {0, 2}, {2, 3}, {0, 4}, {4, 5}, {5, 6}});
  const FrozenWeights weights = random_weights(2, 8, 4, 2);
  OrbitNetwork::Options options;
  OrbitNetwork all(weights, graph, options);
  options.always_compressed = true;
  OrbitNetwork orbits(weights, graph, options);
  EXPECT_FALSE(all.compressed());
  EXPECT_TRUE(orbits.compressed());
  EXPECT_EQ(all.lookups(), 343);
  EXPECT_EQ(orbits.lookups(), 343);
  EXPECT_LT(largest_difference(all.means(1, 1, 2), orbits.means(1, 1, 2)), 1e-12);
}

TEST(BrecCompressed, SaysWhatItNeeds) {
  const FrozenWeights weights = random_weights(4, 4, 2, 1);
  OrbitNetwork::Options options;
  options.max_bytes = 1 << 20;
  EXPECT_THAT(refusal([&] { OrbitNetwork(weights, cycle_graph(40), options); }),
              HasSubstr("raise --max-memory"));
}

}  // namespace
}  // namespace floydnet::brec
