// Time and memory of the 30 official test splits, hints included.
#include <gtest/gtest.h>

#include "base/test_refusal.h"
#include "tasks/clrs/data/dataset.h"

namespace floydnet::clrs {
namespace {

void make_test_splits() {
  Sample sample;
  for (const Algorithm& algorithm : algorithms()) {
    const Recipe recipe = official_split(algorithm, Split::kTest);
    Stream stream(recipe);
    for (int64_t i = 0; i < recipe.samples; ++i) stream.next(sample);
  }
}

TEST(ClrsCost, TestSplitsTakeSecondsAndHardlyAnyMemory) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "a sanitizer takes time and memory of its own";
#endif
  // The official Python code took 106.7 s (one core of a server); 20 times faster is wanted.
  constexpr double kMaxSeconds = 106.7 / 20;
  const Cost cost = cost_of(make_test_splits);
  std::printf("30 test splits: %.2f s of processor time, %.0f MB\n", cost.seconds, cost.megabytes);
  EXPECT_LT(cost.seconds, kMaxSeconds);
  EXPECT_LT(cost.megabytes, 100);
}

}  // namespace
}  // namespace floydnet::clrs
