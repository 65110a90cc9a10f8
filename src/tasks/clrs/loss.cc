#include "tasks/clrs/loss.h"

#include <torch/torch.h>

namespace floydnet::clrs {
namespace {

using torch::Tensor;

/// 1 for each entry, or row of classes, that counts, and 0 for the others.
Tensor counted_of(const Probe& probe, const Tensor& truth) {
  switch (probe.type) {
    case Type::kMask:
      return (truth != kMasked).to(torch::kFloat32);
    case Type::kMaskOne:
    case Type::kCategorical:
    case Type::kPermutationPointer:
      return (truth == 1).sum(-1).to(torch::kFloat32);
    default:
      return torch::ones(truth.sizes());
  }
}

/// -sum of truth * log-probabilities over the last axis, for rows that have a 1.
Tensor row_losses(const Tensor& log_probabilities, const Tensor& truth) {
  return -((truth == 1).to(log_probabilities.scalar_type()) * log_probabilities).sum(-1);
}

/// The loss of each entry, or row of classes, whether or not it counts.
Tensor losses_of(const Probe& probe, const Tensor& prediction, const Tensor& truth) {
  switch (probe.type) {
    case Type::kScalar:
      return (prediction - truth).square();
    case Type::kMask:
      return torch::clamp_min(prediction, 0) - prediction * truth +
             torch::log1p(torch::exp(-prediction.abs()));
    case Type::kMaskOne:
    case Type::kCategorical:
      return row_losses(prediction.log_softmax(-1), truth);
    case Type::kPermutationPointer:
      return row_losses(prediction, truth);
    default:
      return -prediction.log_softmax(-1).gather(-1, truth.unsqueeze(-1)).squeeze(-1);
  }
}

/// Of snapshots 1 to `steps`, [steps, samples, ...]: those that samples have themselves.
Tensor counted_hints(const Probe& probe, const Tensor& snapshots, const Tensor& sample_steps) {
  const int64_t steps = snapshots.size(0);
  const Tensor counted = counted_of(probe, snapshots);
  const Tensor unfinished = sample_steps.unsqueeze(0) > torch::arange(1, steps + 1).unsqueeze(1);
  std::vector<int64_t> shape(counted.dim(), 1);
  shape[0] = steps;
  shape[1] = sample_steps.size(0);
  return counted * unfinished.view(shape);
}

Tensor counted_outputs(const Probe& probe, const Tensor& truth, const Tensor& ends) {
  const Tensor counted = counted_of(probe, truth);
  if (!ends.defined()) return counted;
  std::vector<int64_t> shape(counted.dim(), 1);
  shape[0] = ends.size(0);
  return counted * ends.view(shape);
}

double total(const Tensor& counted) { return counted.sum(torch::kFloat64).item<double>(); }

}  // namespace

Tensor output_loss(const Probe& probe, const Tensor& prediction, const Tensor& truth,
                   const Tensor& ends) {
  return (losses_of(probe, prediction, truth) * counted_outputs(probe, truth, ends)).sum();
}

double output_weight(const Probe& probe, const Tensor& truth, const Tensor& ends) {
  return total(counted_outputs(probe, truth, ends));
}

Tensor hint_loss(const Probe& probe, const std::vector<Tensor>& predictions, const Tensor& truth,
                 const Tensor& sample_steps) {
  if (truth.size(0) < 2) return torch::zeros({});
  const auto steps = static_cast<int64_t>(predictions.size());
  const Tensor snapshots = truth.narrow(0, 1, steps);
  const Tensor losses = losses_of(probe, torch::stack(predictions), snapshots);
  return (losses * counted_hints(probe, snapshots, sample_steps)).sum();
}

double hint_weight(const Probe& probe, const Tensor& truth, const Tensor& sample_steps) {
  if (truth.size(0) < 2) return 0;
  return total(counted_hints(probe, truth.narrow(0, 1, truth.size(0) - 1), sample_steps));
}

std::vector<double> loss_weights(const Spec& spec, bool hints, const BatchTensors& batch) {
  std::vector<double> weights;
  const auto add = [&](Stage stage, const auto& weight_of) {
    int64_t place = spec.first(stage);
    for (const Probe& probe : spec.of(stage)) {
      weights.push_back(weight_of(probe, batch.values[place++]));
    }
  };
  add(Stage::kOutput, [&batch](const Probe& probe, const Tensor& truth) {
    return output_weight(probe, truth, batch.ends);
  });
  if (hints) {
    add(Stage::kHint, [&batch](const Probe& probe, const Tensor& truth) {
      return hint_weight(probe, truth, batch.sample_steps);
    });
  }
  return weights;
}

}  // namespace floydnet::clrs
