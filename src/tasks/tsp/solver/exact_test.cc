#include "tasks/tsp/solver/exact.h"

#include <gtest/gtest.h>

#include "base/stopwatch.h"
#include "tasks/tsp/solver/test_instances.h"

namespace floydnet::tsp {
namespace {

void expect_optimal(const Instance& instance, const ExactResult& result, Length optimum) {
  EXPECT_TRUE(result.proven);
  EXPECT_EQ(result.length, optimum);
  EXPECT_EQ(result.bound, optimum);
  EXPECT_NO_THROW(check_tour(result.tour, instance.cities()));
  EXPECT_EQ(tour_length(instance, result.tour), optimum);
}

TEST(TspExact, AgreesWithHeldAndKarp) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Instance instance = random_instance(3 + static_cast<int>(seed / 6 % 10), seed);
    ExactOptions options;
    options.certificate = seed % 2 == 0;  // by branch and cut
    SCOPED_TRACE(seed);
    expect_optimal(instance, solve_exact(instance, options), count_optima(instance).first);
  }
}

TEST(TspExact, BothWaysAgreeWhereFewCitiesEnd) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const Instance instance = random_instance(24, seed);
    ExactOptions options;
    const Length without_lp = solve_exact(instance, options).length;
    options.certificate = true;
    SCOPED_TRACE(seed);
    expect_optimal(instance, solve_exact(instance, options), without_lp);
  }
}

TEST(TspExact, UniquenessAgreesWithCounting) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Instance instance = random_instance(3 + static_cast<int>(seed / 6 % 8), seed);
    const auto [optimum, count] = count_optima(instance);
    const Tour tour = solve_exact(instance, {}).tour;
    const UniquenessResult result = check_unique(instance, tour, {});
    SCOPED_TRACE(seed);
    EXPECT_EQ(result.uniqueness, count == 1 ? Uniqueness::kUnique : Uniqueness::kNotUnique);
    if (count == 1) continue;
    EXPECT_NO_THROW(check_tour(result.other, instance.cities()));
    EXPECT_EQ(tour_length(instance, result.other), optimum);
    EXPECT_NE(result.other, tour);
  }
}

TEST(TspExact, UniquenessOfMoreCities) {
  const Instance unique = random_matrix(50, 1, 0, 1000000000);
  EXPECT_EQ(check_unique(unique, solve_exact(unique, {}).tour, {}).uniqueness, Uniqueness::kUnique);
  const Instance tied = random_matrix(50, 1, 1, 3);
  EXPECT_EQ(check_unique(tied, solve_exact(tied, {}).tour, {}).uniqueness, Uniqueness::kNotUnique);
}

TEST(TspExact, OneAndTwoCities) {
  expect_optimal(random_matrix(1, 1, 5, 5), solve_exact(random_matrix(1, 1, 5, 5), {}), 0);
  expect_optimal(random_matrix(2, 1, 5, 5), solve_exact(random_matrix(2, 1, 5, 5), {}), 10);
  EXPECT_EQ(check_unique(random_matrix(2, 1, 5, 5), {1, 0}, {}).uniqueness, Uniqueness::kUnique);
}

TEST(TspExact, EqualWeights) {
  for (const int cities : {4, 17, 60}) {
    for (const std::int32_t weight : {0, 1, 2147483647}) {
      const Instance instance = random_matrix(cities, 1, weight, weight);
      expect_optimal(instance, solve_exact(instance, {}), Length{weight} * cities);
      const Tour tour = solve_exact(instance, {}).tour;
      EXPECT_EQ(check_unique(instance, tour, {}).uniqueness, Uniqueness::kNotUnique);
    }
  }
}

TEST(TspExact, EqualPoints) {
  const Instance instance = random_points(60, 7, 2);
  expect_optimal(instance, solve_exact(instance, {}), 4);
}

TEST(TspExact, LargeWeights) {
  const Instance instance = random_matrix(60, 2, 2000000000, 2147483647);
  const ExactResult result = solve_exact(instance, {});
  expect_optimal(instance, result, result.length);
}

TEST(TspExact, DependsOnTheSeedOnly) {
  const Instance instance = random_points(60, 11, 100);
  const ExactResult a = solve_exact(instance, {});
  const ExactResult b = solve_exact(instance, {});
  EXPECT_EQ(a.tour, b.tour);
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.cuts, b.cuts);
}

TEST(TspExact, EndsAtTheTimeLimitWithAValidBound) {
  const Instance instance = random_points(1000, 5, 1000000);
  ExactOptions options;
  options.time_limit = 0.5;
  const auto start = std::chrono::steady_clock::now();
  const ExactResult result = solve_exact(instance, options);
  EXPECT_LT(seconds_since(start), 2.5);
  EXPECT_FALSE(result.proven);
  EXPECT_LE(result.bound, result.length);
  EXPECT_GT(result.bound, 0);
  EXPECT_EQ(result.length, tour_length(instance, result.tour));
}

TEST(TspExact, EndsOnStop) {
  const Instance instance = random_points(1000, 5, 1000000);
  const std::atomic<bool> stop = true;
  ExactOptions options;
  options.stop = &stop;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NO_THROW(check_tour(solve_exact(instance, options).tour, 1000));
  EXPECT_LT(seconds_since(start), 2.5);
}

}  // namespace
}  // namespace floydnet::tsp
