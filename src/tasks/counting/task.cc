#include "tasks/counting/task.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/torch.h>

#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "model/footprint.h"
#include "tasks/counting/data/generator.h"
#include "tasks/counting/data/splits.h"
#include "tasks/counting/published.h"
#include "tasks/counting/targets.h"

namespace floydnet::counting {
namespace {

using torch::Tensor;
using train::Metrics;
using train::Part;
using train::SplitMetrics;
using train::Table;

constexpr const char* kValidation = "validation";
constexpr const char* kTest = "test";
constexpr int64_t kEvaluationBatch = 64;
/// Graphs that tell how large counts usually are.
constexpr int64_t kScaleGraphs = 2000;
/// Made graphs for training, validation and testing come from sequences of their own.
enum Sequence : uint64_t { kTrainSequence = 1, kValidationSequence = 2, kTestSequence = 3 };

struct CountingBatch final : train::Batch {
  GraphBatch graphs;
  Targets targets;
};

uint64_t sequence_seed(int64_t seed, Sequence sequence) {
  return static_cast<uint64_t>(seed) * 4 + sequence;
}

std::shared_ptr<CountingBatch> make_counting_batch(const std::vector<Graph>& graphs,
                                                   const std::vector<Pattern>& patterns) {
  auto batch = std::make_shared<CountingBatch>();
  batch->weights = {static_cast<double>(graphs.size())};
  batch->graphs = make_batch(graphs);
  batch->targets = make_targets(count_patterns(graphs, patterns), graphs);
  return batch;
}

/// The graphs of a run; those for training may be made as they are needed.
struct GraphSource {
  std::vector<Graph> train;  // empty: made
  std::vector<Graph> validation;
  std::vector<Graph> test;
  std::vector<Graph> scale;  // whose deviation the benchmark divides by
};

std::vector<Graph> chosen(const std::vector<Graph>& graphs, const std::vector<int64_t>& places) {
  std::vector<Graph> found;
  for (const int64_t place : places) found.push_back(graphs[static_cast<size_t>(place)]);
  return found;
}

GraphSource read_source(const CountingDataConfig& config, int64_t seed) {
  GraphSource source;
  if (config.graphs.empty()) {
    source.validation =
        random_graphs(config.validation_graphs, sequence_seed(seed, kValidationSequence));
    source.test = random_graphs(config.test_graphs, sequence_seed(seed, kTestSequence));
    source.scale = source.test;
    return source;
  }
  source.scale = read_graphs(config.graphs);
  if (config.splits.empty()) {
    throw InputError::in("data.splits",
                         "not given, but data.graphs is: which graphs are for what?");
  }
  const Splits splits = read_splits(config.splits, static_cast<int64_t>(source.scale.size()));
  if (splits.validation.empty() || splits.test.empty() || splits.train.empty()) {
    throw InputError::in(config.splits, "a split has no graphs");
  }
  if (config.train_graphs < 0) source.train = chosen(source.scale, splits.train);
  source.validation = chosen(source.scale, splits.validation);
  source.test = chosen(source.scale, splits.test);
  return source;
}

class CountingTask final : public train::Task {
 public:
  explicit CountingTask(const CountingConfig& run);

  torch::nn::Module& model() override { return *model_; }
  std::shared_ptr<const train::Batch> batch(int64_t step, Part part) const override;
  std::vector<Tensor> loss_sums(const train::Batch& batch) override;
  train::Goal goal() const override { return {kValidation, "mae", false}; }
  std::vector<std::string> final_splits() const override { return {kValidation, kTest}; }
  std::vector<double> tally(const std::string& split, Part part) override;
  Metrics metrics(const std::string& split, const std::vector<double>& sums) const override;
  std::vector<Table> tables(const SplitMetrics& finals) const override;
  std::map<std::string, std::string> metadata() const override {
    return {{"floydnet.config", model_->config().to_json().dump()}};
  }

 private:
  Graph training_graph(int64_t index) const;
  Tensor standardised(int level, const Tensor& counts) const;
  std::array<Tensor, kLevels> predict(const CountingBatch& batch);
  double divisor(int level, size_t pattern) const;

  CountingConfig run_;
  std::vector<Pattern> patterns_;
  std::array<bool, kLevels> levels_;
  GraphSource source_;
  TargetScale scale_;
  std::vector<double> benchmark_deviation_;  // one a pattern
  FloydNet model_{nullptr};
};

CountingTask::CountingTask(const CountingConfig& run)
    : run_(run),
      patterns_(parse_patterns(run.data.patterns)),
      levels_(parse_levels(run.data.levels)),
      source_(read_source(run.data, run.train.seed)) {
  std::vector<Graph> sample;
  for (int64_t i = 0; i < kScaleGraphs; ++i) sample.push_back(training_graph(i));
  CountOptions options;
  options.threads = at::get_num_threads();
  scale_ = scale_of(make_targets(count_patterns(sample, patterns_, options), sample));
  options.levels = {false, false};
  for (const CountColumn& column : count_patterns(source_.scale, patterns_, options).columns) {
    benchmark_deviation_.push_back(counting::scale_of(column.graphs).divisor());
  }
  const auto outputs = static_cast<int64_t>(patterns_.size());
  ModelConfig config = run.model;
  config.graph_outputs = levels_[kGraph] ? outputs : 0;
  config.node_outputs = levels_[kNode] ? outputs : 0;
  config.pair_outputs = levels_[kEdge] ? outputs : 0;
  torch::manual_seed(run.train.seed);
  model_ = FloydNet(config);
}

Graph CountingTask::training_graph(int64_t index) const {
  if (!source_.train.empty()) {
    return source_.train[static_cast<size_t>(index) % source_.train.size()];
  }
  const int64_t place = run_.data.train_graphs > 0 ? index % run_.data.train_graphs : index;
  return random_graph(sequence_seed(run_.train.seed, kTrainSequence), static_cast<uint64_t>(place));
}

std::shared_ptr<const train::Batch> CountingTask::batch(int64_t step, Part part) const {
  std::vector<Graph> graphs;
  const int64_t size = run_.train.batch;
  for (int64_t i = part.begin(size); i < part.end(size); ++i) {
    graphs.push_back(training_graph(step * size + i));
  }
  return make_counting_batch(graphs, patterns_);
}

Tensor CountingTask::standardised(int level, const Tensor& counts) const {
  return ((counts - scale_.mean[level]) / scale_.deviation[level]).to(torch::kFloat32);
}

std::array<Tensor, kLevels> CountingTask::predict(const CountingBatch& batch) {
  const Predictions predictions = model_->forward(batch.graphs);
  std::array<Tensor, kLevels> found = {predictions.graph, predictions.node, predictions.pair};
  if (levels_[kEdge]) found[kEdge] = found[kEdge].index_select(0, batch.targets.edges);
  return found;
}

std::vector<Tensor> CountingTask::loss_sums(const train::Batch& any) {
  const auto& batch = static_cast<const CountingBatch&>(any);
  const auto found = predict(batch);
  Tensor sum;
  for (int level = 0; level < kLevels; ++level) {
    if (!levels_[level]) continue;
    const Tensor error = found[level] - standardised(level, batch.targets.counts[level]);
    Tensor cost;
    switch (run_.data.error) {
      case ErrorKind::kAbsolute:
        cost = error.abs();
        break;
      case ErrorKind::kSquared:
        cost = error.square();
        break;
      // Behaves as the absolute error beyond a tenth of the deviation.
      case ErrorKind::kHuber:
        cost = torch::huber_loss(error, torch::zeros_like(error), at::Reduction::None, 0.1) * 10;
        break;
    }
    const Tensor term = (cost.mean(1) * batch.targets.weights[level].to(torch::kFloat32)).sum();
    sum = sum.defined() ? sum + term : term;
  }
  return {sum};
}

/// What the benchmark divides an error by.
double CountingTask::divisor(int level, size_t pattern) const {
  const Pattern& p = patterns_[pattern];
  const double further = level == kNode ? p.node_divisor : level == kEdge ? p.edge_divisor : 1;
  return benchmark_deviation_[pattern] * further;
}

/// [levels, patterns] of absolute errors, then [levels] of numbers of items.
std::vector<double> CountingTask::tally(const std::string& split, Part part) {
  const std::vector<Graph>& graphs = split == kTest ? source_.test : source_.validation;
  const auto count = static_cast<int64_t>(graphs.size());
  const size_t outputs = patterns_.size();
  std::vector<double> sums(kLevels * outputs + kLevels, 0);
  for (int64_t first = part.begin(count); first < part.end(count); first += kEvaluationBatch) {
    const int64_t last = std::min(first + kEvaluationBatch, part.end(count));
    const auto batch =
        make_counting_batch({graphs.begin() + first, graphs.begin() + last}, patterns_);
    const auto found = predict(*batch);
    for (int level = 0; level < kLevels; ++level) {
      if (!levels_[level]) continue;
      const Tensor counts =
          found[level].to(torch::kFloat64) * scale_.deviation[level] + scale_.mean[level];
      const Tensor errors = (counts - batch->targets.counts[level]).abs().sum(0).contiguous();
      for (size_t p = 0; p < outputs; ++p) {
        sums[level * outputs + p] += errors.data_ptr<double>()[p];
      }
      sums[kLevels * outputs + level] += static_cast<double>(counts.size(0));
    }
  }
  return sums;
}

Metrics CountingTask::metrics(const std::string&, const std::vector<double>& sums) const {
  Metrics metrics;
  double total = 0;
  const size_t outputs = patterns_.size();
  for (int level = 0; level < kLevels; ++level) {
    if (!levels_[level]) continue;
    for (size_t p = 0; p < outputs; ++p) {
      const double error =
          sums[level * outputs + p] / sums[kLevels * outputs + level] / divisor(level, p);
      metrics.emplace_back(fmt::format("{}/{}", text(static_cast<Level>(level)), patterns_[p].name),
                           error);
      total += error;
    }
  }
  metrics.insert(metrics.begin(), {"mae", total / static_cast<double>(metrics.size())});
  return metrics;
}

std::vector<Table> CountingTask::tables(const SplitMetrics& finals) const {
  const Metrics* test = record::find(finals, kTest);
  if (test == nullptr) return {};
  return {comparison_table(*test)};
}

}  // namespace

OptionTable CountingDataConfig::table() {
  OptionTable t;
  t.text("patterns", &patterns, "all, or names and graph6 texts separated by commas");
  t.text("levels", &levels, "levels to learn: graph, node and edge, separated by commas");
  t.text("graphs", &graphs, "graph6 file to validate and test on; empty: graphs are made");
  t.text("splits", &splits, "JSON file that assigns those graphs to splits");
  t.integer("train_graphs", &train_graphs, {-1, int64_t{1} << 40},
            "graphs made for training; 0: new ones in every step; -1: the file's own");
  t.integer("validation_graphs", &validation_graphs, {1, 1'000'000},
            "generated for validation, without a file");
  t.integer("test_graphs", &test_graphs, {1, 1'000'000}, "generated for testing, without a file");
  t.choice("error", &error,
           {{"absolute", ErrorKind::kAbsolute},
            {"huber", ErrorKind::kHuber},
            {"squared", ErrorKind::kSquared}},
           "error to minimise, of counts divided by their standard deviation");
  return t;
}

CountingConfig::CountingConfig() {
  model.dim = 32;
  model.heads = 2;
  model.depth = 5;
  model.ffn_ratio = 2;
  model.composition = Composition::kMultiplicative;
  model.readout = Readout::kSum;
  model.head_layers = 2;
  train.warmup = 200;
  train.average = 0.999;
  train.evaluate_every = 500;
  train.checkpoint_every = 500;
}

std::vector<train::TaskConfig::Shortcut> CountingConfig::shortcuts() const {
  return {{"--task", "data.patterns", "what to count: all, cycle5, 'hom:C~', ..."},
          {"--levels", "data.levels", "graph, node and edge, separated by commas"},
          {"--graphs", "data.graphs", "graph6 file to validate and test on"},
          {"--splits", "data.splits", "its splits.json"}};
}

void CountingConfig::add_to(train::RunConfig* config) {
  config->add("train", train.table());
  train::add_model_section(config, &model);
  config->add("data", data.table());
}

double CountingConfig::memory_needed(int64_t training_ranks) const {
  const bool training = training_ranks > 0;
  // As if all graphs were made; those of a file are known when they have been read.
  const double graphs = training ? static_cast<double>(train.batch) /
                                       static_cast<double>(train.accumulate * training_ranks)
                                 : static_cast<double>(kEvaluationBatch);
  StateSize size;
  const auto& shapes = benchmark_shapes();
  for (const GraphShape& shape : shapes) {
    const StateSize of_shape = StateSize::of_graphs(
        model, graphs / static_cast<double>(shapes.size()), static_cast<double>(shape.nodes));
    size.rows += of_shape.rows;
    size.nodes = std::max(size.nodes, of_shape.nodes);
  }
  return training ? training_bytes(model, size, 1) : evaluation_bytes(model, size);
}

std::unique_ptr<train::Task> CountingConfig::make_task() const {
  return std::make_unique<CountingTask>(*this);
}

}  // namespace floydnet::counting
