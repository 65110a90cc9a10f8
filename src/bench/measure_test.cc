#include "bench/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace floydnet::bench {
namespace {

/// Time that passes only while somebody works.
class FakeTime {
 public:
  std::function<double()> clock() {
    return [this] { return now_; };
  }
  /// A side whose runs take these times in turn.
  std::function<void()> side(std::vector<double> durations, char name = '?') {
    return [this, durations, name, run = size_t{0}]() mutable {
      now_ += durations[run++ % durations.size()];
      order += name;
    };
  }

  std::string order;

 private:
  double now_ = 100;
};

MeasureOptions options_with(FakeTime& time) {
  MeasureOptions options;
  options.warmup_rounds = 0;
  options.rounds = 3;
  options.seconds = 0;
  options.turn_seconds = 0;
  options.clock = time.clock();
  return options;
}

TEST(Measure, GivesMinimumAndMedianOfEachSide) {
  FakeTime time;
  MeasureOptions options = options_with(time);
  options.rounds = 4;
  const auto timings = measure({time.side({4, 1, 3, 8}), time.side({2})}, options);
  ASSERT_EQ(timings.size(), 2u);
  EXPECT_DOUBLE_EQ(timings[0].min, 1);
  EXPECT_DOUBLE_EQ(timings[0].median, 3.5);
  EXPECT_EQ(timings[0].runs, 4);
  EXPECT_DOUBLE_EQ(timings[1].min, 2);
  EXPECT_DOUBLE_EQ(timings[1].median, 2);
}

TEST(Measure, SidesTakeTurns) {
  FakeTime time;
  measure({time.side({1}, 'a'), time.side({1}, 'b'), time.side({1}, 'c')}, options_with(time));
  EXPECT_EQ(time.order, "abcabcabc");
}

TEST(Measure, WarmUpIsNotCounted) {
  FakeTime time;
  MeasureOptions options = options_with(time);
  options.warmup_rounds = 2;
  const auto timings = measure({time.side({0.5, 0.5, 7, 8, 9}, 'a')}, options);
  EXPECT_EQ(time.order, "aaaaa");
  EXPECT_DOUBLE_EQ(timings[0].min, 7);
  EXPECT_DOUBLE_EQ(timings[0].median, 8);
  EXPECT_EQ(timings[0].runs, 3);
}

TEST(Measure, RunsForTheTimeThatIsAskedFor) {
  FakeTime time;
  MeasureOptions options = options_with(time);
  options.seconds = 10;
  const auto timings = measure({time.side({0.5}), time.side({0.5})}, options);
  EXPECT_EQ(timings[0].runs, 10);
  EXPECT_EQ(timings[1].runs, 10);
}

TEST(Measure, AShortSideRepeatsWithinItsTurn) {
  FakeTime time;
  MeasureOptions options = options_with(time);
  options.turn_seconds = 1;
  options.rounds = 2;
  measure({time.side({0.25}, 'a'), time.side({3}, 'b')}, options);
  EXPECT_EQ(time.order, "aaaabaaaab");
}

TEST(Measure, NothingToMeasureIsNoError) { EXPECT_TRUE(measure({}).empty()); }

TEST(Measure, ThePeakSideCountsItsOperations) {
  const PeakSide peak = peak_side();
  EXPECT_GT(peak.operations, 1e6);
  const double start = steady_seconds();
  peak.run();
  EXPECT_LT(steady_seconds() - start, 5);
}

TEST(Growth, OfPowersIsTheirExponent) {
  std::vector<std::pair<double, double>> cubic, constant;
  for (const double n : {64.0, 96.0, 128.0, 512.0}) {
    cubic.emplace_back(n, 7e-9 * n * n * n);
    constant.emplace_back(n, 3);
  }
  EXPECT_NEAR(growth_exponent(cubic), 3, 1e-12);
  EXPECT_NEAR(growth_exponent(constant), 0, 1e-12);
  EXPECT_TRUE(std::isnan(growth_exponent({{64, 1}})));
}

}  // namespace
}  // namespace floydnet::bench
