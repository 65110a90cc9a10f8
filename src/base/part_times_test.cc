#include "base/part_times.h"

#include <gtest/gtest.h>

#include <thread>

namespace floydnet {
namespace {

void wait(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

TEST(PartTimes, TimeWithinAnotherPartCountsOnce) {
  start_part_times();
  {
    const TimedPart outer("outer");
    wait(10);
    {
      const TimedPart inner("inner");
      wait(40);
    }
  }
  const auto seconds = stop_part_times();
  ASSERT_EQ(seconds.size(), 2);
  EXPECT_GE(seconds.at("outer"), 0.010);
  EXPECT_LT(seconds.at("outer"), 0.040);
  EXPECT_GE(seconds.at("inner"), 0.040);
}

TEST(PartTimes, AddsUpThreads) {
  start_part_times();
  const auto work = [] {
    const TimedPart part("part");
    wait(20);
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_GE(stop_part_times().at("part"), 0.040);
}

TEST(PartTimes, NothingIsKeptWhileNobodyMeasures) {
  { const TimedPart part("before"); }
  start_part_times();
  EXPECT_TRUE(stop_part_times().empty());
  { const TimedPart part("after"); }
  start_part_times();
  EXPECT_TRUE(stop_part_times().empty());
}

}  // namespace
}  // namespace floydnet
