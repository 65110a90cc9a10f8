#include "tasks/tsp/edges/judged_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/test_markup.h"
#include "tasks/tsp/edges/judged_page.h"

namespace floydnet::tsp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

JudgedSample sample(Decoded kind, Length length) {
  JudgedSample one;
  one.kind = kind;
  one.strict = one.merged = one.repaired = length;
  one.f1 = 0.5;
  one.tour = {0, 1, 2, 3, 4};
  return one;
}

/// Two of five cities whose optimum is 100: the first has it in its second sample, the other has a
/// tour of 110 in its fifth.
std::vector<JudgedInstance> two_instances() {
  JudgedInstance first;
  first.cities = 5;
  first.optimum = 100;
  first.optimal = {0, 1, 2, 4, 3};
  first.seconds = 0.5;
  first.baselines.lk = 125;
  first.samples.assign(5, sample(Decoded::kIncomplete, 130));
  JudgedInstance second = first;
  first.samples[1] = sample(Decoded::kTour, 100);
  second.samples[4] = sample(Decoded::kTour, 110);
  second.samples[0] = sample(Decoded::kSeveralCycles, 120);
  second.problem = 1;
  return {first, second};
}

double number(const record::Table& table, size_t row, const std::string& column) {
  const auto place = std::find(table.columns.begin(), table.columns.end(), column);
  EXPECT_NE(place, table.columns.end()) << column;
  return std::get<double>(table.rows.at(row).at(place - table.columns.begin()));
}

TEST(TspJudgedTables, CountWhatSamplesAre) {
  const record::Table table = judged_table(two_instances());
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(number(table, 0, "optimal of 1"), 0);
  EXPECT_EQ(number(table, 0, "optimal of 5"), 50);
  EXPECT_EQ(std::count(table.columns.begin(), table.columns.end(), "optimal of 10"), 0);
  EXPECT_EQ(number(table, 0, "valid"), 20);
  EXPECT_EQ(number(table, 0, "cycles"), 10);
  EXPECT_EQ(number(table, 0, "incomplete"), 70);
  EXPECT_EQ(number(table, 0, "too long"), 10);
  EXPECT_EQ(number(table, 0, "F1"), 50);
  EXPECT_NEAR(number(table, 0, "merged gap"), 5, 1e-9);
  EXPECT_EQ(number(table, 0, "repaired optimal"), 50);
  EXPECT_NEAR(number(baselines_table(two_instances()), 0, "gap"), 25, 1e-9) << "of LK";
}

TEST(TspJudgedTables, GapsAreOfTheShortestValidTour) {
  const record::Table table = detailed_table(two_instances());
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(number(table, 0, "valid"), 0);
  EXPECT_EQ(table.rows[0][4], record::Cell()) << "no instance has a gap";
  EXPECT_EQ(number(table, 1, "valid"), 100);
  EXPECT_EQ(number(table, 1, "optimal"), 50);
  EXPECT_NEAR(number(table, 1, "gap"), 5, 1e-9);
  EXPECT_NEAR(number(table, 1, "gap to LK"), -16, 1e-9);
  EXPECT_EQ(number(table, 1, "seconds"), 2.5);
}

TEST(TspJudgedPage, DrawsToursThatHavePlaces) {
  Problem places, weights;
  places.name = "places";
  places.metric = Metric::kEuc2d;
  places.points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 2}};
  weights.name = "weights";
  const std::string page = judged_page(two_instances(), {weights, places}, "T", "how", {4, 6});
  expect_well_formed(page);
  EXPECT_THAT(page, HasSubstr("Optimal tours"));
  EXPECT_THAT(page, HasSubstr("places: the model's tour, as decoded, is 10.00 % longer"));
  EXPECT_THAT(page, Not(HasSubstr("weights: the model")));
}

}  // namespace
}  // namespace floydnet::tsp
