#include "console/interruptible.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace floydnet {
namespace {

void wait_for(const std::atomic<bool>& stop) {
  while (!stop) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Interruptible, ASignalStopsTheWork) {
  int shown = 0;
  const int signal = run_interruptibly(wait_for, [&] {
    if (++shown == 2) std::raise(SIGINT);
  });
  EXPECT_EQ(signal, SIGINT);
  EXPECT_GE(shown, 2);
}

TEST(Interruptible, WorkThatEndsByItself) {
  bool done = false;
  EXPECT_EQ(run_interruptibly([&](const std::atomic<bool>&) { done = true; }, [] {}), 0);
  EXPECT_TRUE(done);
}

TEST(Interruptible, ExceptionsArriveHere) {
  const auto work = [](const std::atomic<bool>&) { throw std::runtime_error("no"); };
  EXPECT_THROW(run_interruptibly(work, [] {}), std::runtime_error);
}

}  // namespace
}  // namespace floydnet
