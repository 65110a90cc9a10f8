#include "tasks/counting/task.h"

#include <gmock/gmock.h>
#include <torch/torch.h>

#include <fstream>

#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/graph_io.h"
#include "tasks/counting/data/generator.h"
#include "tasks/counting/targets.h"
#include "train/test_runs.h"

namespace floydnet::counting {
namespace {

using ::testing::HasSubstr;

CountingConfig small_run() {
  CountingConfig run;
  run.data.patterns = "cycle3,chordal4_1";
  run.data.validation_graphs = 10;
  run.data.test_graphs = 10;
  run.train.batch = 6;
  run.model.dim = 8;
  run.model.heads = 2;
  run.model.depth = 1;
  return run;
}

TEST(CountingTargets, AreCountsOfEachLevelAndEdgesOnly) {
  // A triangle with a tail, 0-1-2-0 and 2-3.
  const std::vector<Graph> graphs = {Graph(4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}}),
                                     Graph(3, {{0, 1}, {1, 2}, {0, 2}})};
  const auto patterns = parse_patterns("cycle3");
  const Targets targets = make_targets(count_patterns(graphs, patterns), graphs);
  const auto values = [](const torch::Tensor& tensor) {
    const torch::Tensor flat = tensor.reshape({-1}).to(torch::kFloat64).contiguous();
    return std::vector<double>(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
  };
  EXPECT_EQ(values(targets.counts[kGraph]), (std::vector<double>{1, 1}));
  EXPECT_EQ(values(targets.counts[kNode]), (std::vector<double>{1, 1, 1, 0, 1, 1, 1}));
  // Pairs 01 02 10 12 20 21 23 32 of the first graph, all six of the second.
  EXPECT_EQ(values(targets.edges),
            (std::vector<double>{1, 2, 4, 6, 8, 9, 11, 14, 17, 18, 19, 21, 22, 23}));
  EXPECT_EQ(values(targets.counts[kEdge]),
            (std::vector<double>{1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1}));
  for (int level = 0; level < kLevels; ++level) {
    EXPECT_NEAR(targets.weights[level].sum().item<double>(), 2, 1e-12) << "1 for each graph";
  }
}

TEST(CountingTask, PartsOfABatchAddUpToIt) {
  const auto task = small_run().make_task();
  const auto whole = task->batch(3, {});
  double sum = 0, weight = 0;
  for (int64_t i = 0; i < 4; ++i) {
    const auto part = task->batch(3, {i, 4});
    sum += task->loss_sums(*part)[0].item<double>();
    weight += part->weights[0];
  }
  EXPECT_NEAR(sum, task->loss_sums(*whole)[0].item<double>(), 1e-4);
  EXPECT_EQ(weight, whole->weights[0]);
  EXPECT_EQ(weight, 6);
}

// The graphs of a batch have different sizes.
TEST(CountingTask, AccumulationGivesTheSameCurve) {
  CountingConfig run = small_run();
  run.train.learning_rate = 1e-4;
  train::expect_same_curve_in_parts(run);
}

TEST(CountingTask, TalliesOfPartsAddUpToTheMetrics) {
  const auto task = small_run().make_task();
  torch::NoGradGuard no_grad;
  const auto whole = task->metrics("test", task->tally("test", {}));
  std::vector<double> sums = task->tally("test", {0, 2});
  const std::vector<double> rest = task->tally("test", {1, 2});
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += rest[i];
  const auto parts = task->metrics("test", sums);
  ASSERT_EQ(whole.size(), 7u) << "two patterns, three levels, and their mean";
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(whole[i].first, parts[i].first);
    EXPECT_NEAR(whole[i].second, parts[i].second, 1e-6);
  }
  EXPECT_EQ(whole[1].first, "graph/cycle3");
}

/// A model whose last layers are zero predicts the mean count, so its errors can be computed from
/// the counts alone.
TEST(CountingTask, ScoresAsTheBenchmarkDoes) {
  const CountingConfig run = small_run();
  const auto task = run.make_task();
  torch::NoGradGuard no_grad;
  for (const auto& parameter : task->model().parameters()) parameter.zero_();
  const auto metrics = task->metrics("test", task->tally("test", {}));
  const auto patterns = parse_patterns(run.data.patterns);
  const auto sequence = [&](uint64_t number) {
    return static_cast<uint64_t>(run.train.seed) * 4 + number;
  };
  const std::vector<Graph> graphs = random_graphs(10, sequence(3));
  const Targets truth = make_targets(count_patterns(graphs, patterns), graphs);
  const std::vector<Graph> sample = random_graphs(2000, sequence(1));
  const TargetScale scale = scale_of(make_targets(count_patterns(sample, patterns), sample));
  for (int level = 0; level < kLevels; ++level) {
    for (int64_t p = 0; p < 2; ++p) {
      const torch::Tensor counts = truth.counts[level].select(1, p);
      double divisor = truth.counts[kGraph].select(1, p).std(/*unbiased=*/true).item<double>();
      if (level == kNode) divisor *= patterns[static_cast<size_t>(p)].node_divisor;
      if (level == kEdge) divisor *= patterns[static_cast<size_t>(p)].edge_divisor;
      const double error = (counts - scale.mean[level][p]).abs().mean().item<double>() / divisor;
      EXPECT_NEAR(metrics[static_cast<size_t>(1 + level * 2 + p)].second, error, 1e-5);
    }
  }
}

TEST(CountingTask, ReadsGraphsAndSplitsOfTheUser) {
  const TemporaryFolder folder;
  std::ofstream graphs(folder.file("graphs.g6"));
  for (const Graph& graph : random_graphs(9, 5)) {
    graphs << format_graph(graph, GraphFormat::kGraph6) << "\n";
  }
  graphs.close();
  std::ofstream(folder.file("splits.json"))
      << R"({"train": [0, 1, 2], "val": [3, 4], "test": [5, 6, 7, 8]})";
  CountingConfig run = small_run();
  run.data.graphs = folder.file("graphs.g6");
  EXPECT_THAT(refusal([&] { run.make_task(); }), HasSubstr("data.splits"));
  run.data.splits = folder.file("splits.json");
  run.data.train_graphs = -1;
  const auto task = run.make_task();
  torch::NoGradGuard no_grad;
  const auto sums = task->tally("test", {});
  EXPECT_EQ(sums[3 * 2 + kGraph], 4) << "four test graphs";
  std::ofstream(folder.file("splits.json")) << R"({"train": [0], "val": [1], "test": [9]})";
  EXPECT_THAT(refusal([&] { run.make_task(); }), HasSubstr("splits.json"));
}

TEST(CountingTask, RefusesUnknownLevelsAndPatterns) {
  CountingConfig run = small_run();
  run.data.levels = "graph,face";
  EXPECT_THAT(refusal([&] { run.make_task(); }), HasSubstr("'graph,face'"));
  run = small_run();
  run.data.patterns = "cycle33";
  EXPECT_THAT(refusal([&] { run.make_task(); }), HasSubstr("cycle33"));
}

}  // namespace
}  // namespace floydnet::counting
