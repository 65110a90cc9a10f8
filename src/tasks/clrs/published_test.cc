#include "tasks/clrs/published.h"

#include <gmock/gmock.h>

#include "tasks/clrs/data/algorithm.h"

namespace floydnet::clrs {
namespace {

using nlohmann::json;

const json& row_named(const json& table, const std::string& name) {
  for (const json& row : table.at("rows")) {
    if (row[0] == name) return row;
  }
  throw std::out_of_range(name);
}

TEST(ClrsPublished, MeansAreThoseThatWerePrinted) {
  const json table = benchmark_table({});
  ASSERT_EQ(table["rows"].size(), 30u + 8 + 1);
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
    const json& row = row_named(table, name);
    EXPECT_TRUE(row[1].is_null());
    for (size_t i = 0; i < means.size(); ++i) {
      EXPECT_NEAR(row[2 + i].get<double>(), means[i], 0.011) << name;
    }
  }
}

TEST(ClrsPublished, OwnMeansNeedAllTheirScores) {
  std::map<std::string, double> scores = {{"bubble_sort", 10},
                                          {"heapsort", 20},
                                          {"insertion_sort", 30},
                                          {"quicksort", 40},
                                          {"bfs", 99}};
  json table = benchmark_table(scores);
  EXPECT_EQ(row_named(table, "Sorting")[1], 25);
  EXPECT_EQ(row_named(table, "bfs")[1], 99);
  EXPECT_TRUE(row_named(table, "dfs")[1].is_null());
  EXPECT_TRUE(row_named(table, "Graphs")[1].is_null());
  EXPECT_TRUE(row_named(table, "Total")[1].is_null());
  for (const Algorithm& algorithm : algorithms()) scores[algorithm.name] = 50;
  EXPECT_EQ(row_named(benchmark_table(scores), "Total")[1], 50);
}

}  // namespace
}  // namespace floydnet::clrs
