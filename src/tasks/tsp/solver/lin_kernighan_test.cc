#include "tasks/tsp/solver/lin_kernighan.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/stopwatch.h"
#include "floydnet/error.h"
#include "tasks/tsp/solver/test_instances.h"

namespace floydnet::tsp {
namespace {

TEST(TspLinKernighan, GivesATourAndItsLengthForAnyNumberOfCities) {
  for (int cities = 1; cities <= 40; ++cities) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const Instance instance = random_instance(cities, seed);
      LinKernighanOptions options;
      options.kicks = 5;
      const LinKernighanResult result = lin_kernighan(instance, options);
      ASSERT_NO_THROW(check_tour(result.tour, cities)) << cities;
      EXPECT_EQ(result.length, tour_length(instance, result.tour)) << cities << " " << seed;
    }
  }
}

TEST(TspLinKernighan, IsNeverLongerThanItsStart) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Instance instance = random_instance(30, seed);
    LinKernighanOptions options;
    options.start.resize(30);
    std::iota(options.start.begin(), options.start.end(), 0);
    const Length without_kicks = lin_kernighan(instance, options).length;
    EXPECT_LE(without_kicks, tour_length(instance, options.start));
    options.kicks = 50;
    EXPECT_LE(lin_kernighan(instance, options).length, without_kicks);
  }
}

TEST(TspLinKernighan, FindsOptimaOfFewCities) {
  int optimal = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Instance instance = random_instance(9, seed);
    LinKernighanOptions options;
    options.kicks = 90;
    if (lin_kernighan(instance, options).length == count_optima(instance).first) ++optimal;
  }
  EXPECT_GE(optimal, 58);
}

TEST(TspLinKernighan, DependsOnTheSeedOnly) {
  const Instance instance = random_points(100, 3, 1000);
  LinKernighanOptions options;
  options.kicks = 100;
  EXPECT_EQ(lin_kernighan(instance, options).tour, lin_kernighan(instance, options).tour);
}

TEST(TspLinKernighan, EndsAtTheTimeLimitAndOnStop) {
  const Instance instance = random_points(1000, 5, 1000000);
  LinKernighanOptions options;
  options.kicks = std::numeric_limits<std::int64_t>::max();
  options.time_limit = 0.2;
  auto start = std::chrono::steady_clock::now();
  EXPECT_NO_THROW(check_tour(lin_kernighan(instance, options).tour, 1000));
  EXPECT_LT(seconds_since(start), 2);
  const std::atomic<bool> stop = true;
  options.time_limit = std::numeric_limits<double>::infinity();
  options.stop = &stop;
  start = std::chrono::steady_clock::now();
  EXPECT_NO_THROW(check_tour(lin_kernighan(instance, options).tour, 1000));
  EXPECT_LT(seconds_since(start), 2);
}

TEST(TspLinKernighan, RefusesAStartThatIsNoTour) {
  LinKernighanOptions options;
  options.start = {0, 1, 1, 3, 4};
  EXPECT_THROW(lin_kernighan(random_matrix(5, 1, 1, 9), options), InputError);
}

}  // namespace
}  // namespace floydnet::tsp
