#include "tasks/clrs/seeds.h"

#include <gmock/gmock.h>

#include "base/test_refusal.h"
#include "record/test_table.h"
#include "tasks/clrs/data/algorithm.h"
#include "tasks/clrs/lengths.h"

namespace floydnet::clrs {
namespace {

using record::Cell;
using record::row_named;

TEST(ClrsSeeds, MeansAndDeviationsOverSeeds) {
  std::vector<JudgedRun> runs;
  for (const Algorithm& algorithm : algorithms()) {
    for (const int64_t seed : {1, 2, 3}) {
      const double score = (algorithm.name == "bfs" ? 80 : 50) + static_cast<double>(seed);
      runs.push_back({algorithm.name, "none", seed, score, 40, 2});
    }
  }
  const record::Table table = seeds_table(runs);
  ASSERT_EQ(table.columns[1], "mean");
  const auto& bfs = row_named(table, "bfs");
  EXPECT_EQ(bfs[1], Cell(82.0));
  EXPECT_EQ(bfs[2], Cell(1.0));
  EXPECT_EQ(bfs[4], Cell("none"));
  EXPECT_NEAR(std::get<double>(bfs[5]), 2, 1e-12);
  const auto& total = row_named(table, "Total");
  EXPECT_NEAR(std::get<double>(total[1]), 53, 1e-9);
  EXPECT_NEAR(std::get<double>(total[5]), 60, 1e-9);
  runs.erase(runs.begin());  // of a graph or not, it is in the total
  EXPECT_EQ(row_named(seeds_table(runs), "Total")[1], Cell());
}

TEST(ClrsSeeds, TheSameSeedTwiceIsRefused) {
  const JudgedRun run{"bfs", "none", 1, 90, 40, 2};
  EXPECT_THAT(floydnet::refusal([&] {
                seeds_table({run, run});
              }),
              testing::HasSubstr("two runs of bfs have seed 1"));
}

TEST(ClrsSeeds, RunsOfSeveralKindsSideBySide) {
  const record::Table table = comparison_table({{"online", {"bfs", "none", 1, 90, 40, 2}},
                                                {"online", {"bfs", "none", 2, 100, 40, 2}},
                                                {"offline", {"bfs", "none", 1, 80, 40, 2}},
                                                {"offline", {"dfs", "none", 1, 30, 40, 2}}});
  EXPECT_EQ(table.columns, (std::vector<std::string>{"algorithm", "online", "offline"}));
  EXPECT_EQ(row_named(table, "bfs"), (std::vector<Cell>{"bfs", 95.0, 80.0}));
  EXPECT_EQ(row_named(table, "dfs"), (std::vector<Cell>{"dfs", {}, 30.0}));
  EXPECT_EQ(row_named(table, "mean of 1"), (std::vector<Cell>{"mean of 1", 95.0, 80.0}));
}

TEST(ClrsLengths, ByCategoryWithMeans) {
  const std::vector<ScoresByLength> runs = {{"minimum", {{16, 100}, {64, 98}}},
                                            {"bfs", {{16, 90}, {64, 80}, {256, 10}}},
                                            {"dfs", {{16, 80}, {64, 60}}}};
  const record::Table table = lengths_table(runs);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"algorithm", "n = 16", "n = 64", "n = 256"}));
  EXPECT_EQ(row_named(table, "minimum"), (std::vector<Cell>{"minimum", 100.0, 98.0, {}}));
  EXPECT_EQ(row_named(table, "mean of 3")[1], Cell(90.0));
  EXPECT_EQ(row_named(table, "mean of 3")[3], Cell(10.0));
  const std::vector<PlotPanel> panels = lengths_panels(runs);
  ASSERT_EQ(panels.size(), 3u);
  EXPECT_EQ(panels[0].title, "Graphs");
  EXPECT_EQ(panels[0].series.size(), 2u);
  EXPECT_EQ(panels[2].series[0].points[1], std::make_pair(64.0, 238.0 / 3));
  EXPECT_THAT(floydnet::refusal([&] {
                lengths_table({runs[0], runs[0]});
              }),
              testing::HasSubstr("two runs are of minimum"));
}

}  // namespace
}  // namespace floydnet::clrs
