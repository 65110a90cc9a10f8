// The published graphs of the benchmark, with counts made by its own program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/test_data.h"
#include "base/test_refusal.h"
#include "tasks/counting/data/counts.h"
#include "tasks/counting/data/generator.h"
#include "tasks/counting/data/splits.h"

namespace floydnet::counting {
namespace {

std::vector<int64_t> golden(const NpzArchive& archive, const std::string& name) {
  return archive.at(name).as<int64_t>();
}

/// The counts of the first graphs, for which the golden file has all levels.
std::vector<int64_t> beginning(const std::vector<int64_t>& counts, size_t size) {
  return {counts.data(), counts.data() + std::min(size, counts.size())};
}

TEST(CountingGolden, AllCountsAreThePublishedProgramsAndTakeUnderTwoSeconds) {
  FLOYDNET_REQUIRE_TEST_DATA("counting/golden_counts.npz");
  const std::vector<Graph> graphs = read_graphs(test_data("counting/graphs.g6"));
  ASSERT_EQ(graphs.size(), 5000u);
  CountTable table;
  const Cost cost = cost_here([&] { table = count_patterns(graphs, benchmark_patterns()); });
  fmt::print("5000 graphs, 13 patterns, three levels, one thread: {:.3f} s of CPU time\n",
             cost.seconds);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(cost.seconds, 2);
#endif
  const NpzArchive archive = read_npz(test_data("counting/golden_counts.npz"));
  EXPECT_EQ(archive.size(), 3 * table.patterns.size());
  for (size_t i = 0; i < table.patterns.size(); ++i) {
    const std::string& name = table.patterns[i].name;
    const CountColumn& column = table.columns[i];
    EXPECT_EQ(column.graphs, golden(archive, "graph/" + name)) << name;
    const auto nodes = golden(archive, "node/" + name);
    const auto pairs = golden(archive, "edge/" + name);
    EXPECT_EQ(nodes.size(), static_cast<size_t>(table.layout(1).offset(100)));
    EXPECT_EQ(pairs.size(), static_cast<size_t>(table.layout(2).offset(100)));
    EXPECT_EQ(beginning(column.nodes, nodes.size()), nodes) << name;
    EXPECT_EQ(beginning(column.pairs, pairs.size()), pairs) << name;
  }
}

TEST(CountingGolden, SplitsCoverTheGraphs) {
  FLOYDNET_REQUIRE_TEST_DATA("counting/splits.json");
  const Splits splits = read_splits(test_data("counting/splits.json"), 5000);
  EXPECT_EQ(splits.train.size(), 1500u);
  EXPECT_EQ(splits.validation.size(), 1000u);
  EXPECT_EQ(splits.test.size(), 2500u);
}

// Made graphs are of the benchmark's kind: mean counts agree within five standard errors of the
// difference.
TEST(CountingGolden, GeneratedGraphsHaveTheBenchmarksCounts) {
  FLOYDNET_REQUIRE_TEST_DATA("counting/graphs.g6");
  CountOptions options;
  options.levels = {false, false};
  const auto count = [&](const std::vector<Graph>& graphs) {
    return count_patterns(graphs, benchmark_patterns(), options);
  };
  const CountTable published = count(read_graphs(test_data("counting/graphs.g6")));
  const CountTable made = count(random_graphs(5000, 1));
  for (size_t i = 0; i < made.patterns.size(); ++i) {
    const Scale a = scale_of(published.columns[i].graphs);
    const Scale b = scale_of(made.columns[i].graphs);
    const double error = std::hypot(a.deviation, b.deviation) / std::sqrt(5000.0);
    EXPECT_NEAR(a.mean, b.mean, 5 * error) << made.patterns[i].name;
    EXPECT_NEAR(a.deviation, b.deviation, 0.1 * a.deviation) << made.patterns[i].name;
  }
}

}  // namespace
}  // namespace floydnet::counting
