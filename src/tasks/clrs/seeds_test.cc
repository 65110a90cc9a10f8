#include "tasks/clrs/seeds.h"

#include <gmock/gmock.h>

#include "base/test_refusal.h"
#include "record/test_table.h"
#include "tasks/clrs/data/algorithm.h"

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

}  // namespace
}  // namespace floydnet::clrs
