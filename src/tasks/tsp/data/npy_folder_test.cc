#include "tasks/tsp/data/npy_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "tasks/tsp/data/problem_file.h"

namespace floydnet::tsp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Corners of squares, in the order of a tour.
NpyArray squares(int64_t count) {
  std::vector<int64_t> values;
  for (int64_t k = 0; k < count; ++k) {
    for (const int64_t value : {0, 0, 0, 10, 10, 10, 10, 0}) values.push_back(value);
  }
  return NpyArray::from(values, {count, 4, 2});
}

TEST(NpyFolder, CitiesAreShuffledAndTheOrderIsTheReference) {
  const auto problems = problems_of_array(squares(50), 1, "004", "004.npy");
  ASSERT_EQ(problems.size(), 50U);
  int identical = 0;
  for (const Problem& problem : problems) {
    EXPECT_EQ(problem.metric, Metric::kEuc2d);
    EXPECT_EQ(tour_length(make_instance(problem), *problem.reference), 40);
    identical += *problem.reference == Tour{0, 1, 2, 3};
  }
  EXPECT_LT(identical, 10);
  EXPECT_EQ(problems[49].name, "004-50");
}

TEST(NpyFolder, TheShuffleFollowsTheSeed) {
  const auto order = [](uint64_t seed) {
    std::vector<Tour> tours;
    for (const Problem& problem : problems_of_array(squares(8), seed, "a", "a")) {
      tours.push_back(*problem.reference);
    }
    return tours;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST(NpyFolder, WeightsMoveWithTheirCities) {
  const std::vector<double> weights = {0, 1, 9, 4, 1, 0, 2, 9, 9, 2, 0, 3, 4, 9, 3, 0};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto problems = problems_of_array(NpyArray::from(weights, {1, 4, 4}), seed, "a", "a");
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].metric, Metric::kExplicit);
    EXPECT_EQ(tour_length(make_instance(problems[0]), *problems[0].reference), 10);
  }
}

TEST(NpyFolder, PointsWithFractionsHaveRealDistances) {
  const auto problems =
      problems_of_array(NpyArray::from<float>({0, 0, 0.5F, 0, 0.5F, 1}, {1, 3, 2}), 1, "a", "a");
  EXPECT_EQ(problems[0].metric, Metric::kReal);
}

TEST(NpyFolder, FaultyArraysAreRefused) {
  const auto message = [](const NpyArray& array) {
    return refusal([&] { problems_of_array(array, 1, "003", "003.npy"); });
  };
  EXPECT_THAT(message(NpyArray::from<double>({1, 2}, {1, 2})), HasSubstr("003.npy: shape [1, 2]"));
  EXPECT_THAT(message(NpyArray::from<double>({}, {0, 3, 2})), HasSubstr("shape [0, 3, 2]"));
  EXPECT_THAT(message(NpyArray::from<double>({1, 2, 3}, {1, 1, 3})), HasSubstr("wanted points"));
  EXPECT_THAT(message(NpyArray::from<double>({0, 1, 2, 1, 0, 3, 2, 4, 0}, {1, 3, 3})),
              HasSubstr("003-1: weight ["));
  EXPECT_THAT(message(NpyArray::from<double>({0, 1, 2, 1, 0, 3.5, 2, 3.5, 0}, {1, 3, 3})),
              HasSubstr("element 5: 3.5 does not fit"));
  EXPECT_THAT(message(NpyArray::from<int32_t>({0, -1, 2, -1, 0, 3, 2, 3, 0}, {1, 3, 3})),
              HasSubstr("not negative"));
  EXPECT_THAT(message(NpyArray::from<double>({0, INFINITY}, {1, 1, 2})), HasSubstr("not finite"));
}

TEST(ProblemFile, FormatsAreToldApart) {
  const TemporaryFolder folder;
  write_npy(folder.file("004.npy"), squares(2));
  write_npy(folder.file("005.npy"), NpyArray::from<int32_t>({1, 1, 2, 2, 3, 3}, {1, 3, 2}));
  std::vector<std::string> names;
  for (const Problem& problem : read_problems(folder.path(), 1)) names.push_back(problem.name);
  EXPECT_THAT(names, ElementsAre("004-1", "004-2", "005-1"));
  EXPECT_THAT(refusal([&] { read_problems(folder.file("absent.tsp"), 1); }),
              HasSubstr("absent.tsp: cannot read"));
}

}  // namespace
}  // namespace floydnet::tsp
