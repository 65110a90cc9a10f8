// The parts that need no RDKit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_refusal.h"
#include "tasks/graphs/molecules/cycle_basis.h"
#include "tasks/graphs/molecules/fragment_table.h"
#include "tasks/graphs/molecules/scaffold_split.h"
#include "tasks/graphs/molecules/split_pickle.h"
#include "tasks/graphs/molecules/test_split_pickle.h"

namespace floydnet::graphs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(CycleBasis, OneLengthForEachEdgeThatIsNotInTheTree) {
  EXPECT_THAT(cycle_basis_lengths(3, {{0, 1}, {1, 2}}), IsEmpty());
  EXPECT_THAT(cycle_basis_lengths(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}), ElementsAre(4));
  // Two components, each a triangle.
  EXPECT_THAT(cycle_basis_lengths(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}),
              ElementsAre(3, 3));
  // Petersen's graph; the lengths are those of networkx 2.8.
  EXPECT_THAT(cycle_basis_lengths(10, {{0, 1},
                                       {0, 4},
                                       {0, 5},
                                       {1, 2},
                                       {1, 6},
                                       {2, 3},
                                       {2, 7},
                                       {3, 4},
                                       {3, 8},
                                       {4, 9},
                                       {5, 7},
                                       {5, 8},
                                       {6, 8},
                                       {6, 9},
                                       {7, 9}}),
              UnorderedElementsAre(5, 5, 5, 5, 6, 6));
}

TEST(CycleBasis, DependsOnTheOrderOfNodes) {
  // Norbornane twice; the lengths are those of networkx 2.8.
  EXPECT_THAT(
      cycle_basis_lengths(7, {{0, 1}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {3, 6}, {4, 6}, {5, 6}}),
      UnorderedElementsAre(5, 6));
  EXPECT_THAT(
      cycle_basis_lengths(7, {{0, 2}, {0, 3}, {1, 3}, {1, 6}, {2, 5}, {2, 6}, {3, 4}, {4, 5}}),
      UnorderedElementsAre(5, 5));
}

constexpr const char* kTable = "(lp0\n(lp1\nF-2.5\naI7\naI4294967295\naa(lp2\nF1.25\naI8\naa.";

TEST(FragmentTable, ReadsGroupsOfAScoreAndFragments) {
  const FragmentTable table(kTable, "t.pkl");
  EXPECT_EQ(table.fragments(), 3u);
  EXPECT_EQ(table.score(7), -2.5);
  EXPECT_EQ(table.score(4294967295u), -2.5);
  EXPECT_EQ(table.score(8), 1.25);
  EXPECT_EQ(table.score(9), -4);
}

TEST(FragmentTable, RefusesAllElse) {
  const auto message = [](const std::string& bytes) {
    return refusal([&] { FragmentTable(bytes, "t.pkl"); });
  };
  EXPECT_THAT(message("cos\nsystem\n(S'true'\ntR."), HasSubstr("byte 0: does not know"));
  EXPECT_THAT(message("(lp0\n(lp1\nI7\na"), HasSubstr("not a score with fragments"));
  EXPECT_THAT(message("(lp0\n(lp1\nF1\na"), HasSubstr("ends too early"));
  EXPECT_THAT(message("(lp0\n(lp1\nF1\naIx\na"), HasSubstr("not a number of the right kind"));
  EXPECT_THAT(message(std::string(kTable) + "."), HasSubstr("bytes follow"));
  EXPECT_THAT(message(""), HasSubstr("ends too early"));
  EXPECT_THAT(message("."), HasSubstr("not complete"));
}

TEST(ScaffoldSplit, LargeScaffoldsAreLearnedFrom) {
  // Ten molecules: a group of six, a group of two, and two single ones, the later of which comes
  // first.
  const auto splits = scaffold_split({"a", "b", "a", "a", "c", "a", "d", "a", "c", "a"});
  using S = Split;
  EXPECT_THAT(splits, ElementsAre(S::kTrain, S::kTest, S::kTrain, S::kTrain, S::kTrain, S::kTrain,
                                  S::kValidation, S::kTrain, S::kTrain, S::kTrain));
}

TEST(SplitPickle, ArraysOfRows) {
  const SplitPlaces places = parse_split_pickle(split_bytes(), "s");
  EXPECT_THAT(places.train, ElementsAre(1, 0));
  EXPECT_THAT(places.validation, IsEmpty());
  EXPECT_THAT(places.test, ElementsAre(2));
  EXPECT_THAT(refusal([] { parse_split_pickle(split_bytes("posix.system"), "s"); }),
              HasSubstr("refuses the global 'posix.system._reconstruct'"));
  std::string cut = split_bytes();
  cut.resize(cut.size() / 2);
  EXPECT_THAT(refusal([&] { parse_split_pickle(cut, "s"); }), HasSubstr("ends inside"));
}

}  // namespace
}  // namespace floydnet::graphs
