// The training loop on a task of one's own: how many neighbours does a node have?
// 4-training FOLDER
//
// Prints:
//   120 steps, then the mean absolute error is below 0.1
//   the file of weights gives the same model
#include <floydnet/error.h>
#include <floydnet/train.h>
#include <torch/torch.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>

namespace {

namespace train = floydnet::train;
using torch::Tensor;

struct Examples final : train::Batch {
  floydnet::GraphBatch graphs;
  Tensor degrees;  // [nodes]
};

// Graphs that depend on their numbers alone.
std::shared_ptr<Examples> make_examples(int64_t first, int64_t last) {
  std::vector<floydnet::Graph> graphs;
  std::vector<float> degrees;
  for (int64_t number = first; number < last; ++number) {
    std::mt19937_64 random(static_cast<uint64_t>(number) + 1);
    const int64_t n = 4 + static_cast<int64_t>(random() % 5);
    floydnet::Graph graph(n);
    std::vector<float> of_graph(n, 0);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = i + 1; j < n; ++j) {
        if (random() % 2 == 0) continue;
        graph.add_edge(i, j);
        ++of_graph[i];
        ++of_graph[j];
      }
    }
    graphs.push_back(graph);
    degrees.insert(degrees.end(), of_graph.begin(), of_graph.end());
  }
  auto examples = std::make_shared<Examples>();
  examples->graphs = floydnet::make_batch(graphs);
  examples->degrees = torch::tensor(degrees);
  examples->weights = {static_cast<double>(degrees.size())};  // the loss is a mean over nodes
  return examples;
}

class Degrees final : public train::Task {
 public:
  Degrees() {
    torch::manual_seed(1);
    floydnet::ModelConfig config;
    config.dim = 32;
    config.depth = 2;
    config.node_outputs = 1;
    model_ = floydnet::FloydNet(config);
  }

  torch::nn::Module& model() override { return *model_; }
  std::shared_ptr<const train::Batch> batch(int64_t step, train::Part part) const override {
    return make_examples(step * 32 + part.begin(32), step * 32 + part.end(32));
  }
  std::vector<Tensor> loss_sums(const train::Batch& batch) override {
    return {errors(static_cast<const Examples&>(batch)).square().sum()};
  }

  train::Goal goal() const override { return {"validation", "mae", /*higher_is_better=*/false}; }
  std::vector<std::string> final_splits() const override { return {"validation"}; }
  std::vector<double> tally(const std::string&, train::Part part) override {
    const int64_t first = int64_t{1} << 40;
    const auto examples = make_examples(first + part.begin(64), first + part.end(64));
    return {errors(*examples).abs().sum().item<double>(), examples->weights[0]};
  }
  train::Metrics metrics(const std::string&, const std::vector<double>& sums) const override {
    return {{"mae", sums[0] / sums[1]}};
  }
  std::map<std::string, std::string> metadata() const override {
    return {{"floydnet.config", model_->config().to_json().dump()}};
  }

  floydnet::FloydNet& floydnet_model() { return model_; }

 private:
  Tensor errors(const Examples& examples) {
    return model_->forward(examples.graphs).node.squeeze(1) - examples.degrees;
  }

  floydnet::FloydNet model_{nullptr};
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  Degrees task;
  train::TrainConfig config;
  config.steps = 120;
  config.warmup = 10;
  config.learning_rate = 0.003;
  config.evaluate_every = 40;
  const train::Outcome outcome = train::train(task, config, argv[1]);
  const double error = outcome.finals[0].second[0].second;
  std::printf("%ld steps, then the mean absolute error is %s\n", long(outcome.step),
              error < 0.1 ? "below 0.1" : std::to_string(error).c_str());

  floydnet::FloydNet loaded = floydnet::load_model(std::string(argv[1]) + "/best.safetensors");
  loaded->eval();
  task.floydnet_model()->eval();
  torch::NoGradGuard no_grad;
  const auto examples = make_examples(7, 9);
  const bool same = torch::equal(loaded->forward(examples->graphs).node,
                                 task.floydnet_model()->forward(examples->graphs).node);
  std::puts(same ? "the file of weights gives the same model" : "the file's model differs");
  return same && error < 0.1 ? 0 : 1;
} catch (const floydnet::InputError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
