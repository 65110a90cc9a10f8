#include "tasks/graphs/data/splits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"

namespace floydnet::graphs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(GraphSplits, FractionsLeaveNothingOver) {
  for (const int64_t graphs : {0, 1, 7, 10, 1128}) {
    const std::vector<Split> splits = random_splits(graphs, {.8, .1, .1}, 5);
    EXPECT_EQ(std::count(splits.begin(), splits.end(), Split::kNone), 0);
    EXPECT_NEAR(static_cast<double>(places_of(splits, Split::kTrain).size()),
                .8 * static_cast<double>(graphs), .51);
  }
}

TEST(GraphSplits, AreTheSameOnEveryMachine) {
  // Of mt19937_64, whose numbers the standard fixes.
  EXPECT_EQ(random_splits(20, {.5, .25, .25}, 1), random_splits(20, {.5, .25, .25}, 1));
  EXPECT_NE(random_splits(20, {.5, .25, .25}, 1), random_splits(20, {.5, .25, .25}, 2));
  // By an implementation of the generator in another language.
  const std::vector<Split> splits = random_splits(10, {.5, .2, .2}, 1);
  EXPECT_THAT(places_of(splits, Split::kTrain), ElementsAre(1, 4, 6, 7, 9));
  EXPECT_THAT(places_of(splits, Split::kValidation), ElementsAre(0, 8));
  EXPECT_THAT(places_of(splits, Split::kTest), ElementsAre(3, 5));
  EXPECT_THAT(places_of(splits, Split::kNone), ElementsAre(2));
  EXPECT_THROW(random_splits(10, {.9, .2, 0}, 1), std::invalid_argument);
}

TEST(GraphSplits, FractionsAreParsed) {
  EXPECT_EQ(parse_fractions("0.7,0.2,0.1").validation, .2);
  for (const char* text : {"", "1", "0.5,0.5", "0.5,0.5,x", "0.5,0.5,0.1", "-1,1,1", "1,0,0,0"}) {
    refusal([&] { parse_fractions(text); });
  }
}

TEST(GraphSplits, ComeFromFilesOfPlaces) {
  const TemporaryFolder folder;
  write_file_atomically(folder.file("train.txt"), "3, 0\n");
  write_file_atomically(folder.file("val.index"), "1");
  EXPECT_THAT(refusal([&] { read_split_folder(folder.path(), 4); }), HasSubstr("has no test.txt"));
  write_file_atomically(folder.file("test.csv"), "2\r\n");
  EXPECT_THAT(
      read_split_folder(folder.path(), 5),
      ElementsAre(Split::kTrain, Split::kValidation, Split::kTest, Split::kTrain, Split::kNone));
  EXPECT_THAT(refusal([&] { read_split_folder(folder.path(), 3); }),
              HasSubstr("there is no graph 3, only 3"));
  write_file_atomically(folder.file("test.csv"), "2 0");
  EXPECT_THAT(refusal([&] { read_split_folder(folder.path(), 5); }),
              HasSubstr("graph 0 is there twice"));
  write_file_atomically(folder.file("test.csv"), "2\n-1");
  EXPECT_THAT(refusal([&] { read_split_folder(folder.path(), 5); }),
              HasSubstr("test.csv: line 2: '-1' is no graph's place"));
}

}  // namespace
}  // namespace floydnet::graphs
