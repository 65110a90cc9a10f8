#include "report/text_table.h"

#include <gtest/gtest.h>

namespace floydnet {
namespace {

TEST(TextTable, AlignsColumnsAndShowsWhatIsMissing) {
  const nlohmann::json table = {
      {"title", "scores"},
      {"columns", {"name", "score", "error", "samples"}},
      {"rows", {{"bfs", 100.0, 0.00125, 32}, {"dijkstra", 9.5, nullptr, 2048}}}};
  EXPECT_EQ(text_table(table),
            "scores\n"
            "  name       score   error  samples\n"
            "  bfs       100.00  0.0013       32\n"
            "  dijkstra    9.50       -     2048\n");
}

}  // namespace
}  // namespace floydnet
