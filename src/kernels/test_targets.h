// For tests of kernels: every SIMD target that is compiled and that this machine has.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <functional>
#include <random>
#include <vector>

namespace floydnet::kernels {

inline void on_every_target(const std::function<void()>& test) {
  int tried = 0;
  const int64_t available = hwy::SupportedTargets() & HWY_TARGETS;
  for (int64_t rest = available; rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    hwy::SetSupportedTargetsForTest(target);
    SCOPED_TRACE(hwy::TargetName(target));
    test();
    ++tried;
  }
  hwy::SetSupportedTargetsForTest(available);
  EXPECT_GT(tried, 0);
}

template <typename T>
std::vector<T> random_numbers(int64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<T> numbers(static_cast<size_t>(count));
  for (T& x : numbers) x = static_cast<T>(normal(random));
  return numbers;
}

}  // namespace floydnet::kernels
