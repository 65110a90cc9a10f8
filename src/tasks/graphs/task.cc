#include "tasks/graphs/task.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "floydnet/error.h"
#include "floydnet/memory.h"
#include "tasks/graphs/batches/order.h"
#include "tasks/graphs/page/predictions_page.h"
#include "tasks/graphs/pieces.h"
#include "tasks/graphs/rank_baselines.h"
#include "tasks/graphs/results.h"
#include "tasks/graphs/schema/statistics.h"
#include "train/evaluation.h"

namespace floydnet::graphs {
namespace {

using torch::Tensor;
using train::Metrics;
using train::Part;

constexpr const char* kValidation = "validation";

struct GraphsBatch final : train::Batch {
  GraphInputs inputs;
  std::vector<Tensor> labels;         // one a target
  std::vector<Tensor> class_weights;  // one a target, undefined if all are 1
};

class GraphsTask final : public train::Task {
 public:
  explicit GraphsTask(const GraphsConfig& run);

  torch::nn::Module& model() override { return *model_; }
  std::shared_ptr<const train::Batch> batch(int64_t step, Part part) const override;
  std::vector<Tensor> loss_sums(const train::Batch& batch) override;
  train::Goal goal() const override { return goal_; }
  std::vector<std::string> final_splits() const override;
  std::vector<double> tally(const std::string& split, Part part) override;
  Metrics metrics(const std::string& split, const std::vector<double>& sums) const override;
  std::vector<train::Table> tables(const train::SplitMetrics& finals) const override;
  bool has_page() const override { return true; }
  std::string page(const std::string& title, const train::SplitSums& finals) const override;

 private:
  std::shared_ptr<GraphsBatch> make_piece(const std::vector<int64_t>& graphs,
                                          const std::vector<Tensor>& class_weights) const;
  std::vector<Tensor> class_weights_of(const std::vector<int64_t>& graphs) const;
  void choose_goal();

  GraphsConfig run_;
  InputBuilder builder_;
  EpochOrder order_;
  train::Goal goal_;
  GraphModel model_{nullptr};
  bool all_pairs_ = false;  // are learned from, not only listed ones
  bool was_large_ = false;  // the piece before
};

GraphsTask::GraphsTask(const GraphsConfig& run)
    : run_(run),
      builder_(run_.schema, run_.structure, run_.model.order, run_.model.supernode, *run_.set),
      order_(run_.splits.train, static_cast<uint64_t>(run.train.seed)) {
  for (const Target& target : run_.schema.targets) {
    all_pairs_ = all_pairs_ || target.lists_only_yes;
  }
  choose_goal();
  torch::manual_seed(run.train.seed);
  model_ = GraphModel(run_.model, run_.schema);
}

/// By the labels of all graphs of a step, whoever computes them.
std::vector<Tensor> GraphsTask::class_weights_of(const std::vector<int64_t>& graphs) const {
  std::vector<Tensor> weights;
  for (const Target& target : run_.schema.targets) {
    std::vector<double> counts;
    if (run_.target.class_weights == ClassWeights::kBatch &&
        target.kind != TargetKind::kRegression) {
      counts = class_counts(*run_.set, target, graphs);
    }
    weights.push_back(class_weights(target, run_.target.class_weights, counts));
  }
  return weights;
}

std::shared_ptr<GraphsBatch> GraphsTask::make_piece(
    const std::vector<int64_t>& graphs, const std::vector<Tensor>& class_weights) const {
  auto piece = std::make_shared<GraphsBatch>();
  piece->inputs = piece_inputs(run_, builder_, graphs, all_pairs_);
  piece->class_weights = class_weights;
  for (size_t i = 0; i < run_.schema.targets.size(); ++i) {
    const Target& target = run_.schema.targets[i];
    piece->labels.push_back(labels_of(target, builder_, graphs, all_pairs_));
    piece->weights.push_back(entry_weights(target, piece->labels[i], class_weights[i])
                                 .sum(torch::kFloat64)
                                 .item<double>());
  }
  return piece;
}

std::shared_ptr<const train::Batch> GraphsTask::batch(int64_t step, Part part) const {
  const std::vector<int64_t> graphs = order_.at(step * run_.train.batch, run_.train.batch);
  const std::vector<Tensor> class_weights = class_weights_of(graphs);
  auto whole = std::make_shared<GraphsBatch>();
  whole->weights.assign(run_.schema.targets.size(), 0);
  for (const std::vector<int64_t>& piece_graphs : graphs::pieces_of(
           run_, *run_.set, share_of(graphs, run_.set->sizes, part.index, part.count))) {
    const auto piece = make_piece(piece_graphs, class_weights);
    for (size_t i = 0; i < whole->weights.size(); ++i) whole->weights[i] += piece->weights[i];
    whole->pieces.push_back(piece);
  }
  if (whole->pieces.size() == 1) return whole->pieces[0];
  return whole;
}

std::vector<Tensor> GraphsTask::loss_sums(const train::Batch& any) {
  const auto& batch = static_cast<const GraphsBatch&>(any);
  // Tensors of a large graph and of small ones do not fit into each other's memory.
  const bool large = batch.inputs.batch.recompute;
  if (large || was_large_) release_idle_tensor_memory();
  was_large_ = large;
  const std::vector<Tensor> outputs = model_->forward(batch.inputs);
  std::vector<Tensor> sums;
  for (size_t i = 0; i < outputs.size(); ++i) {
    sums.push_back(loss_sum(run_.schema.targets[i], run_.target, outputs[i], batch.labels[i],
                            batch.class_weights[i], model_->is_training()));
  }
  return sums;
}

/// A metric may not be defined for the labels of validation, such as one without a yes.
void GraphsTask::choose_goal() {
  goal_ = goal_of(run_.schema, run_.target);
  goal_.split = kValidation;
  if (run_.splits.validation.empty()) return;
  const SplitResults results(run_.schema, builder_, run_.splits.validation);
  const Metrics of_zeros =
      metrics(kValidation, std::vector<double>(static_cast<size_t>(results.numbers()), 0));
  if (std::isfinite(*record::find(of_zeros, goal_.metric))) return;
  if (run_.target.metric != "auto") {
    throw InputError::in("target.metric",
                         fmt::format("{} is not defined for the labels of the validation split",
                                     in_quotes(goal_.metric)));
  }
  goal_ = {kValidation, "loss", false};
}

std::vector<std::string> GraphsTask::final_splits() const {
  if (run_.data.whole) return {"all"};
  std::vector<std::string> splits = {kValidation};
  if (!run_.splits.test.empty()) splits.emplace_back("test");
  return splits;
}

std::vector<double> GraphsTask::tally(const std::string& split, Part part) {
  const std::vector<int64_t>& graphs = run_.splits.of(split);
  const SplitResults results(run_.schema, builder_, graphs);
  std::vector<double> sums(static_cast<size_t>(results.numbers()), 0);
  for_each_piece(run_, model_, builder_, share_of(graphs, run_.set->sizes, part.index, part.count),
                 results.all_pairs(),
                 [&](const std::vector<int64_t>& piece, const std::vector<Tensor>& outputs) {
                   results.add(piece, outputs, run_.target, &sums);
                 });
  return sums;
}

Metrics GraphsTask::metrics(const std::string& split, const std::vector<double>& sums) const {
  const SplitResults results(run_.schema, builder_, run_.splits.of(split));
  return results.metrics(sums, /*in_detail=*/split != kValidation);
}

std::vector<train::Table> GraphsTask::tables(const train::SplitMetrics& finals) const {
  std::vector<train::Table> tables = result_tables(finals);
  std::vector<std::string> splits;
  for (const auto& [split, metrics] : finals) splits.push_back(split);
  for (train::Table& table : rank_baselines(run_, builder_, splits)) {
    tables.push_back(std::move(table));
  }
  return tables;
}

/// "30 graphs of 4 to 9 nodes"
std::string sizes_text(const std::vector<int64_t>& sizes) {
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  const std::string nodes =
      *least == *most ? fmt::format("{}", *least) : fmt::format("{} to {}", *least, *most);
  return fmt::format("{} {} of {} nodes", sizes.size(), sizes.size() == 1 ? "graph" : "graphs",
                     nodes);
}

/// Figures and pictures are of the last split, which the weights were not chosen by. They show
/// sizes in more detail than the second table.
std::string GraphsTask::page(const std::string& title, const train::SplitSums& finals) const {
  const auto& [split, sums] = finals.back();
  const std::vector<int64_t>& graphs = run_.splits.of(split);
  const SplitResults results(run_.schema, builder_, graphs);
  std::vector<Predicted> targets;
  for (size_t t = 0; t < run_.schema.targets.size(); ++t) {
    targets.push_back(results.of_target(t, sums));
  }
  return predictions_page({title, fmt::format("Figures and pictures: split {} of {}, {}.", split,
                                              run_.data.file, sizes_text(targets[0].sizes))},
                          *run_.set, {result_tables(train::metrics_of(*this, finals)).front()},
                          targets);
}

}  // namespace

std::unique_ptr<train::Task> make_graphs_task(const GraphsConfig& config) {
  return std::make_unique<GraphsTask>(config);
}

}  // namespace floydnet::graphs
