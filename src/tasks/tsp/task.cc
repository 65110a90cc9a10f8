#include "tasks/tsp/task.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "floydnet/error.h"
#include "model/footprint.h"
#include "tasks/tsp/dataset/training_set.h"
#include "tasks/tsp/edges/decode.h"
#include "tasks/tsp/sampler.h"

namespace floydnet::tsp {
namespace {

using torch::Tensor;
using train::Metrics;
using train::Part;

constexpr const char* kValidation = "validation";

/// Random instances for training, validation and testing come from sequences of their own.
enum Sequence : uint64_t { kTrainSequence = 1, kValidationSequence = 2, kTestSequence = 3 };

uint64_t sequence_seed(int64_t seed, Sequence sequence) {
  return static_cast<uint64_t>(seed) * 4 + sequence;
}

uint64_t mixed(uint64_t a, uint64_t b) {
  const uint64_t words[] = {a, b};
  return fnv1a(words, sizeof(words));
}

struct TspBatch final : train::Batch {
  EdgeBatch instances;
  Tensor edges;
};

std::string split_name(int64_t size) { return fmt::format("n={}", size); }

class TspTask final : public train::Task {
 public:
  explicit TspTask(const TspConfig& run);

  torch::nn::Module& model() override { return *model_; }
  std::shared_ptr<const train::Batch> batch(int64_t step, Part part) const override;
  std::vector<Tensor> loss_sums(const train::Batch& batch) override;
  train::Goal goal() const override { return {kValidation, "optimal", true}; }
  std::vector<std::string> final_splits() const override;
  std::vector<double> tally(const std::string& split, Part part) override;
  Metrics metrics(const std::string& split, const std::vector<double>& sums) const override;

 private:
  SolvedInstance training_instance(int64_t index) const;
  const std::vector<SolvedInstance>& instances_of(const std::string& split);

  TspConfig run_;
  std::optional<StoredInstances> stored_;
  EdgeModel model_{nullptr};
  std::map<std::string, std::vector<SolvedInstance>> splits_;  // as they are asked for
};

TspTask::TspTask(const TspConfig& run) : run_(run) {
  if (!run.data.sets.empty()) stored_.emplace(run.data.sets, run.data.kind, run.data.sizes);
  torch::manual_seed(run.train.seed);
  model_ = run.make_model();
}

/// The instance of an index, under new names for its cities whenever it is met again.
SolvedInstance TspTask::training_instance(int64_t index) const {
  const uint64_t seed = sequence_seed(run_.train.seed, kTrainSequence);
  if (stored_) {
    const size_t place = mixed(seed, static_cast<uint64_t>(index)) % stored_->count();
    return relabelled(stored_->at(place), mixed(seed + 1, static_cast<uint64_t>(index)));
  }
  const int64_t count = run_.data.instances;
  const auto place = static_cast<uint64_t>(count > 0 ? index % count : index);
  const auto& sizes = run_.data.sizes;
  const int64_t cities = sizes[mixed(seed, place) % sizes.size()];
  const SolvedInstance solved =
      solved_random(run_.data.kind, static_cast<int>(cities), seed, place);
  if (count == 0) return solved;
  return relabelled(solved, mixed(seed + 1, static_cast<uint64_t>(index)));
}

std::shared_ptr<const train::Batch> TspTask::batch(int64_t step, Part part) const {
  std::vector<SolvedInstance> solved;
  const int64_t size = run_.train.batch;
  for (int64_t i = part.begin(size); i < part.end(size); ++i) {
    solved.push_back(training_instance(step * size + i));
  }
  std::vector<const Instance*> instances;
  std::vector<Tour> tours;
  for (const SolvedInstance& one : solved) {
    instances.push_back(&one.instance);
    tours.push_back(one.tour);
  }
  auto batch = std::make_shared<TspBatch>();
  batch->weights = {static_cast<double>(solved.size())};
  batch->instances = model_->batch(instances);
  batch->edges = tour_edges(tours);
  return batch;
}

std::vector<Tensor> TspTask::loss_sums(const train::Batch& any) {
  const auto& batch = static_cast<const TspBatch&>(any);
  return {model_->loss_sum(batch.instances, batch.edges)};
}

std::vector<std::string> TspTask::final_splits() const {
  std::vector<std::string> splits = {kValidation};
  for (const int64_t size : run_.data.test_sizes) splits.push_back(split_name(size));
  return splits;
}

const std::vector<SolvedInstance>& TspTask::instances_of(const std::string& split) {
  std::vector<SolvedInstance>& solved = splits_[split];
  if (!solved.empty()) return solved;
  const bool is_validation = split == kValidation;
  const int64_t count = is_validation ? run_.data.validation_instances : run_.data.test_instances;
  const int64_t cities = is_validation ? run_.data.validation_size : std::stoll(split.substr(2));
  const uint64_t seed =
      sequence_seed(run_.train.seed, is_validation ? kValidationSequence : kTestSequence);
  for (int64_t i = 0; i < count; ++i) {
    solved.push_back(
        solved_random(run_.data.kind, static_cast<int>(cities), seed, static_cast<uint64_t>(i)));
  }
  return solved;
}

/// Instances, tours, optimal tours, F1, and by how much greedy tours are longer than optimal ones.
std::vector<double> TspTask::tally(const std::string& split, Part part) {
  const std::vector<SolvedInstance>& solved = instances_of(split);
  const auto count = static_cast<int64_t>(solved.size());
  std::vector<const Instance*> instances;
  for (int64_t i = part.begin(count); i < part.end(count); ++i) {
    instances.push_back(&solved[i].instance);
  }
  SampleOptions options;
  options.steps = run_.data.sampling_steps;
  options.seed = static_cast<uint64_t>(run_.train.seed);
  options.first = part.begin(count);
  const std::vector<SampledEdges> sampled = sample_edges(model_, instances, options);
  std::vector<double> sums(5, 0);
  for (size_t i = 0; i < sampled.size(); ++i) {
    const SolvedInstance& truth = solved[part.begin(count) + static_cast<int64_t>(i)];
    const float* scores = sampled[i][0].data();
    const int cities = truth.instance.cities();
    const StrictDecoding decoding = decode_strictly(scores, cities, truth.tour);
    const auto optimum = static_cast<double>(tour_length(truth.instance, truth.tour));
    sums[0] += 1;
    if (decoding.kind == Decoded::kTour) {
      sums[1] += 1;
      sums[2] += static_cast<double>(tour_length(truth.instance, decoding.tour)) <= optimum ? 1 : 0;
    }
    sums[3] += f1_score(decoding, cities);
    const Tour greedy = decode_greedily(truth.instance, scores);
    sums[4] += static_cast<double>(tour_length(truth.instance, greedy)) / optimum - 1;
  }
  return sums;
}

Metrics TspTask::metrics(const std::string& /*split*/, const std::vector<double>& sums) const {
  const auto percent = [&](double sum) { return 100 * sum / sums[0]; };
  return {{"optimal", percent(sums[2])},
          {"valid", percent(sums[1])},
          {"f1", percent(sums[3])},
          {"greedy_gap", percent(sums[4])},
          {"instances", sums[0]}};
}

}  // namespace

OptionTable TspDataConfig::table() {
  OptionTable t;
  t.choice<Kind>("kind", &kind, {{"explicit", Kind::kExplicit}, {"euclidean", Kind::kEuclidean}},
                 "kind of the random instances");
  t.integers("sizes", &sizes, {5, 499}, "numbers of cities to learn from");
  t.integer("instances", &instances, {0, int64_t{1} << 40},
            "random instances to learn from, met again under new names; 0: new ones in every step");
  t.text("sets", &sets, "folder of `floydnet data tsp` to learn from instead");
  t.integer("validation_size", &validation_size, {5, 499}, "cities of each validation instance");
  t.integer("validation_instances", &validation_instances, {1, 1'000'000},
            "validation instances, which decide the best weights");
  t.integers("test_sizes", &test_sizes, {5, 499},
             "numbers of cities that the best weights are judged by");
  t.integer("test_instances", &test_instances, {1, 1'000'000}, "test instances of each size");
  t.integer("sampling_steps", &sampling_steps, {1, 10000}, "diffusion steps in evaluations");
  return t;
}

namespace {

OptionTable edge_table(EdgeModelOptions* edges) {
  OptionTable t;
  t.choice<Mode>("mode", &edges->mode,
                 {{"one-shot", Mode::kOneShot}, {"diffusion", Mode::kDiffusion}},
                 "a tour at once, or out of noise");
  t.choice<Encoding>("weights", &edges->encoding,
                     {{"numbers", Encoding::kNumbers}, {"categories", Encoding::kCategories}},
                     "how they enter: as numbers and ranks, or as in the published models");
  t.choice<EdgeLoss>("loss", &edges->loss,
                     {{"squared", EdgeLoss::kSquared}, {"cross-entropy", EdgeLoss::kCrossEntropy}},
                     "loss of each edge");
  t.boolean("symmetric", &edges->symmetric, "edges have no direction");
  return t;
}

}  // namespace

TspConfig::TspConfig() {
  model.dim = 32;
  model.heads = 4;
  model.depth = 8;
  model.ffn_ratio = 2;
  train.batch = 64;
  train.learning_rate = 0.001;
  train.warmup = 200;
  train.average = 0.999;
  train.evaluate_every = 1000;
  train.checkpoint_every = 500;
}

std::vector<train::TaskConfig::Shortcut> TspConfig::shortcuts() const {
  return {{"--type", "data.kind", "explicit or euclidean (data.kind)"},
          {"--mode", "edges.mode", "one-shot or diffusion (edges.mode)"},
          {"--sets", "data.sets", "folder of `floydnet data tsp` (data.sets)"}};
}

std::vector<train::TaskConfig::Shortcut> TspConfig::eval_shortcuts() const {
  return {{"--sizes", "data.test_sizes", "numbers of cities, such as [20,30]"}};
}

void TspConfig::add_to(train::RunConfig* config) {
  config->add("train", train.table());
  train::add_model_section(config, &model);
  config->add("edges", edge_table(&edges));
  config->add("data", data.table());
}

EdgeModel TspConfig::make_model() const { return EdgeModel(model, edges); }

std::unique_ptr<train::Task> TspConfig::make_task() const {
  return std::make_unique<TspTask>(*this);
}

double TspConfig::memory_needed(int64_t training_ranks) const {
  const auto largest = [](const std::vector<int64_t>& sizes) {
    return sizes.empty() ? 0.0 : static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
  };
  if (training_ranks == 0) {
    return evaluation_bytes(model, StateSize::of_graphs(model, 1, largest(data.test_sizes)));
  }
  const double graphs =
      static_cast<double>(train.batch) / static_cast<double>(train.accumulate * training_ranks);
  return training_bytes(model, StateSize::of_graphs(model, graphs, largest(data.sizes) * 0.7), 1);
}

}  // namespace floydnet::tsp
