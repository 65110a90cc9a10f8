#include "tasks/clrs/task.h"

#include <gmock/gmock.h>
#include <torch/torch.h>

#include "base/test_refusal.h"
#include "tasks/clrs/block_trajectory.h"
#include "tasks/clrs/metrics.h"
#include "tasks/clrs/step_trajectory.h"
#include "train/test_runs.h"

namespace floydnet::clrs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ClrsConfig small_run(const std::string& algorithm = "bfs") {
  ClrsConfig run;
  run.data.algorithm = algorithm;
  run.data.lengths = {9, 64, 9};
  run.data.samples = 4;
  run.data.validation_samples = 10;
  run.train.batch = 6;
  run.model.block.dim = 8;
  run.model.block.heads = 2;
  run.model.block.depth = 1;
  return run;
}

/// Along hints there are as many steps as the algorithm takes.
void set_hints(ClrsModelConfig& model, HintMode hints) {
  model.hints = hints;
  model.steps = hints == HintMode::kNone || hints == HintMode::kTransitions ? 1 : 0;
}

train::Metrics measured(train::Task& task, const std::string& split) {
  torch::NoGradGuard no_grad;
  task.model().eval();
  return task.metrics(split, task.tally(split, {}));
}

double loss_of(train::Task& task, int64_t step) {
  const auto batch = task.batch(step, {});
  return train::mean_loss(task.loss_sums(*batch), batch->weights).item<double>();
}

TEST(ClrsTask, ABatchDependsOnSeedAndStepAlone) {
  ClrsConfig run = small_run();
  const auto first = run.make_task(), second = run.make_task();
  EXPECT_EQ(loss_of(*first, 3), loss_of(*second, 3));
  EXPECT_NE(loss_of(*first, 3), loss_of(*first, 4));
  run.train.seed = 2;
  EXPECT_NE(loss_of(*run.make_task(), 3), loss_of(*first, 3));
}

/// With hints if `hints` says so; the learning rate is low, since training lets differences in
/// rounding grow.
ClrsConfig learning_run(const std::string& algorithm, HintMode hints) {
  ClrsConfig run = small_run(algorithm);
  // Trajectories are long.
  run.data.train_lengths =
      hints == HintMode::kNone ? std::vector<int64_t>{4, 5, 6, 7} : std::vector<int64_t>{4, 5};
  run.data.validation_samples = run.data.samples = 1;
  run.data.lengths = {8};
  run.train.batch = 7;
  run.train.learning_rate = 1e-4;
  set_hints(run.model, hints);
  return run;
}

TEST(ClrsTask, CuttingABatchDoesNotChangeTheLossOrItsGradient) {
  // Masks differ from sample to sample in bridges, lengths of trajectories in dfs.
  for (const auto& [algorithm, hints] : {std::pair("bridges", HintMode::kNone),
                                         {"dfs", HintMode::kEncoded},
                                         {"bfs", HintMode::kDecoded},
                                         {"dfs", HintMode::kTransitions}}) {
    const auto task = learning_run(algorithm, hints).make_task();
    const auto gradient = [&task, this_step = 5](int64_t parts, double* loss) {
      std::vector<std::shared_ptr<const train::Batch>> batches;
      std::vector<double> weights;
      for (int64_t i = 0; i < parts; ++i) {
        batches.push_back(task->batch(this_step, {i, parts}));
        weights.resize(batches[0]->weights.size());
        for (size_t t = 0; t < weights.size(); ++t) weights[t] += batches.back()->weights[t];
      }
      task->model().zero_grad();
      *loss = 0;
      for (const auto& batch : batches) {
        const torch::Tensor part = train::mean_loss(task->loss_sums(*batch), weights);
        part.backward();
        *loss += part.item<double>();
      }
      std::vector<torch::Tensor> found;
      for (const torch::Tensor& parameter : task->model().parameters()) {
        if (parameter.grad().defined()) found.push_back(parameter.grad().flatten().clone());
      }
      return torch::cat(found);
    };
    double whole = 0;
    const torch::Tensor of_whole = gradient(1, &whole);
    for (const int64_t parts : {2, 4, 7}) {
      double loss = 0;
      const torch::Tensor of_parts = gradient(parts, &loss);
      EXPECT_NEAR(loss, whole, 1e-5 * whole) << algorithm << " in " << parts;
      EXPECT_LT((of_parts - of_whole).norm().item<double>(), 1e-4 * of_whole.norm().item<double>())
          << algorithm << " in " << parts;
    }
  }
}

TEST(ClrsTask, AccumulationGivesTheSameCurve) {
  train::expect_same_curve_in_parts(learning_run("bfs", HintMode::kNone));
  train::expect_same_curve_in_parts(learning_run("bridges", HintMode::kNone));
  train::expect_same_curve_in_parts(learning_run("dfs", HintMode::kEncoded));
}

TEST(ClrsTask, PartsOfASplitAddUpToIt) {
  for (const char* algorithm : {"bfs", "activity_selector", "insertion_sort"}) {
    const auto task = small_run(algorithm).make_task();
    torch::NoGradGuard no_grad;
    task->model().eval();
    const std::vector<double> whole = task->tally("validation", {});
    std::vector<double> sums(whole.size(), 0);
    for (int64_t i = 0; i < 3; ++i) {
      const std::vector<double> part = task->tally("validation", {i, 3});
      for (size_t j = 0; j < sums.size(); ++j) sums[j] += part[j];
    }
    EXPECT_EQ(sums, whole) << algorithm;
  }
}

TEST(ClrsTask, IsJudgedAtTheLengthsAskedFor) {
  const auto task = small_run().make_task();
  EXPECT_THAT(task->final_splits(), ElementsAre("n=9", "test"));
  const train::Metrics metrics = measured(*task, "n=9");
  ASSERT_EQ(metrics.size(), 4u);
  EXPECT_EQ(metrics[0].first, "score");
  EXPECT_EQ(metrics[1].first, "pi");
  EXPECT_EQ(metrics[0].second, metrics[1].second);
  EXPECT_EQ(metrics[2].first, "whole");
  EXPECT_EQ(metrics[3], (std::pair<std::string, double>("samples", 4)));
  const train::Table table = task->tables({{"n=9", metrics}, {"test", metrics}}).at(0);
  EXPECT_THAT(table.columns, ElementsAre("length", "score", "pi", "whole", "samples"));
  EXPECT_EQ(table.rows.at(1).at(0), record::Cell(int64_t{64}));
}

TEST(ClrsTask, TheTestIsTheOfficialSplit) {
  const Algorithm& bfs = find_algorithm("bfs");
  const Recipe official = official_split(bfs, Split::kTest);
  const Recipe judged = judged_recipe(bfs, Split::kTest, 64, 0);
  EXPECT_EQ(judged.seed, official.seed);
  EXPECT_EQ(judged.samples, official.samples);
  EXPECT_EQ(judged.sampler.length, official.sampler.length);
  EXPECT_EQ(judged_recipe(bfs, Split::kTest, 160, 7).samples, 7);
  ClrsDataConfig data;
  EXPECT_EQ(split_name(64, data), "test");
  data.test_seed = 4;
  EXPECT_EQ(split_name(64, data), "n=64");
}

TEST(ClrsTask, SalsaGraphsAreASplitOfTheirOwn) {
  ClrsConfig run = small_run();
  run.data.algorithm = "dfs";
  run.data.lengths = {40};
  run.data.samples = 8;
  run.data.test_graphs = GraphFamily::kSalsa;
  const auto task = run.make_task();
  ASSERT_THAT(task->final_splits(), ElementsAre("salsa n=40"));
  const std::vector<double> of_salsa = task->tally("salsa n=40", {0, 1});
  run.data.test_graphs = GraphFamily::kClrs;
  EXPECT_NE(run.make_task()->tally("n=40", {0, 1}), of_salsa);
  run.data.test_graphs = GraphFamily::kSalsa;
  run.data.algorithm = "topological_sort";
  EXPECT_THROW(run.make_task(), InputError);
}

TEST(ClrsTask, LearnsWithAndWithoutHints) {
  for (const HintMode hints : {HintMode::kNone, HintMode::kEncoded, HintMode::kTransitions}) {
    ClrsConfig run = small_run();
    run.data.train_lengths = {5};
    set_hints(run.model, hints);
    const auto task = run.make_task();
    torch::optim::Adam adam(task->model().parameters(), torch::optim::AdamOptions(1e-2));
    double first = 0, last = 0;
    for (int64_t step = 0; step < 30; ++step) {
      adam.zero_grad();
      const auto batch = task->batch(step, {});
      const torch::Tensor loss = train::mean_loss(task->loss_sums(*batch), batch->weights);
      loss.backward();
      adam.step();
      (step < 5 ? first : last) += step < 5 || step >= 25 ? loss.item<double>() : 0;
    }
    EXPECT_LT(last, 0.8 * first);
    EXPECT_EQ(measured(*task, "n=9").back().second, 4);
  }
}

TEST(ClrsTask, RefusesWhatCannotBeDrawn) {
  const auto refusal = [](const std::function<void(ClrsConfig&)>& change) {
    ClrsConfig run = small_run();
    change(run);
    return floydnet::refusal([&] { run.make_task(); });
  };
  EXPECT_THAT(refusal([](ClrsConfig& run) { run.data.algorithm = "bsf"; }),
              HasSubstr("did you mean 'bfs'"));
  EXPECT_THAT(refusal([](ClrsConfig& run) {
                run.data.lengths = {16, 0};
              }),
              HasSubstr("length 0 is too small for bfs"));
  EXPECT_THAT(refusal([](ClrsConfig& run) { run.data.train_lengths = {0}; }),
              HasSubstr("length 0 is too small for bfs"));
  EXPECT_THAT(refusal([](ClrsConfig& run) { run.data.lengths = {}; }),
              HasSubstr("data.lengths: is empty"));
  EXPECT_THAT(refusal([](ClrsConfig& run) { run.model.block.heads = 3; }),
              HasSubstr("multiple of"));
}

TEST(ClrsTask, ListsItsModels) {
  const ClrsConfig run;
  EXPECT_EQ(run.model_names().size(), 30u);
  const train::Table table =
      run.models_table({{"bfs", {{"n=16", {{"score", 1}}}, {"test", {{"score", 97.5}}}}}});
  int found = 0;
  for (const auto& row : table.rows) {
    if (row[0] != record::Cell("bfs")) continue;
    EXPECT_EQ(row[1], record::Cell(97.5));
    ++found;
  }
  EXPECT_EQ(found, 1);
}

TEST(ClrsProbe, TheLastBlockScoresAsTheModelDoes) {
  ClrsConfig run = small_run("find_maximum_subarray_kadane");
  run.model.block.depth = 3;
  const auto task = run.make_task();
  auto model =
      ClrsModel(std::dynamic_pointer_cast<ClrsModelImpl>(task->model().shared_from_this()));
  const Recipe recipe = judged_recipe(find_algorithm(run.data.algorithm), Split::kTest, 9, 4);
  const BlockTrajectory probe = follow_blocks(model, recipe, run.data);
  ASSERT_EQ(probe.scores.size(), 3u);
  EXPECT_NEAR(100 * probe.scores[2], measured(*task, "n=9")[0].second, 1e-9);
  // Where the trajectory ends its best subarray is the answer: agreement there is the score.
  for (size_t block = 0; block < 3; ++block) {
    EXPECT_NEAR(probe.agreement[block].back(), probe.scores[block], 1e-9);
  }
  EXPECT_THAT(block_trajectory_svg(probe, recipe), HasSubstr("</svg>"));
}

TEST(ClrsProbe, StepsOfAModelThatKnowsNothingGoWrong) {
  ClrsConfig run = small_run("insertion_sort");
  set_hints(run.model, HintMode::kTransitions);
  const auto task = run.make_task();
  auto model =
      ClrsModel(std::dynamic_pointer_cast<ClrsModelImpl>(task->model().shared_from_this()));
  Recipe recipe = judged_recipe(find_algorithm(run.data.algorithm), Split::kTest, 9, 4);
  recipe.hints = true;
  const StepTrajectory followed = follow_steps(model, recipe, run.data);
  EXPECT_EQ(followed.samples, 4);
  EXPECT_EQ(followed.intact.front(), 1) << "the first hints are given";
  EXPECT_EQ(followed.intact.back(), 0);
  int64_t first_wrong = 0;
  for (const auto& of_hint : followed.hints) {
    EXPECT_EQ(of_hint.right.front(), 1) << of_hint.name;
    first_wrong += of_hint.first_wrong;
  }
  EXPECT_GE(first_wrong, 4);
  EXPECT_THAT(step_trajectory_svg(followed, recipe), HasSubstr("first wrong in"));
}

TEST(ClrsProbe, NeedsHintsThatBecomeTheOutput) {
  ClrsConfig run = small_run("binary_search");
  const auto task = run.make_task();
  EXPECT_THAT(floydnet::refusal([&] { task->picture(); }),
              HasSubstr("no hint that becomes its output"));
  run = small_run();
  run.model.hints = HintMode::kEncoded;
  run.model.steps = 0;
  const auto stepped = run.make_task();
  EXPECT_THAT(floydnet::refusal([&] { stepped->picture(); }), HasSubstr("model.hints = none"));
}

}  // namespace
}  // namespace floydnet::clrs
