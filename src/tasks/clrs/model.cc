#include "tasks/clrs/model.h"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/part_times.h"
#include "base/require.h"
#include "tasks/clrs/loss.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

constexpr double kUsualNodes = 16;  // of the benchmark's training graphs
constexpr double kFirstKeep = 3;    // logit of a bit that is kept, before training

std::vector<Probe> encoded_probes(const Spec& spec, const ClrsModelConfig& config) {
  std::vector<Probe> probes = spec.of(Stage::kInput);
  if (!config.feeds_hints()) return probes;
  for (const Probe& hint : spec.of(Stage::kHint)) probes.push_back(hint);
  return probes;
}

/// [samples] -> [samples, 1, 1, ...] beside a tensor of that many axes.
Tensor beside(const Tensor& of_samples, const Tensor& other) {
  std::vector<int64_t> shape(other.dim(), 1);
  shape[0] = of_samples.size(0);
  return of_samples.view(shape);
}

/// `fresh` for the chosen samples, `old` for the others.
void replace(std::vector<Tensor>& old, const std::vector<Tensor>& fresh, const Tensor& chosen) {
  if (old.empty()) {
    old = fresh;
    return;
  }
  for (size_t p = 0; p < old.size(); ++p) {
    old[p] = torch::where(beside(chosen, old[p]), fresh[p], old[p]);
  }
}

}  // namespace

ClrsModelImpl::ClrsModelImpl(const Spec& spec, const ClrsModelConfig& config)
    : spec_(spec),
      config_(config),
      outputs_(spec.of(Stage::kOutput)),
      hints_(spec.of(Stage::kHint)),
      features_(encoded_probes(spec, config),
                {config.comparisons, config.readout == NodeReadout::kSuperNode,
                 config.marked_pointers, config.chain_depths, config.equal_categories,
                 config.relative_counts, config.running_sums}) {
  config_.check("ClrsModel");
  const int64_t dim = config_.block.dim;
  init_ = register_module(
      "init", std::make_shared<MlpImpl>(std::vector<int64_t>{features_.columns(), dim, dim},
                                        Activation::kGelu));
  const auto norm = [&] {
    return std::make_shared<NormImpl>(NormKind::kLayer, dim, config_.block.norm_eps);
  };
  if (config_.steps != 1) {
    carry_norm_ = register_module("carry_norm", norm());
    carry_ = register_module("carry", torch::nn::Linear(dim, dim));
  }
  stack_ = FloydStack(*this, config_.block, config_.share_blocks);
  norm_ = register_module("norm", norm());
  output_decoder_ = register_module("outputs", Decoder(outputs_, dim, config_.readout));
  if (config_.hints != HintMode::kNone) {
    hint_decoder_ = register_module("hints", Decoder(hints_, dim, config_.readout));
  }
  if (config_.hints == HintMode::kTransitions && config_.keep_hints) {
    keep_ = torch::empty({static_cast<int64_t>(hints_.size())});
    for (size_t h = 0; h < hints_.size(); ++h) {
      keep_[static_cast<int64_t>(h)] = hints_[h].type == Type::kScalar ? 1 : kFirstKeep;
    }
    keep_ = register_parameter("keep", keep_);
  }
}

int64_t ClrsModelImpl::steps_for(const BatchTensors& batch) const {
  if (config_.steps == 0) return std::max<int64_t>(1, batch.steps - 1);
  int64_t steps = config_.steps;
  if (is_training() && config_.least_steps > 0) {
    steps = torch::randint(config_.least_steps, steps + 1, {1}).item<int64_t>();
  }
  const double growth =
      std::pow(static_cast<double>(batch.nodes) / kUsualNodes, config_.step_growth);
  return static_cast<int64_t>(std::lround(static_cast<double>(steps) * std::max(1.0, growth)));
}

/// The model's own predictions, but for some of the samples in training.
Tensors ClrsModelImpl::next_hints(const BatchTensors& batch, int64_t step,
                                  const Tensors& predicted) const {
  Tensors hints;
  for (size_t h = 0; h < hints_.size(); ++h) {
    hints.push_back(soft_prediction(hints_[h], predicted[h]));
  }
  if (is_training() && config_.teacher_forcing > 0) {
    const Tensor forced = torch::rand({batch.samples}) < config_.teacher_forcing;
    replace(hints, hints_at(spec_, batch, step), forced);
  }
  return hints;
}

Tensor ClrsModelImpl::initial(const Tensors& inputs, const Tensors& hints, int64_t samples,
                              int64_t nodes) {
  const TimedPart part("features and Init, forward");
  Tensors values = inputs;
  values.insert(values.end(), hints.begin(), hints.end());
  const Tensor features = features_(values, samples, nodes);
  return init_->forward(features.view({-1, features.size(3)}));
}

Tensor ClrsModelImpl::refine(Tensor states, int64_t samples, int64_t nodes,
                             const Observer& observer) {
  const int64_t m = nodes + (config_.readout == NodeReadout::kSuperNode ? 1 : 0);
  const TupleLayout layout(2, std::vector<int64_t>(samples, m));
  const double scaling = std::pow(std::log(static_cast<double>(nodes)) / std::log(kUsualNodes),
                                  config_.length_scaling);
  const auto square = [&](const Tensor& rows) {
    return rows.view({samples, m, m, config_.block.dim});
  };
  FloydStack::Call call;
  const auto head_dim = static_cast<double>(config_.block.dim / config_.block.heads);
  call.scale = scaling * config_.block.scale.value_or(1 / std::sqrt(head_dim));
  if (observer.before_block) {
    call.before_block = [&](FloydBlockImpl& block, const Tensor& rows) {
      observer.before_block(block, rows, layout, *call.scale);
    };
  }
  if (observer.after_block) {
    call.after_block = [&](const Tensor& rows) { observer.after_block(square(rows), nodes); };
  }
  return square(stack_.forward(states, layout, call));
}

ClrsPredictions ClrsModelImpl::run(const BatchTensors& batch, const Observer& observer) {
  ClrsPredictions predictions;
  const bool encodes_hints = config_.hints == HintMode::kEncoded;
  const Tensors inputs = inputs_of(spec_, batch);
  Tensors hints;
  if (encodes_hints) hints = hints_at(spec_, batch, 0);
  const int64_t steps = steps_for(batch);
  // A sample of length l ends with the step from snapshot l - 2 to l - 1.
  const Tensor last_step = config_.steps == 0 ? (batch.sample_steps - 2).clamp_min(0)
                                              : torch::full({batch.samples}, steps - 1);
  Tensor initial_states, states;
  for (int64_t step = 0; step < steps; ++step) {
    if (encodes_hints || step == 0) {
      initial_states = initial(inputs, hints, batch.samples, batch.nodes);
    }
    Tensor start = initial_states;
    if (step > 0) {
      start = start + carry_(carry_norm_->forward(states)).view({-1, config_.block.dim});
    }
    states = refine(start, batch.samples, batch.nodes, step == steps - 1 ? observer : Observer());
    const Tensor ends = last_step == step;
    const bool any_ends = ends.any().item<bool>();
    if (!any_ends && config_.hints == HintMode::kNone) continue;
    const Tensor decodable = norm_->forward(states);
    if (config_.hints != HintMode::kNone) {
      predictions.hints.push_back(hint_decoder_->forward(decodable, batch.nodes));
      if (encodes_hints && step + 1 < steps) {
        hints = next_hints(batch, step + 1, predictions.hints.back());
      }
    }
    if (any_ends) {
      replace(predictions.outputs, output_decoder_->forward(decodable, batch.nodes), ends);
    }
  }
  return predictions;
}

StepPrediction ClrsModelImpl::transition(const Tensors& inputs, const Tensors& hints,
                                         int64_t samples, int64_t nodes) {
  const Tensor states = refine(initial(inputs, hints, samples, nodes), samples, nodes, {});
  const Tensor decodable = norm_->forward(states);
  StepPrediction next = {hint_decoder_->forward(decodable, nodes),
                         output_decoder_->forward(decodable, nodes)};
  if (keep_.defined()) keep_fed(hints, next.hints);
  return next;
}

void ClrsModelImpl::keep_fed(const Tensors& fed, Tensors& predicted) const {
  for (size_t h = 0; h < hints_.size(); ++h) {
    const bool is_number = hints_[h].type == Type::kScalar;
    const Tensor kept = is_number ? fed[h] : 2 * fed[h] - 1;
    predicted[h] = predicted[h] + keep_[static_cast<int64_t>(h)] * kept;
  }
}

ClrsPredictions ClrsModelImpl::forward(const BatchTensors& batch) {
  if (config_.hints != HintMode::kTransitions) return run(batch, {});
  const auto step = [&](const Tensors& inputs, const Tensors& hints, const Tensor& samples) {
    return transition(inputs, hints, samples.numel(), batch.nodes);
  };
  return {rollout(spec_, batch, step), {}};
}

/// As forward, but a step of transitions begins with the true hints.
ClrsPredictions ClrsModelImpl::trained_predictions(const BatchTensors& batch) {
  if (config_.hints != HintMode::kTransitions) return run(batch, {});
  Tensors hints = hints_at(spec_, batch, 0);
  if (is_training() && config_.hint_noise > 0) {
    hints = with_noise(hints_, hints, config_.hint_noise);
  }
  StepPrediction step = transition(inputs_of(spec_, batch), hints, batch.samples, batch.nodes);
  return {std::move(step.outputs), {std::move(step.hints)}};
}

std::vector<Tensor> ClrsModelImpl::loss_sums(const BatchTensors& batch) {
  const ClrsPredictions predictions = trained_predictions(batch);
  const TimedPart part("loss, forward");
  const int64_t first_output = spec_.first(Stage::kOutput), first_hint = spec_.first(Stage::kHint);
  Tensors sums;
  for (size_t p = 0; p < outputs_.size(); ++p) {
    sums.push_back(output_loss(outputs_[p], predictions.outputs[p],
                               batch.values[first_output + static_cast<int64_t>(p)], batch.ends));
  }
  if (config_.hints == HintMode::kNone) return sums;
  for (size_t h = 0; h < hints_.size(); ++h) {
    Tensors of_hint;
    for (const Tensors& step : predictions.hints) of_hint.push_back(step[h]);
    sums.push_back(hint_loss(hints_[h], of_hint, batch.values[first_hint + static_cast<int64_t>(h)],
                             batch.sample_steps));
  }
  return sums;
}

std::vector<std::vector<Tensor>> ClrsModelImpl::outputs_by_block(const BatchTensors& batch) {
  std::vector<Tensors> outputs;
  Observer observer;
  observer.after_block = [&](const Tensor& states, int64_t nodes) {
    outputs.push_back(output_decoder_->forward(norm_->forward(states), nodes));
  };
  run(batch, observer);
  return outputs;
}

Tensors ClrsModelImpl::attention_by_block(const BatchTensors& batch,
                                          const std::vector<int64_t>& pairs) {
  Tensors weights;
  Observer observer;
  observer.before_block = [&](FloydBlockImpl& block, const Tensor& rows, const TupleLayout& layout,
                              double scale) {
    weights.push_back(block.attention_weights(rows, layout, pairs, std::nullopt, scale));
  };
  if (config_.hints == HintMode::kTransitions) {
    refine(initial(inputs_of(spec_, batch), hints_at(spec_, batch, 0), batch.samples, batch.nodes),
           batch.samples, batch.nodes, observer);
  } else {
    run(batch, observer);
  }
  return weights;
}

}  // namespace floydnet::clrs
