// Pivotal Attention with a head a lane against its formula.
#include "kernels/lane_kernel.h"

#include <deque>

#include "kernels/test_head.h"

namespace floydnet::kernels {
namespace {

/// Heads of graphs with so many nodes, side by side.
template <typename T>
class Lanes {
 public:
  Lanes(const std::vector<int64_t>& sizes, int64_t dim, bool multiplicative) {
    for (const int64_t nodes : sizes) {
      const auto seed = 100 * static_cast<uint64_t>(heads_.size());
      heads_.emplace_back(HeadCase{2, nodes, dim, multiplicative, false, seed});
    }
  }

  void run() {
    for (Head<T>& head : heads_) {
      views_.push_back(head.view());
      grads_.push_back(head.gradients());
    }
    std::vector<LaneHead<T>> lanes;
    for (size_t i = 0; i < heads_.size(); ++i) {
      EXPECT_TRUE(suits_lane_kernel(views_[i]));
      lanes.push_back({&views_[i], &grads_[i]});
    }
    const auto count = static_cast<int64_t>(lanes.size());
    ASSERT_LE(count, lane_count<T>());
    forward_lanes(lanes.data(), count);
    backward_lanes(lanes.data(), count);
  }

  Head<T>& head(size_t i) { return heads_[i]; }
  std::deque<Head<T>>& heads() { return heads_; }

 private:
  std::deque<Head<T>> heads_;
  std::deque<HeadView<T>> views_;
  std::deque<HeadGradients<T>> grads_;
};

/// Some of these sizes, as many as there are lanes.
template <typename T>
std::vector<int64_t> sizes_of(std::initializer_list<int64_t> sizes) {
  std::vector<int64_t> some = sizes;
  some.resize(std::min<size_t>(some.size(), static_cast<size_t>(lane_count<T>())));
  return some;
}

template <typename T>
void check_sizes(std::initializer_list<int64_t> sizes, int64_t dim) {
  for (const bool multiplicative : {false, true}) {
    SCOPED_TRACE(testing::Message() << "d = " << dim << (multiplicative ? ", multiplicative" : "")
                                    << (sizeof(T) == 4 ? ", float32" : ", float64"));
    Lanes<T> lanes(sizes_of<T>(sizes), dim, multiplicative);
    lanes.run();
    for (Head<T>& head : lanes.heads()) head.check_all();
  }
}

TEST(LaneKernel, EqualsTheFormula) {
  on_every_target([] {
    for (int64_t dim = 1; dim <= 8; ++dim) {
      check_sizes<float>({5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, dim);
      check_sizes<double>({6, 4, 6, 1, 2, 3, 6, 6}, dim);
    }
    check_sizes<float>({17, 3, 16, 9, 1, 2, 12}, 8);
    check_sizes<double>({11, 8}, 8);
    check_sizes<float>({40}, 4);
  });
}

TEST(LaneKernel, LanesDoNotAffectEachOther) {
  on_every_target([] {
    const std::vector<int64_t> sizes = sizes_of<float>({7, 10, 10, 4, 9, 10, 3, 8});
    Lanes<float> together(sizes, 8, false);
    // What is no number stays in its own lane.
    if (sizes.size() > 1) together.head(1).queries()[3] = std::numeric_limits<float>::quiet_NaN();
    together.run();
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (i == 1) continue;
      Lanes<float> alone({sizes[i]}, 8, false);
      alone.head(0) = Head<float>({2, sizes[i], 8, false, false, 100 * i});
      alone.run();
      EXPECT_EQ(alone.head(0).outputs(), together.head(i).outputs()) << i;
      EXPECT_EQ(alone.head(0).written(), together.head(i).written()) << i;
    }
    if (sizes.size() > 1) {
      const std::vector<float>& out = together.head(1).outputs();
      EXPECT_TRUE(std::isnan(out[0]));
      EXPECT_FALSE(std::isnan(out[8]));
    }
  });
}

TEST(LaneKernel, LeavesOutGradientsThatAreNotWanted) {
  on_every_target([] {
    Head<float> head({2, 6, 8, false, false});
    const HeadView<float> view = head.view();
    HeadGradients<float> grads = head.gradients();
    grads.q.data = nullptr;
    grads.key[0].data = nullptr;
    grads.value[1].data = nullptr;
    const LaneHead<float> lane = {&view, &grads};
    forward_lanes(&lane, 1);
    backward_lanes(&lane, 1);
    const auto written = head.written();  // dq, dmask, dkey, dvalue, ...
    const auto is_zero = [](const std::vector<float>& numbers) {
      return std::all_of(numbers.begin(), numbers.end(), [](float x) { return x == 0; });
    };
    EXPECT_TRUE(is_zero(written[0]));
    EXPECT_TRUE(is_zero(written[2]));
    EXPECT_FALSE(is_zero(written[3]));
    EXPECT_FALSE(is_zero(written[4]));
    EXPECT_TRUE(is_zero(written[5]));
  });
}

TEST(LaneKernel, TakesPlainSmallHeadsOnly) {
  Head<float> head({2, 6, 8, false, false}), wide({2, 6, 16, false, false}),
      large({2, 41, 8, false, false}), with_extras({2, 6, 8, false, true}),
      single({1, 6, 8, false, false});
  EXPECT_TRUE(suits_lane_kernel(head.view()));
  EXPECT_FALSE(suits_lane_kernel(wide.view()));
  EXPECT_FALSE(suits_lane_kernel(large.view()));
  EXPECT_FALSE(suits_lane_kernel(with_extras.view()));
  EXPECT_FALSE(suits_lane_kernel(single.view()));
  HeadView<float> view = head.view();
  view.dropout = 0.5;
  EXPECT_FALSE(suits_lane_kernel(view));
}

}  // namespace
}  // namespace floydnet::kernels
