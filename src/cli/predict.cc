// floydnet predict: what a model says about graphs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/torch.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "base/file.h"
#include "base/json_text.h"
#include "base/memory_limit.h"
#include "cli/commands.h"
#include "cli/loaded_run.h"
#include "console/progress.h"
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "model/batch_file.h"
#include "model/footprint.h"
#include "train/run_folder.h"

namespace floydnet {
namespace {

/// Tuple states that are computed at a time, if a graph does not have more.
constexpr double kRowsAtOnce = 65536;

struct PredictCommand {
  std::string model;
  std::string graphs;
  std::string output;
  bool json = false;
};

/// Where the next part ends: as many graphs as fit, at least one.
int64_t end_of_part(const std::vector<int64_t>& sizes, int64_t first, const ModelConfig& config) {
  double rows = 0;
  auto last = first;
  for (; last < static_cast<int64_t>(sizes.size()); ++last) {
    rows += StateSize::of_graphs(config, 1, static_cast<double>(sizes[last])).rows;
    if (last > first && rows > kRowsAtOnce) break;
  }
  return last;
}

Predictions joined(const std::vector<Predictions>& parts) {
  const auto join = [&parts](torch::Tensor Predictions::*field) {
    std::vector<torch::Tensor> tensors;
    for (const Predictions& part : parts) {
      if ((part.*field).defined()) tensors.push_back(part.*field);
    }
    return tensors.empty() ? torch::Tensor() : torch::cat(tensors);
  };
  return {join(&Predictions::graph), join(&Predictions::node), join(&Predictions::pair)};
}

Predictions predict_all(FloydNet& model, const GraphBatch& batch, const std::string& source) {
  torch::NoGradGuard no_grad;
  const auto graphs = static_cast<int64_t>(batch.sizes.size());
  const auto largest =
      static_cast<double>(*std::max_element(batch.sizes.begin(), batch.sizes.end()));
  require_memory(
      source, evaluation_bytes(model->config(), StateSize::of_graphs(model->config(), 1, largest)));
  Progress progress("graphs", graphs);
  std::vector<Predictions> parts;
  for (int64_t first = 0; first < graphs;) {
    const int64_t last = end_of_part(batch.sizes, first, model->config());
    try {
      parts.push_back(model->forward(graphs_of(batch, first, last)));
    } catch (const std::invalid_argument& error) {
      throw InputError::in(source, error.what());  // not what the model takes
    }
    progress.show(last);
    first = last;
  }
  return joined(parts);
}

/// A run's folder stands for its best weights.
std::string model_file(const std::string& model) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(model, ignored)) return model;
  const train::RunFolder folder(model);
  folder.read_config();  // whether there is a run at all
  if (std::filesystem::exists(folder.best_file(), ignored)) return folder.best_file();
  throw InputError::in(model, "no best.safetensors yet: nothing has been evaluated");
}

/// Whether only the task of the run that they come from knows what to do with these weights.
bool is_of_task(const std::string& file) {
  const std::map<std::string, std::string> metadata = read_safetensors(file).metadata;
  return metadata.count("floydnet.run") > 0 && metadata.count("floydnet.config") == 0;
}

void predict_by_run(const PredictCommand& command, const std::string& weights) {
  const LoadedRun run = load_run_of_weights(weights);
  std::optional<Progress> progress;
  const auto show = [&progress](int64_t done, int64_t graphs) {
    if (!progress) progress.emplace("graphs", graphs);
    progress->show(done);
  };
  const train::PredictionSummary summary =
      run.task_config->predict({weights, command.graphs, command.output, show});
  progress.reset();  // its line is wiped before others are printed
  if (command.json) {
    fmt::print("{}\n", json_text({{"output", command.output},
                                  {"graphs", summary.graphs},
                                  {"columns", summary.columns}},
                                 2));
  } else {
    fmt::print("{}: {} {}; {}\n", command.output, summary.graphs,
               summary.graphs == 1 ? "graph" : "graphs", fmt::join(summary.columns, ", "));
  }
}

void predict(const PredictCommand& command) {
  require_writable(command.output);
  const std::string file = model_file(command.model);
  if (is_of_task(file)) return predict_by_run(command, file);
  FloydNet model = load_model(file);
  model->to(torch::kFloat32);
  model->eval();
  const GraphBatch batch = read_batch(command.graphs, model->config());
  const Predictions found = predict_all(model, batch, command.graphs);
  write_predictions(command.output, batch.sizes, found);
  const auto columns = [](const torch::Tensor& tensor) {
    return tensor.defined() ? tensor.size(1) : 0;
  };
  if (command.json) {
    fmt::print("{}\n", json_text({{"output", command.output},
                                  {"graphs", batch.sizes.size()},
                                  {"graph_outputs", columns(found.graph)},
                                  {"node_outputs", columns(found.node)},
                                  {"pair_outputs", columns(found.pair)}},
                                 2));
  } else {
    fmt::print("{}: {} graphs; outputs of graphs {}, of nodes {}, of pairs {}\n", command.output,
               batch.sizes.size(), columns(found.graph), columns(found.node), columns(found.pair));
  }
}

}  // namespace

void add_predict_command(CLI::App& app) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App* predictor =
      app.add_subcommand("predict", "Write a model's predictions for graphs, nodes and pairs");
  predictor
      ->add_option("model,--run", command->model,
                   "the folder of a run, or a model file, such as 'convert' writes")
      ->required();
  predictor
      ->add_option(
          "graphs,--data", command->graphs,
          "for runs of 'train graphs', an .npz file in their format (docs/graphs.md); otherwise a "
          "graph6 file, or an .npz file of a batch's arrays (docs/formats.md)")
      ->required();
  predictor
      ->add_option("-o,--output", command->output,
                   "the file to write: CSV if its name ends in .csv, else NPZ")
      ->required();
  predictor->add_flag("--json", command->json, "print one JSON object");
  predictor->footer(
      "Example: floydnet predict model.safetensors graphs.g6 -o predictions.npz\n"
      "         floydnet predict --run runs/mine --data new.npz -o predictions.csv");
  predictor->callback([command] { predict(*command); });
}

}  // namespace floydnet
