#include "report/scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace floydnet {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Le;
using ::testing::SizeIs;

TEST(Scale, TickTextIsShort) {
  EXPECT_EQ(tick_text(0), "0");
  EXPECT_EQ(tick_text(0.25), "0.25");
  EXPECT_EQ(tick_text(-2000), "-2000");
  EXPECT_EQ(tick_text(12500), "12.5k");
  EXPECT_EQ(tick_text(2e6), "2M");
  EXPECT_EQ(tick_text(-3e9), "-3G");
  EXPECT_EQ(tick_text(1e-5), "1e-5");
  EXPECT_EQ(tick_text(2.5e-10), "2.5e-10");
  EXPECT_EQ(tick_text(1e15), "1e15");
}

// Labels tell ticks apart, and there are neither too few nor too many, whatever the range.
TEST(Scale, TicksSuitTheRange) {
  const std::vector<std::pair<double, double>> ranges = {
      {0, 1},      {0.031, 0.034}, {1e-9, 1e12},    {5, 5},     {0.001, 0.001}, {1e-300, 1e300},
      {999, 1001}, {1e15, 1e15},   {1e-5, 2.01e-5}, {3e7, 4e7}, {0.9, 1.1},     {1, 400}};
  for (const auto& [low, high] : ranges) {
    for (const bool logarithmic : {false, true}) {
      if (logarithmic && low <= 0) continue;
      SCOPED_TRACE(::testing::Message() << low << " to " << high << " " << logarithmic);
      const Scale scale({"", logarithmic}, {low, high});
      const std::vector<double> ticks = scale.ticks();
      EXPECT_THAT(ticks, SizeIs(AllOf(Ge(2u), Le(12u))));
      std::set<std::string> texts;
      for (const double tick : ticks) {
        texts.insert(tick_text(tick));
        EXPECT_GE(scale(tick), -1e-9);
        EXPECT_LE(scale(tick), 1 + 1e-9);
      }
      EXPECT_EQ(texts.size(), ticks.size());
    }
  }
}

TEST(Scale, HoldsItsValues) {
  const Scale scale({"", false}, {-3, 5, std::nan(""), HUGE_VAL, 1e305});
  EXPECT_GT(scale(-3), 0);
  EXPECT_LT(scale(5), 1);
  EXPECT_GT(scale(5) - scale(-3), 0.9);
  EXPECT_THAT(Scale({"", false, {1, 2}}, {}).ticks(), ElementsAre(1, 2));
}

}  // namespace
}  // namespace floydnet
