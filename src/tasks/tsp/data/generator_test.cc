#include "tasks/tsp/data/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "base/hash.h"

namespace floydnet::tsp {
namespace {

TEST(Generator, WeightsAreUniform) {
  std::vector<int> counts(101);
  for (uint64_t index = 0; index < 100; ++index) {
    const Instance instance = make_instance(random_problem(Kind::kExplicit, 46, 1, index));
    for (int i = 0; i < 46; ++i) {
      for (int j = 0; j < i; ++j) ++counts.at(static_cast<std::size_t>(instance.weight(i, j)));
    }
  }
  EXPECT_EQ(counts[0], 0);
  for (std::size_t weight = 1; weight <= 100; ++weight) {  // 1035 each, a deviation of 32
    EXPECT_NEAR(counts[weight], 1035, 5 * 32) << weight;
  }
}

TEST(Generator, PointsAreDifferentIntegers) {
  for (const int cities : {1, 200, 10000}) {
    const Problem problem = random_problem(Kind::kEuclidean, cities, 1, 0);
    EXPECT_EQ(problem.metric, Metric::kEuc2d);
    std::set<std::pair<int, int>> seen;
    for (const Point& point : problem.points) {
      const int x = static_cast<int>(point.x), y = static_cast<int>(point.y);
      EXPECT_EQ(point.x, x);
      EXPECT_TRUE(x >= 1 && x <= 100 && y >= 1 && y <= 100);
      seen.emplace(x, y);
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(cities));
  }
}

/// Numbers that another machine must draw, too.
TEST(Generator, IsTheSameEverywhere) {
  const Problem weights = random_problem(Kind::kExplicit, 30, 7, 3);
  EXPECT_EQ(fnv1a(weights.weights.data(), weights.weights.size() * 4), 2045179040398163749U);
  const Problem points = random_problem(Kind::kEuclidean, 30, 7, 3);
  EXPECT_EQ(fnv1a(points.points.data(), points.points.size() * sizeof(Point)),
            16576308964294334000U);
}

TEST(Generator, EveryArgumentMatters) {
  std::set<std::vector<std::int32_t>> seen;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    for (uint64_t index = 0; index < 4; ++index) {
      seen.insert(random_problem(Kind::kExplicit, 20, seed, index).weights);
    }
  }
  EXPECT_EQ(seen.size(), 16U);
}

TEST(Generator, PerturbationIsSmallerThanAUnitOfWeight) {
  const Instance instance = make_instance(random_problem(Kind::kExplicit, 40, 1, 0));
  const Instance other = perturbed(instance, 1, 0);
  std::set<Length> noise;
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j < i; ++j) {
      noise.insert(other.weight(i, j) - kPerturbationScale * instance.weight(i, j));
    }
  }
  EXPECT_GT(noise.size(), static_cast<std::size_t>(kPerturbation) * 9 / 10);
  EXPECT_GE(*noise.begin(), 0);
  EXPECT_LE(*noise.rbegin(), kPerturbation);
  EXPECT_LT(499 * kPerturbation, kPerturbationScale);
}

}  // namespace
}  // namespace floydnet::tsp
