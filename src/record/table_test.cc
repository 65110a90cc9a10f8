#include "record/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace floydnet::record {
namespace {

Table scores() {
  return {"scores",
          {"name", "score", "error", "samples"},
          {{"bfs", 100.0, 0.00125, int64_t{32}}, {"dijkstra", 9.5, {}, int64_t{2048}}}};
}

TEST(Table, AlignsColumnsAndShowsWhatIsMissing) {
  EXPECT_EQ(text_table(scores()),
            "scores\n"
            "  name       score   error  samples\n"
            "  bfs       100.00  0.0013       32\n"
            "  dijkstra    9.50       -     2048\n");
}

TEST(Table, BecomesJson) {
  Table table = scores();
  table.rows.push_back({"none", std::nan(""), true, {}});
  EXPECT_EQ(to_json(table).dump(), R"({"columns":["name","score","error","samples"],)"
                                   R"("rows":[["bfs",100.0,0.00125,32],["dijkstra",9.5,null,2048],)"
                                   R"(["none",null,true,null]],"title":"scores"})");
}

TEST(Table, AsMarkdown) {
  const Table table{"Scores", {"", "here"}, {{"bfs", 99.5}, {"dfs", Cell()}}};
  EXPECT_EQ(markdown_table(table),
            "Scores\n\n|  | here |\n|---|---|\n| bfs | 99.50 |\n| dfs | - |\n");
}

}  // namespace
}  // namespace floydnet::record
