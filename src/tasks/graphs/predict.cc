#include "tasks/graphs/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/memory_limit.h"
#include "floydnet/error.h"
#include "tasks/graphs/data/graph_file.h"
#include "tasks/graphs/pieces.h"
#include "train/run_folder.h"

namespace floydnet::graphs {
namespace {

using torch::Tensor;

bool is_csv(const std::string& path) { return std::filesystem::path(path).extension() == ".csv"; }

/// A CSV file has one row for each thing that it is about.
void require_one_level(const Schema& schema, const std::string& output) {
  for (const Target& target : schema.targets) {
    if (target.level == schema.targets.front().level) continue;
    throw InputError::in(output,
                         fmt::format("CSV has no place for predictions of {}s and {}s; "
                                     "write to an .npz file",
                                     name_of(schema.targets.front().level), name_of(target.level)));
  }
}

}  // namespace

TrainedModel::TrainedModel(GraphsConfig config, const std::string& weights)
    : config_(std::move(config)) {
  if (config_.schema.empty())
    throw InputError::in(weights, "its run does not say what it predicts");
  model_ = GraphModel(config_.model, config_.schema);
  train::load_weights(*model_, weights);
  model_->eval();
}

std::vector<TargetPredictions> TrainedModel::predict(
    const std::shared_ptr<const GraphSet>& set, const std::string& source,
    const std::function<void(int64_t, int64_t)>& finished) {
  require_features(config_.schema, *set, source);
  GraphsConfig run = config_;
  run.set = set;
  require_memory(source, run.memory_needed(/*training_ranks=*/0));
  const InputBuilder builder(run.schema, run.structure, run.model.order, run.model.supernode, *set);
  std::vector<TargetPredictions> found;
  for (const Target& target : config_.schema.targets) {
    found.push_back({&target, std::vector<float>(static_cast<size_t>(set->rows(target.level) *
                                                                     target.outputs()))});
  }
  std::vector<int64_t> all;
  for (int64_t g = 0; g < set->graphs(); ++g) all.push_back(g);
  int64_t done = 0;
  for_each_piece(run, model_, builder, all, /*all_pairs=*/false,
                 [&](const std::vector<int64_t>& graphs, const std::vector<Tensor>& outputs) {
                   for (size_t i = 0; i < found.size(); ++i) {
                     const Target& target = *found[i].target;
                     const Tensor values = to_predictions(target, outputs[i]).contiguous();
                     const float* next = values.data_ptr<float>();
                     for (const int64_t graph : graphs) {
                       const int64_t first = builder.first_row(target.level, graph);
                       const int64_t count =
                           (builder.last_row(target.level, graph) - first) * target.outputs();
                       std::copy(next, next + count,
                                 found[i].values.begin() + first * target.outputs());
                       next += count;
                     }
                   }
                   done += static_cast<int64_t>(graphs.size());
                   if (finished) finished(done, set->graphs());
                 });
  return found;
}

train::PredictionSummary write_predictions(const GraphsConfig& config,
                                           const train::PredictionFiles& files) {
  TrainedModel model(config, files.weights);
  if (is_csv(files.output)) require_one_level(model.schema(), files.output);
  const auto set = std::make_shared<const GraphSet>(read_graph_file(files.input));
  const std::vector<TargetPredictions> found = model.predict(set, files.input, files.finished);
  if (is_csv(files.output)) {
    write_file_atomically(files.output, csv_text(*set, found));
  } else {
    write_npz(files.output, npz_predictions(*set, found));
  }
  train::PredictionSummary summary;
  summary.graphs = set->graphs();
  for (const Target& target : model.schema().targets) {
    summary.columns.push_back(full_name(target.level, target.name));
  }
  return summary;
}

}  // namespace floydnet::graphs
