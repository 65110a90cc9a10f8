#include "tasks/clrs/published.h"

#include <gmock/gmock.h>

#include "record/test_table.h"
#include "tasks/clrs/data/algorithm.h"

namespace floydnet::clrs {
namespace {

using record::Cell;
using record::row_named;
using record::Table;

TEST(ClrsPublished, MeansAreThoseThatWerePrinted) {
  const Table table = benchmark_table({});
  ASSERT_EQ(table.rows.size(), 30u + 8 + 1);
  const std::map<std::string, std::vector<double>> printed = {
      {"Sorting", {75.64, 78.09}},
      {"Search", {58.83, 63.84}},
      {"Divide & Conquer", {76.36, 78.97}},
      {"Greedy", {91.22, 91.79}},
      {"Dynamic Programming", {81.99, 86.70}},
      {"Graphs", {86.42, 88.80}},
      {"Strings", {49.09, 54.73}},
      {"Geometry", {94.09, 95.09}},
      {"Total", {80.04, 82.89, 90.13, 96.64}}};
  for (const auto& [name, means] : printed) {
    const std::vector<Cell>& row = row_named(table, name);
    EXPECT_EQ(row[1], Cell());
    for (size_t i = 0; i < means.size(); ++i) {
      EXPECT_NEAR(std::get<double>(row[2 + i]), means[i], 0.011) << name;
    }
  }
}

TEST(ClrsPublished, OwnMeansNeedAllTheirScores) {
  std::map<std::string, double> scores = {{"bubble_sort", 10},
                                          {"heapsort", 20},
                                          {"insertion_sort", 30},
                                          {"quicksort", 40},
                                          {"bfs", 99}};
  const Table table = benchmark_table(scores);
  EXPECT_EQ(row_named(table, "Sorting")[1], Cell(25.0));
  EXPECT_EQ(row_named(table, "bfs")[1], Cell(99.0));
  EXPECT_EQ(row_named(table, "dfs")[1], Cell());
  EXPECT_EQ(row_named(table, "Graphs")[1], Cell());
  EXPECT_EQ(row_named(table, "Total")[1], Cell());
  for (const Algorithm& algorithm : algorithms()) scores[algorithm.name] = 50;
  EXPECT_EQ(row_named(benchmark_table(scores), "Total")[1], Cell(50.0));
}

}  // namespace
}  // namespace floydnet::clrs
