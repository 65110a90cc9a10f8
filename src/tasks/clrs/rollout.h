// An algorithm carried out step by step by a model that predicts single steps.
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

#include "tasks/clrs/features.h"

namespace floydnet::clrs {

using Tensors = std::vector<torch::Tensor>;

/// What a model says of a step, as the Decoder gives it: the hints after it, and the outputs if it
/// was the last.
struct StepPrediction {
  Tensors hints;
  Tensors outputs;
};

/// Some of the hints at random: of each sample's single ones, classes and pointers that part, and
/// of masks that part of the entries. Numbers stay as they are.
Tensors with_noise(const std::vector<Probe>& probes, const Tensors& hints, double part);

/// Inputs and hints of some samples, as PairFeatures wants them, to what the next step makes of
/// them. `samples` are their numbers in the batch.
using Transition = std::function<StepPrediction(const Tensors& inputs, const Tensors& hints,
                                                const torch::Tensor& samples)>;

/// The inputs of a batch, and its hints at a snapshot, pointers one-hot. What is never judged
/// (masked), such as pairs without an edge, is 0.
Tensors inputs_of(const Spec& spec, const BatchTensors& batch);
Tensors hints_at(const Spec& spec, const BatchTensors& batch, int64_t snapshot);

/// Begins with the first snapshot of the hints. What is predicted is fed back hard: arg max,
/// thresholds. How many steps a sample takes is known, as in the benchmark; one that has ended
/// takes no more time. Gives the outputs after each sample's last step.
Tensors rollout(const Spec& spec, const BatchTensors& batch, const Transition& transition);

}  // namespace floydnet::clrs
