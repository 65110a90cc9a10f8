#include "tasks/clrs/loss.h"

#include <torch/torch.h>

namespace floydnet::clrs {
namespace {

using torch::Tensor;

constexpr double kLeastCount = 1e-12;  // as in the benchmark: nothing to count is no loss

/// The loss of each entry, or row of classes, and whether it counts (1 or 0).
struct Entries {
  Tensor losses;
  Tensor counted;
};

/// -sum of truth * log-probabilities over the last axis, for rows that have a 1.
Entries row_entries(const Tensor& log_probabilities, const Tensor& truth) {
  const Tensor ones = (truth == 1).to(log_probabilities.scalar_type());
  return {-(ones * log_probabilities).sum(-1), ones.sum(-1)};
}

Entries entries_of(const Probe& probe, const Tensor& prediction, const Tensor& truth) {
  switch (probe.type) {
    case Type::kScalar:
      return {(prediction - truth).square(), torch::ones_like(truth)};
    case Type::kMask:
      return {torch::clamp_min(prediction, 0) - prediction * truth +
                  torch::log1p(torch::exp(-prediction.abs())),
              (truth != kMasked).to(prediction.scalar_type())};
    case Type::kMaskOne:
    case Type::kCategorical:
      return row_entries(prediction.log_softmax(-1), truth);
    case Type::kPermutationPointer:
      return row_entries(prediction, truth);
    default: {
      const Tensor losses = -prediction.log_softmax(-1).gather(-1, truth.unsqueeze(-1)).squeeze(-1);
      return {losses, torch::ones_like(losses)};
    }
  }
}

Tensor mean(const Entries& entries) {
  return (entries.losses * entries.counted).sum() / entries.counted.sum().clamp_min(kLeastCount);
}

}  // namespace

Tensor output_loss(const Probe& probe, const Tensor& prediction, const Tensor& truth) {
  return mean(entries_of(probe, prediction, truth));
}

Tensor hint_loss(const Probe& probe, const std::vector<Tensor>& predictions, const Tensor& truth,
                 const Tensor& lengths) {
  const auto steps = static_cast<int64_t>(predictions.size());
  Entries entries = entries_of(probe, torch::stack(predictions), truth.narrow(0, 1, steps));
  // [steps, samples]: snapshot i + 1 is one of the sample's own.
  const Tensor unfinished = lengths.unsqueeze(0) > torch::arange(1, steps + 1).unsqueeze(1);
  std::vector<int64_t> shape(entries.counted.dim(), 1);
  shape[0] = steps;
  shape[1] = lengths.size(0);
  entries.counted = entries.counted * unfinished.view(shape);
  return mean(entries);
}

}  // namespace floydnet::clrs
