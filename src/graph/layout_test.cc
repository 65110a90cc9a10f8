#include <gtest/gtest.h>

#include <stdexcept>

#include "floydnet/graph.h"

namespace floydnet {
namespace {

TEST(TupleLayout, PacksGraphsWithoutPadding) {
  const TupleLayout layout(2, {3, 0, 5, 1});
  EXPECT_EQ(layout.graphs(), 4);
  EXPECT_EQ(layout.rows(), 9 + 25 + 1);
  EXPECT_EQ(layout.offset(0), 0);
  EXPECT_EQ(layout.offset(1), 9);
  EXPECT_EQ(layout.offset(2), 9);
  EXPECT_EQ(layout.offset(3), 34);
  EXPECT_EQ(layout.offset(4), 35);
  EXPECT_EQ(layout.row(2, {4, 3}), 9 + 4 * 5 + 3);
}

TEST(TupleLayout, TuplesOfEveryOrderAreLexicographic) {
  for (int order = 1; order <= kMaxOrder; ++order) {
    const TupleLayout layout = TupleLayout(2, {2, 3}).with_order(order);
    int64_t row = 0;
    for (int64_t graph = 0; graph < layout.graphs(); ++graph) {
      const int64_t tuples = layout.offset(graph + 1) - layout.offset(graph);
      for (int64_t index = 0; index < tuples; ++index, ++row) {
        std::array<int64_t, kMaxOrder> v{};
        int64_t rest = index;
        for (int r = order - 1; r >= 0; --r) {
          v[static_cast<size_t>(r)] = rest % layout.size(graph);
          rest /= layout.size(graph);
        }
        EXPECT_EQ(layout.row(graph, v), row);
        EXPECT_EQ(layout.tuple(row), std::make_pair(graph, v));
      }
    }
    EXPECT_EQ(row, layout.rows());
  }
}

TEST(TupleLayout, EqualityLooksAtOrderAndSizes) {
  EXPECT_TRUE(TupleLayout(2, {3, 4}) == TupleLayout(2, {3, 4}));
  EXPECT_FALSE(TupleLayout(2, {3, 4}) == TupleLayout(2, {4, 3}));
  EXPECT_FALSE(TupleLayout(2, {3, 4}) == TupleLayout(1, {3, 4}));
}

TEST(TupleLayout, RefusesMisuse) {
  EXPECT_THROW(TupleLayout(0, {1}), std::invalid_argument);
  EXPECT_THROW(TupleLayout(kMaxOrder + 1, {1}), std::invalid_argument);
  EXPECT_THROW(TupleLayout(2, {-1}), std::invalid_argument);
  EXPECT_THROW(TupleLayout(2, {3}).row(0, {0, 3}), std::invalid_argument);
  EXPECT_THROW(TupleLayout(2, {3}).row(1, {0, 0}), std::out_of_range);
}

TEST(TupleLayout, RowsHaveToFit63Bits) {
  constexpr int64_t kLargest = 55108;  // its fourth power is the largest below 2^63
  EXPECT_EQ(TupleLayout(4, {kLargest}).rows(), kLargest * kLargest * kLargest * kLargest);
  EXPECT_THROW(TupleLayout(4, {kLargest + 1}), std::invalid_argument);
  EXPECT_THROW(TupleLayout(4, {kLargest, kLargest}), std::invalid_argument);
  EXPECT_THROW(TupleLayout(1, {INT64_MAX, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet
