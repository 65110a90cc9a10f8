#include "tasks/tsp/data/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_refusal.h"

namespace floydnet::tsp {
namespace {

using testing::HasSubstr;

Length weight(Metric metric, Point a, Point b) {
  Problem problem;
  problem.name = "two";
  problem.metric = metric;
  problem.points = {a, b};
  return make_instance(problem).weight(0, 1);
}

TEST(Metric, RoundsAsTsplibSays) {
  EXPECT_EQ(weight(Metric::kEuc2d, {0, 0}, {1, 1}), 1);
  EXPECT_EQ(weight(Metric::kEuc2d, {0, 0}, {2, 2}), 3);
  EXPECT_EQ(weight(Metric::kEuc2d, {0, 0}, {0, 2.5}), 3);
  EXPECT_EQ(weight(Metric::kCeil2d, {0, 0}, {1, 1}), 2);
  EXPECT_EQ(weight(Metric::kCeil2d, {0, 0}, {3, 4}), 5);
  EXPECT_EQ(weight(Metric::kMan2d, {0, 0}, {1.2, 1.2}), 2);
  EXPECT_EQ(weight(Metric::kMan2d, {0, 0}, {-1.3, 1.2}), 3);
  EXPECT_EQ(weight(Metric::kMax2d, {0, 0}, {1.5, -1.4}), 2);
  EXPECT_EQ(weight(Metric::kAtt, {0, 0}, {10, 0}), 4);    // sqrt(10) = 3.16, rounded up
  EXPECT_EQ(weight(Metric::kAtt, {0, 0}, {30, 10}), 10);  // sqrt(100)
  EXPECT_EQ(weight(Metric::kGeo, {38.24, 20.42}, {39.57, 26.15}), 509);  // ulysses16: 1 to 2
  EXPECT_EQ(weight(Metric::kGeo, {38.24, 20.42}, {38.24, 20.42}), 1);
  EXPECT_EQ(weight(Metric::kGeo, {-90, 0}, {90, 180}), 20039);
}

TEST(Metric, RealDistancesAreScaledToIntegers) {
  Problem problem;
  problem.metric = Metric::kReal;
  problem.points = {{0, 0}, {0.3, 0.4}, {1, 1}};
  const Instance unit = make_instance(problem);
  EXPECT_EQ(unit.scale, 1e7);
  EXPECT_EQ(unit.weight(0, 1), 5000000);
  EXPECT_EQ(unit.weight(0, 2), 14142136);
  EXPECT_DOUBLE_EQ(real_length(problem, {0, 1, 2}), 0.5 + std::sqrt(0.49 + 0.36) + std::sqrt(2.0));
  for (Point& point : problem.points) point = {1000 * point.x, 1000 * point.y};
  const Instance large = make_instance(problem);
  EXPECT_EQ(large.scale, 1e6);
  EXPECT_EQ(large.weight(0, 1), 500000000);
}

TEST(Metric, DistancesThatDoNotFitAreRefused) {
  EXPECT_EQ(weight(Metric::kEuc2d, {0, 0}, {2147483647, 0}), 2147483647);
  EXPECT_THAT(refusal([] {
                weight(Metric::kEuc2d, {0, 0}, {2147483648, 0});
              }),
              HasSubstr("two: the distance of cities 1 and 2 is 2.14748e+09"));
  EXPECT_THAT(refusal([] {
                weight(Metric::kMan2d, {-1e308, 0}, {1e308, 0});
              }),
              HasSubstr("below 2^31"));
  EXPECT_THAT(refusal([] {
                weight(Metric::kReal, {-1e308, 0}, {1e308, 0});
              }),
              HasSubstr("below 2^31"));
  EXPECT_THAT(refusal([] {
                weight(Metric::kGeo, {1e308, 0}, {-1e308, 0});
              }),
              HasSubstr("below 2^31"));
}

TEST(Problem, OfNoCitiesIsRefused) {
  Problem problem;
  EXPECT_THAT(refusal([&] { make_instance(problem); }), HasSubstr("0 cities"));
  problem.metric = Metric::kEuc2d;
  EXPECT_THAT(refusal([&] { make_instance(problem); }), HasSubstr("0 cities"));
}

}  // namespace
}  // namespace floydnet::tsp
