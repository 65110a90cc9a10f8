#include "tasks/clrs/batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/test_refusal.h"
#include "tasks/clrs/data/test_samples.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

void expect_same(const BatchTensors& a, const BatchTensors& b) {
  ASSERT_EQ(a.values.size(), b.values.size());
  EXPECT_TRUE(torch::equal(a.sample_steps, b.sample_steps));
  for (size_t p = 0; p < a.values.size(); ++p) {
    if (!a.values[p].defined()) continue;
    EXPECT_TRUE(torch::equal(a.values[p], b.values[p])) << p;
  }
}

TEST(ClrsBatches, DependOnSeedAndStepAlone) {
  const Algorithm& algorithm = find_algorithm("dijkstra");
  const TrainingBatches batches(algorithm, {}, Hints::kNone, 5),
      again(algorithm, {}, Hints::kNone, 5), other(algorithm, {}, Hints::kNone, 6);
  batches.batch(8, 4);
  expect_same(batches.batch(3, 4), again.batch(3, 4));
  const int64_t weights = batches.spec().find(Stage::kInput, "A");
  EXPECT_FALSE(
      torch::equal(batches.batch(3, 4).values[weights], batches.batch(4, 4).values[weights]));
  EXPECT_FALSE(
      torch::equal(batches.batch(3, 4).values[weights], other.batch(3, 4).values[weights]));
}

TEST(ClrsBatches, PartsMakeUpTheWhole) {
  const TrainingBatches batches(find_algorithm("bfs"), {}, Hints::kNone, 5);
  const BatchTensors whole = batches.batch(2, 7);
  int64_t first = 0;
  for (int64_t part = 0; part < 3; ++part) {
    const BatchTensors some = batches.batch(2, 7, part, 3);
    for (size_t p = 0; p < some.values.size(); ++p) {
      if (!some.values[p].defined()) continue;
      EXPECT_TRUE(torch::equal(some.values[p], whole.values[p].narrow(0, first, some.samples)));
    }
    first += some.samples;
  }
  EXPECT_EQ(first, 7);
}

TEST(ClrsBatches, DrawAllLengths) {
  ClrsDataConfig config;
  config.train_lengths = {4, 7, 9};
  const TrainingBatches batches(find_algorithm("minimum"), config, Hints::kNone, 1);
  std::set<int64_t> seen;
  for (int64_t step = 0; step < 40; ++step) seen.insert(batches.batch(step, 1).nodes);
  EXPECT_THAT(seen, testing::ElementsAre(4, 7, 9));
}

// The official training split: 16 nodes, seed 1, 1000 samples.
TEST(ClrsBatches, AFiniteSetIsTheOfficialOne) {
  ClrsDataConfig config;
  config.train_lengths = {16};
  config.varied_edges = false;
  config.random_positions = false;
  config.finite_samples = 20;
  const Algorithm& algorithm = find_algorithm("bellman_ford");
  const TrainingBatches batches(algorithm, config, Hints::kNone, 1);
  const FiniteSet official(official_split(algorithm, Split::kTrain));
  const int64_t weights = batches.spec().find(Stage::kInput, "A");
  const BatchTensors batch = batches.batch(0, 10);
  for (int64_t i = 0; i < batch.samples; ++i) {
    bool found = false;
    for (int64_t j = 0; j < config.finite_samples && !found; ++j) {
      const Tensor sample = torch::tensor(official[j].values[weights], torch::kFloat64);
      found = torch::equal(batch.values[weights][i].view(-1), sample.to(torch::kFloat32));
    }
    EXPECT_TRUE(found) << i;
  }
}

TEST(ClrsBatches, TensorsHaveTheSpecsShapes) {
  const TrainingBatches batches(find_algorithm("insertion_sort"), {}, Hints::kAll, 1);
  const BatchTensors batch = batches.batch(0, 2);
  const int64_t n = batch.nodes;
  const auto sizes = [&](Stage stage, const char* name) {
    return batch.values[batches.spec().find(stage, name)].sizes().vec();
  };
  EXPECT_THAT(sizes(Stage::kInput, "key"), testing::ElementsAre(2, n));
  EXPECT_THAT(sizes(Stage::kOutput, "pred"), testing::ElementsAre(2, n, n));
  EXPECT_THAT(sizes(Stage::kHint, "pred_h"), testing::ElementsAre(n, 2, n));
  EXPECT_EQ(batch.values[batches.spec().find(Stage::kHint, "pred_h")].scalar_type(), torch::kInt64);
}

TEST(ClrsBatches, JudgedSetsAreReadInPieces) {
  const Recipe recipe = recipe_for("minimum", 6, /*seed=*/3, /*samples=*/7);
  JudgedSet set(recipe, {}, Hints::kAll, /*random_positions=*/false, /*first=*/2, /*last=*/7);
  Stream stream(recipe);
  stream.skip(2);
  Sample sample;
  int64_t read = 0;
  const int64_t key = set.spec().find(Stage::kInput, "key");
  for (BatchTensors batch = set.next(2); batch.samples > 0; batch = set.next(2)) {
    for (int64_t i = 0; i < batch.samples; ++i, ++read) {
      stream.next(sample);
      const Tensor wanted = torch::tensor(sample.values[1], torch::kFloat64).to(torch::kFloat32);
      EXPECT_TRUE(torch::equal(batch.values[key][i], wanted));
      EXPECT_EQ(batch.values[0][i][3].item<float>(), 0.5F);  // the positions are i / n
    }
  }
  EXPECT_EQ(read, 5);
}

TEST(ClrsBatches, RandomPositionsOfASampleDoNotDependOnTheCut) {
  const Recipe recipe = recipe_for("minimum", 6, /*seed=*/3, /*samples=*/7);
  JudgedSet whole(recipe, {}, Hints::kAll, true, 0, 7), part(recipe, {}, Hints::kAll, true, 4, 7);
  const BatchTensors all = whole.next(7);
  EXPECT_TRUE(torch::equal(all.values[0].narrow(0, 4, 3), part.next(7).values[0]));
  EXPECT_FALSE(torch::equal(all.values[0][0], all.values[0][1]));
}

TEST(ClrsBatches, ScaleNumbersButNotCountsAndPositions) {
  ClrsDataConfig config;
  config.random_scale = 4;
  const Algorithm& algorithm = find_algorithm("task_scheduling");
  const TrainingBatches plain(algorithm, {}, Hints::kNone, 5),
      scaled(algorithm, config, Hints::kNone, 5);
  const BatchTensors before = plain.batch(3, 50), after = scaled.batch(3, 50);
  for (const char* name : {"pos", "d"}) {
    const int64_t p = plain.spec().find(Stage::kInput, name);
    EXPECT_TRUE(torch::equal(before.values[p], after.values[p])) << name;
  }
  const int64_t w = plain.spec().find(Stage::kInput, "w");
  const Tensor factors = after.values[w] / before.values[w];
  EXPECT_TRUE(torch::allclose(factors, factors.narrow(1, 0, 1).expand_as(factors)));
  EXPECT_GE(factors.min().item<double>(), 0.25 - 1e-6);
  EXPECT_LE(factors.max().item<double>(), 1 + 1e-6);
  EXPECT_LT(factors.min().item<double>(), 0.5);
  EXPECT_GT(factors.max().item<double>(), 0.7);
}

TEST(ClrsBatches, RefuseWhatCannotBeDrawn) {
  ClrsDataConfig config;
  config.random_scale = 2;
  EXPECT_THAT(refusal([&] { TrainingBatches(find_algorithm("bfs"), config, Hints::kAll, 1); }),
              testing::HasSubstr("data.random_scale: needs"));
  config.random_scale = 1;
  config.train_lengths = {2, 16};
  EXPECT_THAT(refusal([&] {
                TrainingBatches(find_algorithm("strongly_connected_components"), config,
                                Hints::kNone, 1);
              }),
              testing::HasSubstr("strongly_connected_components"));
  config.train_lengths.clear();
  EXPECT_THAT(refusal([&] { TrainingBatches(find_algorithm("bfs"), config, Hints::kNone, 1); }),
              testing::HasSubstr("data.train_lengths: is empty"));
}

}  // namespace
}  // namespace floydnet::clrs
