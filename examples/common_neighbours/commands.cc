// A worked example of a task: how many neighbours do two nodes have in common?
// docs/adding-a-task.md explains it; a test builds it, trains it and looks at the results.
#include <torch/torch.h>

#include <random>

#include "base/hash.h"
#include "floydnet/model.h"
#include "model/footprint.h"
#include "tasks/entry.h"

namespace floydnet::common_neighbours {
namespace {

using torch::Tensor;

/// The sections of a run's configuration, with defaults that suit the task.
class Config final : public train::TaskConfig {
 public:
  Config() {
    model.dim = 32;
    model.heads = 4;
    model.depth = 2;
    model.ffn_ratio = 2;
    model.pair_outputs = 1;
    train.learning_rate = 0.003;
  }

  ModelConfig model;
  int64_t nodes = 10;

  std::vector<Shortcut> shortcuts() const override {
    return {{"--nodes", "data.nodes", "of each graph to train on; tests have twice as many"}};
  }
  void add_to(train::RunConfig* config) override {
    OptionTable data;
    data.integer("nodes", &nodes, {2, 200}, "of each graph to train on");
    config->add("train", train.table());
    train::add_model_section(config, &model);
    config->add("data", data);
  }
  double memory_needed(int64_t training_ranks) const override {
    const int64_t parts = std::max<int64_t>(1, training_ranks) * train.accumulate;
    const auto size =
        StateSize::of_graphs(model, static_cast<double>(train.batch) / static_cast<double>(parts),
                             static_cast<double>(nodes));
    return training_ranks > 0 ? training_bytes(model, size, 1) : evaluation_bytes(model, size);
  }
  std::unique_ptr<train::Task> make_task() const override;
};

struct Examples final : train::Batch {
  GraphBatch graphs;
  Tensor counts;  // [pairs]
};

/// A random graph that depends on its number alone.
Graph random_graph(int64_t nodes, uint64_t number) {
  std::mt19937_64 random(well_mixed(number + kGoldenStep));
  Graph graph(nodes, /*directed=*/false);
  for (int64_t i = 0; i < nodes; ++i) {
    for (int64_t j = i + 1; j < nodes; ++j) {
      if (random() % 3 == 0) graph.add_edge(i, j);
    }
  }
  return graph;
}

std::shared_ptr<Examples> make_examples(int64_t nodes, int64_t first, int64_t last) {
  std::vector<Graph> graphs;
  for (int64_t i = first; i < last; ++i) {
    graphs.push_back(random_graph(nodes, static_cast<uint64_t>(i)));
  }
  auto examples = std::make_shared<Examples>();
  examples->graphs = make_batch(graphs);
  const Tensor adjacency = examples->graphs.adjacency.view({-1, nodes, nodes}).to(torch::kFloat32);
  examples->counts = adjacency.matmul(adjacency).flatten();
  // The loss has one term, a mean over pairs.
  examples->weights = {static_cast<double>(examples->counts.numel())};
  return examples;
}

class CommonNeighbours final : public train::Task {
 public:
  explicit CommonNeighbours(const Config& config) : config_(config) {
    torch::manual_seed(config.train.seed);
    model_ = FloydNet(config.model);
  }

  torch::nn::Module& model() override { return *model_; }

  std::shared_ptr<const train::Batch> batch(int64_t step, train::Part part) const override {
    const int64_t size = config_.train.batch, first = (config_.train.seed + step) * size;
    return make_examples(config_.nodes, first + part.begin(size), first + part.end(size));
  }
  std::vector<Tensor> loss_sums(const train::Batch& any) override {
    return {errors(static_cast<const Examples&>(any)).square().sum()};
  }

  train::Goal goal() const override { return {"validation", "mae", /*higher_is_better=*/false}; }
  std::vector<std::string> final_splits() const override { return {"validation", "test"}; }
  /// The sum of absolute errors, and the number of pairs.
  std::vector<double> tally(const std::string& split, train::Part part) override {
    const bool test = split == "test";
    const int64_t graphs = 64, first = (int64_t{1} << 40) * (test ? 2 : 1);
    if (part.begin(graphs) == part.end(graphs)) return {0, 0};
    const auto examples = make_examples(test ? 2 * config_.nodes : config_.nodes,
                                        first + part.begin(graphs), first + part.end(graphs));
    return {errors(*examples).abs().sum().item<double>(), examples->weights[0]};
  }
  train::Metrics metrics(const std::string&, const std::vector<double>& sums) const override {
    return {{"mae", sums[0] / sums[1]}};
  }
  std::map<std::string, std::string> metadata() const override {
    return {{"floydnet.config", model_->config().to_json().dump()}};
  }

 private:
  Tensor errors(const Examples& examples) {
    return model_->forward(examples.graphs).pair.squeeze(1) - examples.counts;
  }

  Config config_;
  FloydNet model_{nullptr};
};

std::unique_ptr<train::Task> Config::make_task() const {
  return std::make_unique<CommonNeighbours>(*this);
}

}  // namespace

TaskEntry entry() {
  TaskEntry entry;
  entry.name = "common_neighbours";
  entry.summary = "Count the neighbours that two nodes have in common";
  entry.example = "floydnet train common_neighbours --steps 200 --out runs/common";
  entry.make_config = new_config<Config>;
  return entry;
}

}  // namespace floydnet::common_neighbours
