#include "tasks/graphs/batches/order.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace floydnet::graphs {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

std::vector<int64_t> first_numbers(int64_t count) {
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST(EpochOrder, MeetsEveryGraphOnceAnEpochInOtherOrders) {
  const EpochOrder order({3, 5, 8, 13, 21}, 7);
  std::set<std::vector<int64_t>> seen;
  for (int64_t epoch = 0; epoch < 6; ++epoch) {
    const std::vector<int64_t> graphs = order.at(5 * epoch, 5);
    EXPECT_THAT(graphs, UnorderedElementsAreArray({3, 5, 8, 13, 21}));
    seen.insert(graphs);
  }
  EXPECT_GT(seen.size(), 3u);
}

TEST(EpochOrder, DependsOnSeedAndPlaceAlone) {
  const EpochOrder a(first_numbers(100), 1), b(first_numbers(100), 1), c(first_numbers(100), 2);
  const std::vector<int64_t> late = a.at(1234, 50);
  a.at(0, 700);
  EXPECT_EQ(a.at(1234, 50), late);
  EXPECT_EQ(b.at(1234, 50), late);
  EXPECT_NE(c.at(1234, 50), late);
  // Across the end of an epoch.
  std::vector<int64_t> both = a.at(80, 20);
  for (const int64_t graph : a.at(100, 30)) both.push_back(graph);
  EXPECT_EQ(a.at(80, 50), both);
}

TEST(ShareOf, EveryGraphHasOneOwnerAndOwnersHaveAboutAsMuch) {
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < 64; ++i) sizes.push_back(10 + i * i % 37);
  const std::vector<int64_t> graphs = first_numbers(64);
  std::vector<int64_t> all;
  std::vector<int64_t> loads;
  for (int64_t part = 0; part < 4; ++part) {
    int64_t load = 0;
    for (const int64_t graph : share_of(graphs, sizes, part, 4)) {
      all.push_back(graph);
      load += sizes[static_cast<size_t>(graph)] * sizes[static_cast<size_t>(graph)];
    }
    loads.push_back(load);
  }
  EXPECT_THAT(all, UnorderedElementsAreArray(graphs));
  const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
  EXPECT_LT(*most, *least * 1.1);
}

TEST(CutToPieces, StaysWithinTheBudgetButForGraphsThatAreLarger) {
  const std::vector<int64_t> sizes = {3, 444, 5, 4, 2, 6};
  EXPECT_THAT(cut_to_pieces({0, 1, 2, 3, 4, 5}, sizes, 2, 52),
              ElementsAre(ElementsAre(1), ElementsAre(5), ElementsAre(2, 3, 0), ElementsAre(4)));
  EXPECT_THAT(cut_to_pieces({0, 2, 4}, sizes, 1, 10), ElementsAre(ElementsAre(2, 0, 4)));
  EXPECT_TRUE(cut_to_pieces({}, sizes, 2, 10).empty());
}

}  // namespace
}  // namespace floydnet::graphs
