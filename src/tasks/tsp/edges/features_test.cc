#include "tasks/tsp/edges/features.h"

#include <gtest/gtest.h>

#include "floydnet/error.h"

namespace floydnet::tsp {
namespace {

Instance small(std::int32_t unit = 1) {
  std::vector<std::int32_t> weights = {0, 3, 3, 7,  //
                                       3, 0, 1, 5,  //
                                       3, 1, 0, 2,  //
                                       7, 5, 2, 0};
  for (std::int32_t& weight : weights) weight *= unit;
  return Instance("small", 4, weights);
}

TEST(TspFeatures, TiesShareTheirRanks) {
  const std::vector<float> ranks = edge_ranks(small());
  const std::vector<float> wanted = {-1, 0.5, 0.5, 2, 1, -1, 0, 2, 2, 0, -1, 1, 2, 1, 0, -1};
  EXPECT_EQ(ranks, wanted);
}

TEST(TspFeatures, DoNotDependOnTheUnit) {
  const std::vector<float> one = edge_features(small()), many = edge_features(small(1000));
  ASSERT_EQ(one.size(), std::size_t{16 * kEdgeFeatures});
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], many[i], 1e-6) << i;
}

TEST(TspFeatures, FollowTheNamesOfCities) {
  const int name[] = {2, 0, 3, 1};
  const Instance before = small();
  std::vector<std::int32_t> weights(16);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) weights[name[i] * 4 + name[j]] = before.row(i)[j];
  }
  const std::vector<float> a = edge_features(before);
  const std::vector<float> b = edge_features(Instance("renamed", 4, weights));
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int f = 0; f < kEdgeFeatures; ++f) {
        EXPECT_EQ(a[(i * 4 + j) * kEdgeFeatures + f],
                  b[(name[i] * 4 + name[j]) * kEdgeFeatures + f]);
      }
    }
  }
}

TEST(TspFeatures, AreFiniteWhereAllWeightsAreZero) {
  const Instance zeros("zeros", 3, std::vector<std::int32_t>(9, 0));
  for (const float feature : edge_features(zeros)) EXPECT_TRUE(std::isfinite(feature));
}

TEST(TspFeatures, PublishedModelsKnowSmallWeightsOnly) {
  EXPECT_EQ(edge_categories(small())[3], 7);
  EXPECT_THROW(edge_categories(small(100)), InputError);
}

}  // namespace
}  // namespace floydnet::tsp
