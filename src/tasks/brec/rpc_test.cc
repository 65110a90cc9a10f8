#include "tasks/brec/rpc.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace floydnet::brec {
namespace {

torch::Tensor rows(std::vector<double> values, int64_t width) {
  return torch::tensor(std::move(values), torch::kFloat64).view({-1, width});
}

TEST(BrecRpc, OneDimensionByHand) {
  // mean 2, variance ((-1)^2 + 0 + 1^2) / 2 = 1
  EXPECT_NEAR(hotelling_t2(rows({1, 2, 3}, 1)), 4, 1e-12);
  // mean 3, variance 8: 9 / 8
  EXPECT_NEAR(hotelling_t2(rows({1, 5}, 1)), 1.125, 1e-12);
}

TEST(BrecRpc, TwoDimensionsByHand) {
  // mean (1, 2); deviations (-1, 0), (1, 0), (0, -2), (0, 2); covariance diag(2, 8) / 3:
  // T2 = 3/2 + 4 * 3/8 = 3
  const torch::Tensor d = rows({0, 2, 2, 2, 1, 0, 1, 4}, 2);
  EXPECT_NEAR(hotelling_t2(d), 3, 1e-12);
  // An invertible linear map of the embedding changes nothing, nor does the unit.
  EXPECT_NEAR(hotelling_t2(d.matmul(rows({1, 2, -1, 3}, 2))), 3, 1e-9);
  EXPECT_NEAR(hotelling_t2(d * 1e-180), 3, 1e-9);
}

TEST(BrecRpc, DirectionsWithoutVarianceDoNotCount) {
  EXPECT_NEAR(hotelling_t2(rows({1, 7, 2, 7, 3, 7}, 2)), 4, 1e-12);
  EXPECT_EQ(hotelling_t2(torch::ones({4, 3}, torch::kFloat64)), 0);
  EXPECT_EQ(hotelling_t2(torch::zeros({4, 3}, torch::kFloat64)), 0);
}

TEST(BrecRpc, VerdictsFollowTheProtocol) {
  EXPECT_TRUE(rpc_verdict(100, 1).distinguished);
  EXPECT_FALSE(rpc_verdict(72.34, 1).distinguished);
  EXPECT_TRUE(rpc_verdict(72.35, 72.33).distinguished);
  EXPECT_TRUE(rpc_verdict(1, 2).reliable);
  for (const double reliability : {72.34, 1e9, std::nan("")}) {
    const RpcVerdict verdict = rpc_verdict(1e12, reliability);
    EXPECT_FALSE(verdict.reliable);
    EXPECT_FALSE(verdict.distinguished);
  }
  EXPECT_FALSE(rpc_verdict(std::nan(""), 1).reliable);
}

TEST(BrecRpc, WhatIsNotFiniteIsNotANumber) {
  EXPECT_TRUE(std::isnan(hotelling_t2(rows({1, 2, std::numeric_limits<double>::infinity()}, 1))));
  EXPECT_THROW(hotelling_t2(torch::zeros({1, 3}, torch::kFloat64)), std::invalid_argument);
  EXPECT_THROW(hotelling_t2(torch::zeros({4, 3})), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet::brec
