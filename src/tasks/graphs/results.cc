#include "tasks/graphs/results.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>

#include "tasks/graphs/pieces.h"

namespace floydnet::graphs {
namespace {

using record::Metrics;
using torch::Tensor;

/// Of classes also how probable they are.
int64_t numbers_of_entry(const Target& target) {
  return target.kind == TargetKind::kClasses ? 2 : 1;
}

/// What is kept of what a model says about rows: [rows, width, numbers_of_entry].
Tensor kept_numbers(const Target& target, const Tensor& outputs) {
  if (target.kind == TargetKind::kRegression) return to_predictions(target, outputs);
  if (target.kind == TargetKind::kBinary) return outputs;
  std::vector<Tensor> columns;
  int64_t next = 0;
  for (const int64_t classes : target.classes) {
    const Tensor logits = outputs.narrow(1, next, classes);
    const Tensor place = logits.argmax(1, /*keepdim=*/true);
    const Tensor probability = logits.softmax(1).gather(1, place);
    columns.push_back(torch::cat({place.to(probability.dtype()), probability}, 1));
    next += classes;
  }
  return torch::stack(columns, 1);
}

}  // namespace

SplitResults::SplitResults(const Schema& schema, const InputBuilder& builder,
                           std::vector<int64_t> graphs)
    : schema_(schema), builder_(builder), graphs_(std::move(graphs)) {
  std::sort(graphs_.begin(), graphs_.end());
  for (const Target& target : schema.targets) all_pairs_ = all_pairs_ || is_ranked(target);
  for (const Target& target : schema.targets) {
    std::vector<int64_t> first;
    for (const int64_t graph : graphs_) {
      first.push_back(losses_);
      losses_ += rows_of(builder, target.level, graph, all_pairs_) * target.width *
                 numbers_of_entry(target);
    }
    first.push_back(losses_);
    first_.push_back(std::move(first));
  }
}

void SplitResults::add(const std::vector<int64_t>& graphs, const std::vector<Tensor>& outputs,
                       const TargetConfig& config, std::vector<double>* sums) const {
  for (size_t t = 0; t < schema_.targets.size(); ++t) {
    const Target& target = schema_.targets[t];
    const Tensor kept = kept_numbers(target, outputs[t]).to(torch::kFloat64).contiguous();
    const double* next = kept.data_ptr<double>();
    for (const int64_t graph : graphs) {
      const auto place = static_cast<size_t>(
          std::lower_bound(graphs_.begin(), graphs_.end(), graph) - graphs_.begin());
      const int64_t begin = first_[t][place], end = first_[t][place + 1];
      std::copy(next, next + (end - begin), sums->begin() + begin);
      next += end - begin;
    }
    // Weights by the labels of a batch are for training alone.
    const ClassWeights kind =
        config.class_weights == ClassWeights::kBatch ? ClassWeights::kNone : config.class_weights;
    const Tensor weights = class_weights(target, kind, {});
    const Tensor labels = labels_of(target, builder_, graphs, all_pairs_);
    const auto at = static_cast<size_t>(losses_) + 2 * t;
    (*sums)[at] +=
        loss_sum(target, config, outputs[t], labels, weights, /*noisy=*/false).item<double>();
    (*sums)[at + 1] += entry_weights(target, labels, weights).sum(torch::kFloat64).item<double>();
  }
}

Predicted SplitResults::of_target(size_t t, const std::vector<double>& sums) const {
  const Target& target = schema_.targets[t];
  const Tensor labels = labels_of(target, builder_, graphs_, all_pairs_);
  Predicted predicted;
  predicted.target = &target;
  for (const int64_t graph : graphs_) {
    predicted.sizes.push_back(builder_.set().sizes[static_cast<size_t>(graph)]);
  }
  const int64_t numbers = numbers_of_entry(target);
  for (const int64_t first : first_[t]) {
    predicted.first_row.push_back((first - first_[t].front()) / (target.width * numbers));
  }
  predicted.graphs = graphs_;
  predicted.all_pairs = all_pairs_;
  predicted.labels.assign(labels.data_ptr<float>(), labels.data_ptr<float>() + labels.numel());
  for (int64_t i = first_[t].front(); i < first_[t].back(); i += numbers) {
    predicted.values.push_back(static_cast<float>(sums[static_cast<size_t>(i)]));
    if (numbers == 1) continue;
    predicted.confidences.push_back(static_cast<float>(sums[static_cast<size_t>(i + 1)]));
  }
  return predicted;
}

Metrics SplitResults::metrics(const std::vector<double>& sums, bool in_detail) const {
  const bool single = schema_.targets.size() == 1;
  Metrics metrics;
  double loss = 0;
  for (size_t t = 0; t < schema_.targets.size(); ++t) {
    const Target& target = schema_.targets[t];
    for (auto& [name, value] : metrics_of(of_target(t, sums), in_detail)) {
      metrics.emplace_back(
          single ? name : fmt::format("{}/{}", full_name(target.level, target.name), name), value);
    }
    const auto at = static_cast<size_t>(losses_) + 2 * t;
    if (sums[at + 1] > 0) loss += sums[at] / sums[at + 1];
  }
  metrics.emplace_back("loss", loss);
  return metrics;
}

}  // namespace floydnet::graphs
