#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/test_data.h"
#include "tasks/graphs/import/importers.h"

namespace floydnet::graphs {
namespace {

using testing::ElementsAreArray;

/// Sizes as the benchmark's README has them.
void check_folder(const std::string& name, int64_t train, int64_t validation, int64_t test) {
  ImportOptions options;
  options.path = test_data("molecules/ogb/" + name);
  const GraphSet set = read_ogb(options);
  set.check();
  const auto count = [&](Split split) {
    return std::count(set.splits.begin(), set.splits.end(), split);
  };
  EXPECT_EQ(set.graphs(), train + validation + test);
  EXPECT_EQ(count(Split::kTrain), train);
  EXPECT_EQ(count(Split::kValidation), validation);
  EXPECT_EQ(count(Split::kTest), test);
  EXPECT_EQ(set.find(Level::kNode, "x")->width, 9);
  EXPECT_EQ(set.find(Level::kEdge, "x")->width, 3);
  EXPECT_TRUE(set.find(Level::kGraph, "y")->real);
  EXPECT_EQ(set.names.size(), set.sizes.size());
}

TEST(OgbGolden, FoldersAreRead) {
  FLOYDNET_REQUIRE_TEST_DATA("molecules/ogb");
  check_folder("ogbg_molesol", 902, 113, 113);
  check_folder("ogbg_molfreesolv", 513, 64, 65);
}

TEST(OgbGolden, FirstMoleculeIsThatOfTheFile) {
  FLOYDNET_REQUIRE_TEST_DATA("molecules/ogb");
  ImportOptions options;
  options.path = test_data("molecules/ogb/ogbg_molesol");
  const GraphSet set = read_ogb(options);
  EXPECT_EQ(set.sizes[0], 32);
  EXPECT_EQ(set.edges[1], Graph::Edge(1, 2));
  EXPECT_FLOAT_EQ(set.find(Level::kGraph, "y")->reals[0], -.77F);
  const std::vector<int64_t>& x = set.find(Level::kNode, "x")->integers;
  EXPECT_THAT(std::vector<int64_t>(x.begin(), x.begin() + 9),
              ElementsAreArray({7, 0, 2, 5, 1, 0, 2, 0, 0}));
  EXPECT_EQ(set.names[1], "Cc1occc1C(=O)Nc2ccccc2");
}

}  // namespace
}  // namespace floydnet::graphs
