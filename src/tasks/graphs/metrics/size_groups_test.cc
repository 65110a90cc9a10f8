#include "tasks/graphs/metrics/size_groups.h"

#include <gmock/gmock.h>

namespace floydnet::graphs {
namespace {

using ::testing::ElementsAre;

TEST(SizeGroups, HaveAboutAsManyGraphsEach) {
  const auto groups = size_groups({9, 1, 5, 3, 7, 2}, 3);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_THAT(groups[0].graphs, ElementsAre(1, 5));
  EXPECT_THAT(groups[1].graphs, ElementsAre(3, 2));
  EXPECT_THAT(groups[2].graphs, ElementsAre(4, 0));
  EXPECT_EQ(groups[1].smallest, 3);
  EXPECT_EQ(groups[1].largest, 5);
}

TEST(SizeGroups, KeepGraphsOfOneSizeTogether) {
  const auto groups = size_groups({4, 4, 4, 4, 6}, 5);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].graphs, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(groups[1].graphs, ElementsAre(4));
}

TEST(SizeGroups, OfNoGraphsThereAreNone) { EXPECT_TRUE(size_groups({}, 5).empty()); }

}  // namespace
}  // namespace floydnet::graphs
