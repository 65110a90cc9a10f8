#include "tasks/clrs/rollout.h"

#include <torch/torch.h>

#include "base/require.h"
#include "tasks/clrs/decode.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

Tensors selected(const Tensors& tensors, const Tensor& places) {
  Tensors result;
  for (const Tensor& tensor : tensors) {
    result.push_back(tensor.defined() ? tensor.index_select(0, places) : tensor);
  }
  return result;
}

/// Puts those of `from` at `places` where `to`, which has room for all samples, has `samples`.
void put(const Tensors& from, const Tensor& places, const Tensor& samples, int64_t all,
         Tensors& to) {
  for (size_t p = 0; p < from.size(); ++p) {
    if (p == to.size()) {
      std::vector<int64_t> shape = from[p].sizes().vec();
      shape[0] = all;
      to.push_back(torch::zeros(shape, from[p].options()));
    }
    to[p].index_copy_(0, samples, from[p].index_select(0, places));
  }
}

/// Of masks and classes, 1 for what is judged and 0 for what is masked, which the first snapshot
/// tells; undefined where nothing is masked.
Tensor judged_places(const Probe& probe, const Tensor& first) {
  if (probe.type == Type::kMask) return first != kMasked;
  if (probe.type == Type::kCategorical) return (first != kMasked).all(-1, /*keepdim=*/true);
  return {};
}

/// What is fed back.
Tensors hard_hints(const std::vector<Probe>& probes, const Tensors& predicted,
                   const Tensors& judged, int64_t nodes) {
  Tensors hints;
  for (size_t h = 0; h < probes.size(); ++h) {
    Tensor hard = hard_prediction(probes[h], predicted[h]);
    if (judged[h].defined()) hard = hard * judged[h];
    hints.push_back(with_one_hot_pointers(probes[h], hard, nodes));
  }
  return hints;
}

}  // namespace

Tensors inputs_of(const Spec& spec, const BatchTensors& batch) {
  Tensors inputs;
  for (int64_t p = 0; p < spec.count(Stage::kInput); ++p) {
    inputs.push_back(with_one_hot_pointers(spec.probes[p], batch.values[p], batch.nodes));
  }
  return inputs;
}

Tensors hints_at(const Spec& spec, const BatchTensors& batch, int64_t snapshot) {
  Tensors hints;
  const int64_t first = spec.first(Stage::kHint);
  for (int64_t h = first; h < first + spec.count(Stage::kHint); ++h) {
    const Tensor& truth = batch.values[h];
    require(truth.defined(), "CLRS: hint '{}' was not recorded", spec.probes[h].name);
    Tensor values = truth.select(0, snapshot);
    if (spec.probes[h].type != Type::kScalar) values = values.clamp_min(0);
    hints.push_back(with_one_hot_pointers(spec.probes[h], values, batch.nodes));
  }
  return hints;
}

Tensors with_noise(const std::vector<Probe>& probes, const Tensors& hints, double part) {
  Tensors noisy;
  for (size_t h = 0; h < probes.size(); ++h) {
    const Tensor& hint = hints[h];
    if (probes[h].type == Type::kScalar) {
      noisy.push_back(hint);
    } else if (probes[h].type == Type::kMask) {
      noisy.push_back(torch::where(torch::rand_like(hint) < part, 1 - hint, hint));
    } else {
      // One of the last axis is 1: that of some other place, the same for all in a row.
      const int64_t choices = hint.size(-1);
      std::vector<int64_t> rows = hint.sizes().vec();
      rows.back() = 1;
      const Tensor chosen = torch::randint(choices, rows);
      const Tensor others = torch::zeros_like(hint).scatter_(-1, chosen, 1);
      noisy.push_back(torch::where(torch::rand(rows) < part, others, hint));
    }
  }
  return noisy;
}

Tensors rollout(const Spec& spec, const BatchTensors& batch, const Transition& transition) {
  const std::vector<Probe> probes = spec.of(Stage::kHint);
  Tensors inputs = inputs_of(spec, batch), hints = hints_at(spec, batch, 0), outputs, judged;
  const int64_t first_hint = spec.first(Stage::kHint);
  for (size_t h = 0; h < probes.size(); ++h) {
    judged.push_back(
        judged_places(probes[h], batch.values[first_hint + static_cast<int64_t>(h)].select(0, 0)));
  }
  Tensor samples = torch::arange(batch.samples);
  // A sample of l snapshots ends with the step from l - 2 to l - 1.
  Tensor last = (batch.sample_steps - 2).clamp_min(0);
  for (int64_t step = 0; samples.numel() > 0; ++step) {
    const StepPrediction predicted = transition(inputs, hints, samples);
    const Tensor ended = (last == step).nonzero().squeeze(1);
    hints = hard_hints(probes, predicted.hints, judged, batch.nodes);
    if (ended.numel() == 0) continue;
    put(predicted.outputs, ended, samples.index_select(0, ended), batch.samples, outputs);
    const Tensor going_on = (last != step).nonzero().squeeze(1);
    samples = samples.index_select(0, going_on);
    last = last.index_select(0, going_on);
    inputs = selected(inputs, going_on);
    hints = selected(hints, going_on);
    judged = selected(judged, going_on);
  }
  return outputs;
}

}  // namespace floydnet::clrs
