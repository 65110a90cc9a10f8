#include "tasks/graphs/data/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tasks/graphs/data/test_sets.h"

namespace floydnet::graphs {
namespace {

using testing::HasSubstr;

TEST(Describe, CountsSizesColumnsAndLabels) {
  GraphSet set = small_set();
  set.columns[2].integers[2] = -1;
  const nlohmann::json description = describe(set);
  EXPECT_EQ(description["graphs"], 2);
  EXPECT_EQ(description["nodes"]["total"], 6);
  EXPECT_EQ(description["nodes"]["median"], 3);
  EXPECT_EQ(description["edges"]["most"], 4);
  EXPECT_EQ(description["splits"]["test"], 1);
  const auto& columns = description["columns"];
  EXPECT_EQ(columns[0]["name"], "node_x");
  EXPECT_EQ(columns[0]["entries"][1]["most"], 11);
  EXPECT_EQ(columns[2]["entries"][0]["missing"], 1);
  EXPECT_EQ(columns[2]["entries"][0]["counts"]["1"], 2);
  EXPECT_FLOAT_EQ(columns[3]["entries"][0]["mean"].get<float>(), .875F);
  int64_t counted = 0;
  for (const auto& count : description["histograms"][0]["counts"]) counted += count.get<int64_t>();
  EXPECT_EQ(counted, 2);
  const std::string text = description_text(description, "a.npz");
  EXPECT_THAT(text, HasSubstr("a.npz: 2 undirected graphs with names\n"));
  EXPECT_THAT(text, HasSubstr("nodes: 6 in all, 2 to 4 a graph, mean 3.00, median 3\n"));
  EXPECT_THAT(text, HasSubstr("split: 1 train, 0 validation, 1 test, 0 in none\n"));
  EXPECT_THAT(text, HasSubstr("node_x[1]"));
  EXPECT_THAT(text, HasSubstr("1 ####"));
}

}  // namespace
}  // namespace floydnet::graphs
