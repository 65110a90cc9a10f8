#include "report/curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace floydnet::report {
namespace {

Curve curve_of(size_t count, const std::function<double(double)>& value) {
  Curve curve;
  for (size_t i = 0; i < count; ++i) {
    const auto step = static_cast<double>(i);
    curve.push_back({step, 2 * step, value(step)});
  }
  return curve;
}

TEST(Curve, ThinnedKeepsEndsAndOrder) {
  const Curve few = thinned(curve_of(10007, [](double step) { return std::sin(step); }), 100);
  EXPECT_LE(few.size(), 101u);
  EXPECT_GE(few.size(), 99u);
  EXPECT_EQ(few.front().step, 0);
  EXPECT_EQ(few.back().step, 10006);
  EXPECT_EQ(few.back().seconds, 20012);
  for (size_t i = 1; i < few.size(); ++i) EXPECT_LE(few[i - 1].step, few[i].step);
}

TEST(Curve, FewPointsStayAsTheyAreButForThoseThatAreNone) {
  Curve curve = curve_of(20, [](double step) { return step; });
  curve[3].value = NAN;
  curve[4].value = INFINITY;
  EXPECT_EQ(thinned(curve, 100).size(), 18u);
  const SmoothedCurve both = smoothed(curve, 100);
  EXPECT_EQ(both.smooth.size(), 18u);
  EXPECT_EQ(both.smooth[3].value, 5);
  EXPECT_TRUE(both.raw.empty());
  EXPECT_TRUE(smoothed({}, 100).smooth.empty());
}

TEST(Curve, SmoothingKeepsLinesAndRemovesNoise) {
  const SmoothedCurve line = smoothed(curve_of(3000, [](double step) { return 7 * step; }), 200);
  ASSERT_EQ(line.smooth.size(), 200u);
  for (size_t i = 20; i < 180; ++i) {  // at the ends half of the bell is missing
    EXPECT_NEAR(line.smooth[i].value, 7 * line.smooth[i].step, 1e-6);
  }
  const auto noise = [](double step) { return std::fmod(step * 0.6180339887, 1.0); };
  for (const CurvePoint& point : smoothed(curve_of(3000, noise), 200).smooth) {
    EXPECT_NEAR(point.value, 0.5, 0.05);
  }
}

TEST(Curve, RawIsTheRangeWithoutOutliers) {
  const auto value = [](double step) { return step == 700 ? 1e9 : std::fmod(step, 10); };
  const SmoothedCurve both = smoothed(curve_of(5000, value), 100);
  ASSERT_EQ(both.raw.size(), 200u);
  double low = INFINITY, high = 0, highest_mean = 0;
  for (const CurvePoint& point : both.smooth) highest_mean = std::max(highest_mean, point.value);
  for (const CurvePoint& point : both.raw) {
    low = std::min(low, point.value);
    high = std::max(high, point.value);
  }
  EXPECT_EQ(low, 0);
  EXPECT_EQ(high, highest_mean);  // the spike is cut, but not below what is drawn anyway
}

}  // namespace
}  // namespace floydnet::report
