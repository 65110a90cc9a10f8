#include "bench/model_case.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace floydnet::bench {
namespace {

/// The largest difference relative to the largest value, over all results.
double relative_difference(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].sizes(), b[i].sizes());
    const double size = a[i].abs().max().item<double>();
    EXPECT_GT(size, 0) << "result " << i;
    largest = std::max(largest, (a[i] - b[i]).abs().max().item<double>() / size);
  }
  return largest;
}

TEST(PlainBlock, EqualsFloydBlockForwardAndBackward) {
  const BlockCase c = {12, 3, 5, 2};
  for (const Direction direction : {Direction::kForward, Direction::kForwardBackward}) {
    const auto ours = block_work(c, Side::kFused, direction, at::kDouble)();
    const auto plain = block_work(c, Side::kEinsum, direction, at::kDouble)();
    // The output; with gradients also those of the input and of eight parameters.
    EXPECT_EQ(ours.size(), direction == Direction::kForward ? 1u : 10u);
    EXPECT_LT(relative_difference(ours, plain), 1e-10);
    const auto single = block_work(c, Side::kFused, direction)();
    const auto plain_single = block_work(c, Side::kEinsum, direction)();
    EXPECT_LT(relative_difference(single, plain_single), 1e-4);
  }
}

TEST(PlainNet, TrainsAsFloydNetDoes) {
  const TrainCase c = {{8, 2, 5, 3}, 2};
  const Work ours = train_work(c, Side::kFused), plain = train_work(c, Side::kEinsum);
  for (int step = 0; step < 3; ++step) {
    const double loss = ours()[0].item<double>();
    EXPECT_NEAR(plain()[0].item<double>() / loss, 1, 1e-4) << "step " << step;
  }
}

TEST(BlockCase, CountsOperations) {
  const BlockCase c = {384, 6, 64, 2};
  const double n = 64, d = 384;
  EXPECT_DOUBLE_EQ(c.flops(Direction::kForward), 2 * (28 * n * n * d * d + 8 * n * n * n * d));
  EXPECT_DOUBLE_EQ(c.flops(Direction::kForwardBackward),
                   2 * (84 * n * n * d * d + 28 * n * n * n * d));
  EXPECT_EQ(c.name(), "d_r384 H6 N64 B2");
}

}  // namespace
}  // namespace floydnet::bench
