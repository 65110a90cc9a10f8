#include "tasks/clrs/task.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/require.h"
#include "floydnet/error.h"
#include "model/footprint.h"
#include "tasks/clrs/block_trajectory.h"
#include "tasks/clrs/loss.h"
#include "tasks/clrs/metrics.h"
#include "tasks/clrs/model.h"
#include "tasks/clrs/published.h"
#include "tasks/clrs/step_trajectory.h"

namespace floydnet::clrs {
namespace {

using train::Metrics;
using train::Part;
using train::SplitMetrics;
using train::Table;

constexpr const char* kValidation = "validation";
constexpr const char* kTest = "test";
constexpr const char* kWhole = "whole";
constexpr const char* kSamples = "samples";
constexpr int64_t kTestLength = 64;
constexpr int64_t kTestSeed = 3;
/// Pairs of nodes that are computed at a time in evaluations: bounds memory at any length.
constexpr int64_t kPairsAtOnce = 16 * kTestLength * kTestLength;
constexpr int64_t kMostAtOnce = 64;

int64_t samples_at_once(int64_t length) {
  return std::clamp<int64_t>(kPairsAtOnce / std::max<int64_t>(1, length * length), 1, kMostAtOnce);
}

struct ClrsBatch final : train::Batch {
  BatchTensors tensors;
};

class ClrsTask final : public train::Task {
 public:
  explicit ClrsTask(const ClrsConfig& run);

  torch::nn::Module& model() override { return *model_; }
  std::shared_ptr<const train::Batch> batch(int64_t step, Part part) const override;
  std::vector<torch::Tensor> loss_sums(const train::Batch& batch) override;
  train::Goal goal() const override { return {kValidation, "score", true}; }
  std::vector<std::string> final_splits() const override;
  std::vector<double> tally(const std::string& split, Part part) override;
  Metrics metrics(const std::string& split, const std::vector<double>& sums) const override;
  std::string picture() override;
  std::vector<Table> tables(const SplitMetrics& finals) const override;

 private:
  const Recipe& recipe(const std::string& split) const;

  ClrsConfig run_;
  const Algorithm& algorithm_;
  std::map<std::string, Recipe> recipes_;
  TrainingBatches batches_;
  ClrsModel model_{nullptr};
};

ClrsTask::ClrsTask(const ClrsConfig& run)
    : run_(run),
      algorithm_(find_algorithm(run.data.algorithm)),
      batches_(algorithm_, run.data, run.model.trained_hints(),
               static_cast<uint64_t>(run.train.seed)) {
  run.model.check("model");
  const ClrsDataConfig& data = run.data;
  if (data.lengths.empty()) throw InputError::in("data.lengths", "is empty");
  recipes_[kValidation] = judged_recipe(algorithm_, Split::kValidation, data.validation_length,
                                        data.validation_samples);
  recipes_[kValidation].seed = static_cast<uint32_t>(data.validation_seed);
  for (const int64_t length : data.lengths) {
    Recipe& recipe = recipes_[split_name(length, data)];
    recipe = judged_recipe(algorithm_, Split::kTest, length, data.samples);
    recipe.seed = static_cast<uint32_t>(data.test_seed);
    recipe.sampler.graphs = data.test_graphs;
  }
  for (auto& [split, recipe] : recipes_) {
    recipe.hints = run.model.judged_hints() != Hints::kNone;
    check(recipe);
  }
  torch::manual_seed(run.train.seed);
  model_ = ClrsModel(batches_.spec(), run.model);
}

std::shared_ptr<const train::Batch> ClrsTask::batch(int64_t step, Part part) const {
  auto batch = std::make_shared<ClrsBatch>();
  batch->tensors = batches_.batch(step, run_.train.batch, part.index, part.count);
  batch->weights =
      loss_weights(batches_.spec(), run_.model.hints != HintMode::kNone, batch->tensors);
  return batch;
}

std::vector<torch::Tensor> ClrsTask::loss_sums(const train::Batch& any) {
  return model_->loss_sums(static_cast<const ClrsBatch&>(any).tensors);
}

std::vector<std::string> ClrsTask::final_splits() const {
  std::vector<std::string> splits;
  for (const int64_t length : run_.data.lengths) {
    const std::string split = split_name(length, run_.data);
    if (std::find(splits.begin(), splits.end(), split) == splits.end()) splits.push_back(split);
  }
  return splits;
}

const Recipe& ClrsTask::recipe(const std::string& split) const {
  const auto found = recipes_.find(split);
  require(found != recipes_.end(), "CLRS: there is no split '{}'", split);
  return found->second;
}

std::vector<double> ClrsTask::tally(const std::string& split, Part part) {
  const Recipe& recipe = this->recipe(split);
  const int64_t first = part.begin(recipe.samples), last = part.end(recipe.samples);
  const int64_t at_once = samples_at_once(recipe.sampler.length);
  JudgedSet set(recipe, run_.data, run_.model.judged_hints(), /*random_positions=*/false, first,
                last);
  Scores scores(set.spec());
  for (int64_t done = first; done < last; done += at_once) {
    const BatchTensors batch = set.next(std::min(at_once, last - done));
    scores.add(model_->forward(batch).outputs, batch);
  }
  return scores.sums();
}

Metrics ClrsTask::metrics(const std::string&, const std::vector<double>& sums) const {
  Scores scores(batches_.spec());
  scores.add(sums);
  Metrics metrics = {{"score", 100 * scores.mean()}};
  for (const auto& [name, score] : scores.by_output()) metrics.emplace_back(name, 100 * score);
  metrics.emplace_back(kWhole, 100 * scores.whole());
  metrics.emplace_back(kSamples, scores.samples());
  return metrics;
}

std::string ClrsTask::picture() {
  const Recipe& recipe = this->recipe(final_splits().front());
  if (run_.model.hints == HintMode::kTransitions) {
    return step_trajectory_svg(follow_steps(model_, recipe, run_.data), recipe);
  }
  return block_trajectory_svg(follow_blocks(model_, recipe, run_.data), recipe);
}

std::vector<Table> ClrsTask::tables(const SplitMetrics& finals) const {
  if (finals.empty()) return {};
  Table table{algorithm_.name + ": scores in % by length", {"length"}, {}};
  for (const auto& [name, value] : finals.front().second) table.columns.push_back(name);
  for (const auto& [split, metrics] : finals) {
    std::vector<record::Cell> row = {recipe(split).sampler.length};
    for (const auto& [name, value] : metrics) {
      row.push_back(name == kSamples ? record::Cell(int64_t{std::llround(value)}) : value);
    }
    table.rows.push_back(std::move(row));
  }
  return {table};
}

}  // namespace

std::string split_name(int64_t length, const ClrsDataConfig& data) {
  if (data.test_graphs == GraphFamily::kSalsa) return fmt::format("salsa n={}", length);
  const bool is_official = length == kTestLength && data.test_seed == kTestSeed;
  return is_official ? kTest : fmt::format("n={}", length);
}

Recipe judged_recipe(const Algorithm& algorithm, Split split, int64_t length, int64_t samples) {
  Recipe recipe = official_split(algorithm, split);
  recipe.sampler.length = length;
  if (samples > 0) recipe.samples = samples;
  return recipe;
}

ClrsConfig::ClrsConfig() {
  train.learning_rate = 0.003;
  train.beta2 = 0.98;
}

std::vector<train::TaskConfig::Shortcut> ClrsConfig::shortcuts() const {
  return {{"--algorithm", "data.algorithm", "one of the 30 algorithms; floydnet data clrs --list"},
          {"--hints", "model.hints", "none, transitions, or with model.steps=0 decoded or encoded"},
          {"--lengths", "data.lengths", "lengths of the test samples, such as 16,64,160"},
          {"--samples", "data.samples", "number of test samples of each length"}};
}

std::vector<train::TaskConfig::Shortcut> ClrsConfig::eval_shortcuts() const {
  return {{"--algorithm", "data.algorithm", "one of the 30 algorithms"},
          {"--lengths", "data.lengths", "lengths of the samples, such as 16,64,160"},
          {"--graphs", "data.test_graphs", "family of graphs: clrs or salsa"},
          {"--samples", "data.samples",
           "number of samples of each length; 0: as many as the official test split has"}};
}

std::vector<std::string> ClrsConfig::model_names() const {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
  return names;
}

std::vector<std::string> ClrsConfig::models_settings() const {
  return {fmt::format("data.lengths={}", kTestLength), "data.samples=0",
          fmt::format("data.test_seed={}", kTestSeed)};
}

Table ClrsConfig::models_table(const std::map<std::string, SplitMetrics>& finals) const {
  std::map<std::string, double> scores;
  for (const auto& [algorithm, splits] : finals) {
    const Metrics* test = record::find(splits, kTest);
    if (test != nullptr) scores[algorithm] = test->front().second;
  }
  return benchmark_table(scores);
}

void ClrsConfig::add_to(train::RunConfig* config) {
  config->add("train", train.table());
  config->add("model", model.table());
  config->add("data", data.table());
}

double ClrsConfig::memory_needed(int64_t training_ranks) const {
  const bool training = training_ranks > 0;
  ModelConfig block = model.block;
  block.supernode = model.readout == NodeReadout::kSuperNode;
  const auto longest = [](const std::vector<int64_t>& lengths) {
    return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  };
  const int64_t judged = std::max(longest(data.lengths), training ? data.validation_length : 0);
  const double evaluation = evaluation_bytes(
      block, StateSize::of_graphs(block, static_cast<double>(samples_at_once(judged)),
                                  static_cast<double>(judged)));
  if (!training) return evaluation;
  const double samples =
      static_cast<double>(train.batch) / static_cast<double>(train.accumulate * training_ranks);
  const StateSize size =
      StateSize::of_graphs(block, samples, static_cast<double>(longest(data.train_lengths)));
  // With hints there are as many steps as the algorithm takes, at least one.
  const auto passes = static_cast<double>(std::max<int64_t>(1, model.steps));
  return std::max(evaluation, training_bytes(block, size, passes));
}

std::unique_ptr<train::Task> ClrsConfig::make_task() const {
  return std::make_unique<ClrsTask>(*this);
}

}  // namespace floydnet::clrs
