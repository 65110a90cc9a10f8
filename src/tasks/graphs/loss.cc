#include "tasks/graphs/loss.h"

#include <torch/torch.h>

#include <algorithm>
#include <numeric>

#include "floydnet/error.h"

namespace floydnet::graphs {
namespace {

using torch::Tensor;

Tensor row_tensor(const std::vector<double>& values) {
  return torch::tensor(values, torch::kFloat64).to(torch::kFloat32);
}

/// First entry of each column in what is laid out as Target::counts.
std::vector<int64_t> first_entries(const Target& target) {
  std::vector<int64_t> first;
  int64_t next = 0;
  for (int64_t i = 0; i < target.width; ++i) {
    first.push_back(next);
    next += target.kind == TargetKind::kBinary ? 2 : target.classes[static_cast<size_t>(i)];
  }
  return first;
}

Tensor without_missing(const Tensor& labels) { return torch::nan_to_num(labels, 0.0); }

LossKind loss_for(TargetKind kind, LossKind wanted) {
  switch (kind) {
    case TargetKind::kBinary:
      return LossKind::kBinaryCrossEntropy;
    case TargetKind::kClasses:
      return LossKind::kCrossEntropy;
    case TargetKind::kRegression:
      break;
  }
  const bool suits = wanted == LossKind::kL2 || wanted == LossKind::kHuber;
  return suits ? wanted : LossKind::kL1;
}

Tensor regression_losses(const Target& target, const TargetConfig& config, const Tensor& outputs,
                         const Tensor& labels, bool noisy) {
  Tensor wanted = (labels - row_tensor(target.scale.mean)) / row_tensor(target.scale.deviation);
  wanted = without_missing(wanted);
  if (noisy && config.noise > 0) wanted = wanted + config.noise * torch::randn_like(wanted);
  switch (loss_for(target.kind, config.loss)) {
    case LossKind::kL2:
      return (outputs - wanted).square();
    case LossKind::kHuber:
      return torch::huber_loss(outputs, wanted, at::Reduction::None, config.huber);
    default:
      return (outputs - wanted).abs();
  }
}

Tensor binary_losses(const TargetConfig& config, const Tensor& outputs, const Tensor& labels,
                     bool noisy) {
  Tensor wanted = without_missing(labels);
  if (noisy) wanted = wanted * (1 - config.smoothing) + config.smoothing / 2;
  return torch::binary_cross_entropy_with_logits(outputs, wanted, {}, {}, at::Reduction::None);
}

Tensor class_losses(const Target& target, const TargetConfig& config, const Tensor& outputs,
                    const Tensor& labels, bool noisy) {
  const Tensor wanted = without_missing(labels).to(torch::kInt64);
  std::vector<Tensor> columns;
  int64_t next = 0;
  for (int64_t i = 0; i < target.width; ++i) {
    const int64_t classes = target.classes[static_cast<size_t>(i)];
    const Tensor logs = torch::log_softmax(outputs.narrow(1, next, classes), 1);
    Tensor loss = -logs.gather(1, wanted.narrow(1, i, 1));
    if (noisy && config.smoothing > 0) {
      loss = loss * (1 - config.smoothing) - config.smoothing * logs.mean(1, /*keepdim=*/true);
    }
    columns.push_back(loss);
    next += classes;
  }
  return torch::cat(columns, 1);
}

}  // namespace

OptionTable TargetConfig::table() {
  OptionTable t;
  t.choice("kind", &kind,
           {{"auto", KindChoice::kAuto},
            {"regression", KindChoice::kRegression},
            {"binary", KindChoice::kBinary},
            {"classes", KindChoice::kClasses}},
           "kind of the targets; auto: decided by their values");
  t.choice("loss", &loss,
           {{"auto", LossKind::kAuto},
            {"l1", LossKind::kL1},
            {"l2", LossKind::kL2},
            {"huber", LossKind::kHuber},
            {"cross_entropy", LossKind::kCrossEntropy},
            {"bce", LossKind::kBinaryCrossEntropy}},
           "auto: l1 of numbers in deviations, bce of yes and no, cross_entropy of classes");
  t.real("huber", &huber, {1e-6, 1e6}, "error above which huber is linear, in standard deviations");
  t.choice("class_weights", &class_weights,
           {{"none", ClassWeights::kNone},
            {"balanced", ClassWeights::kBalanced},
            {"batch", ClassWeights::kBatch}},
           "balanced: all classes weigh the same; batch: (V - n_c) / V, as in LRGB");
  t.real("noise", &noise, {0, 100},
         "noise added to numeric labels in training, in standard deviations");
  t.real("smoothing", &smoothing, {0, 0.999}, "label smoothing of classes in training");
  t.text("metric", &metric,
         "validation metric that decides the best weights; auto: decided by the kind");
  return t;
}

void require_loss(const TargetConfig& config, const std::vector<Target>& targets) {
  if (config.loss == LossKind::kAuto) return;
  for (const Target& target : targets) {
    if (loss_for(target.kind, config.loss) == config.loss) return;
  }
  throw InputError::in("target.loss",
                       "suits no target: l1, l2 and huber are for numbers, bce for yes and no, "
                       "cross_entropy for classes (target.kind)");
}

Tensor class_weights(const Target& target, ClassWeights kind,
                     const std::vector<double>& batch_counts) {
  if (kind == ClassWeights::kNone || target.kind == TargetKind::kRegression) return {};
  const std::vector<double>& counts = kind == ClassWeights::kBatch ? batch_counts : target.counts;
  std::vector<int64_t> ends = first_entries(target);
  ends.push_back(static_cast<int64_t>(counts.size()));
  std::vector<double> weights(counts.size(), 0);
  for (size_t column = 0; column + 1 < ends.size(); ++column) {
    const auto begin = static_cast<size_t>(ends[column]),
               end = static_cast<size_t>(ends[column + 1]);
    const double all =
        std::accumulate(counts.begin() + ends[column], counts.begin() + ends[column + 1], 0.0);
    const auto present = static_cast<double>(std::count_if(counts.begin() + ends[column],
                                                           counts.begin() + ends[column + 1],
                                                           [](double count) { return count > 0; }));
    for (size_t c = begin; c < end; ++c) {
      if (counts[c] == 0) continue;
      weights[c] =
          kind == ClassWeights::kBatch ? (all - counts[c]) / all : all / (present * counts[c]);
    }
  }
  return row_tensor(weights);
}

Tensor entry_weights(const Target& target, const Tensor& labels, const Tensor& class_weights) {
  const Tensor present = labels.isnan().logical_not().to(torch::kFloat32);
  if (!class_weights.defined()) return present;
  const Tensor first = torch::tensor(first_entries(target), torch::kInt64);
  const Tensor places = without_missing(labels).to(torch::kInt64) + first;
  return present * class_weights.index_select(0, places.reshape({-1})).view_as(labels);
}

Tensor loss_sum(const Target& target, const TargetConfig& config, const Tensor& outputs,
                const Tensor& labels, const Tensor& class_weights, bool noisy) {
  Tensor losses;
  switch (target.kind) {
    case TargetKind::kRegression:
      losses = regression_losses(target, config, outputs, labels, noisy);
      break;
    case TargetKind::kBinary:
      losses = binary_losses(config, outputs, labels, noisy);
      break;
    case TargetKind::kClasses:
      losses = class_losses(target, config, outputs, labels, noisy);
      break;
  }
  return (losses * entry_weights(target, labels, class_weights)).sum();
}

Tensor to_predictions(const Target& target, const Tensor& outputs) {
  if (target.kind == TargetKind::kRegression) {
    return outputs * row_tensor(target.scale.deviation) + row_tensor(target.scale.mean);
  }
  if (target.kind == TargetKind::kBinary) return torch::sigmoid(outputs);
  std::vector<Tensor> columns;
  int64_t next = 0;
  for (const int64_t classes : target.classes) {
    columns.push_back(torch::softmax(outputs.narrow(1, next, classes), 1));
    next += classes;
  }
  return torch::cat(columns, 1);
}

}  // namespace floydnet::graphs
