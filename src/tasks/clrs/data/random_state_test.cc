#include "tasks/clrs/data/random_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

namespace floydnet::clrs {
namespace {

TEST(ClrsRandomState, IsTheMersenneTwister) {
  for (const uint32_t seed : {0u, 1u, 42u, 0xffffffffu}) {
    std::mt19937 wanted(seed);
    RandomState random(seed);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(random.next_u32(), wanted()) << "word " << i;
  }
}

TEST(ClrsRandomState, WideWordsStartWithTheHighHalf) {
  RandomState narrow(5), wide(5);
  const uint64_t high = narrow.next_u32();
  EXPECT_EQ(wide.next_u64(), high << 32 | narrow.next_u32());
}

TEST(ClrsRandomState, IntegersCoverTheirRangeAndNothingElse) {
  RandomState random(3);
  std::vector<int64_t> seen(7, 0);
  for (const int64_t value : random.integers(-3, 4, 1000)) {
    ASSERT_GE(value, -3);
    ASSERT_LT(value, 4);
    ++seen[value + 3];
  }
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 100);
}

TEST(ClrsRandomState, ARangeOfOneConsumesNothing) {
  RandomState random(3), other(3);
  EXPECT_EQ(random.integer(7, 8), 7);
  EXPECT_EQ(random.choice(1), 0);
  EXPECT_EQ(random.next_u32(), other.next_u32());
}

TEST(ClrsRandomState, TheWidestRangeIsDrawnFromOneWideWord) {
  RandomState random(3), other(3);
  const int64_t least = std::numeric_limits<int64_t>::min();
  const int64_t most = std::numeric_limits<int64_t>::max();
  random.integer(least, most);  // 2^64 - 1 values: hardly ever rejected
  other.next_u64();
  EXPECT_EQ(random.next_u32(), other.next_u32());
}

TEST(ClrsRandomState, RefusesEmptyRanges) {
  RandomState random(1);
  EXPECT_THROW(random.integer(0, 0), std::invalid_argument);
  EXPECT_THROW(random.choice(-1), std::invalid_argument);
}

TEST(ClrsRandomState, PermutationsHoldEachNumberOnce) {
  RandomState random(9);
  for (const int64_t n : {0, 1, 2, 5, 100}) {
    std::vector<int64_t> order = random.permutation(n);
    std::sort(order.begin(), order.end());
    std::vector<int64_t> wanted(n);
    std::iota(wanted.begin(), wanted.end(), 0);
    EXPECT_EQ(order, wanted);
  }
}

TEST(ClrsRandomState, CertainEventsConsumeADraw) {
  RandomState random(4), other(4);
  EXPECT_EQ(random.binomial(Binomial(1, 0)), 0);
  EXPECT_EQ(random.binomial(Binomial(1, 1)), 1);
  other.real();
  other.real();
  EXPECT_EQ(random.next_u32(), other.next_u32());
}

TEST(ClrsRandomState, BinomialsHaveTheirMean) {
  RandomState random(6);
  for (const auto& [trials, p] : {std::pair<int64_t, double>(1, 0.3), {20, 0.9}, {100, 0.25}}) {
    const Binomial distribution(trials, p);
    double sum = 0;
    for (int i = 0; i < 4000; ++i) sum += static_cast<double>(random.binomial(distribution));
    const double mean = static_cast<double>(trials) * p;
    EXPECT_NEAR(sum / 4000, mean, 0.1 * std::max(1.0, mean * (1 - p)));
  }
}

TEST(ClrsRandomState, RefusesBinomialsThatNumPyDrawsOtherwise) {
  EXPECT_THROW(Binomial(1, -0.1), std::invalid_argument);
  EXPECT_THROW(Binomial(1, 1.1), std::invalid_argument);
  EXPECT_THROW(Binomial(1, std::nan("")), std::invalid_argument);
  EXPECT_THROW(Binomial(-1, 0.5), std::invalid_argument);
  EXPECT_THROW(Binomial(100, 0.5), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet::clrs
