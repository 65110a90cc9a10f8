// The benchmark's losses.
#pragma once

#include <torch/types.h>

#include <vector>

#include "tasks/clrs/features.h"

namespace floydnet::clrs {

/// The sum over all entries that count: masked ones (-1) and rows of classes whose single entry is
/// masked do not, nor do samples for which `ends` is 0. `prediction` is as the Decoder gives it,
/// `truth` and `ends` as BatchTensors has them.
torch::Tensor output_loss(const Probe& probe, const torch::Tensor& prediction,
                          const torch::Tensor& truth, const torch::Tensor& ends = {});
/// How many entries count.
double output_weight(const Probe& probe, const torch::Tensor& truth,
                     const torch::Tensor& ends = {});

/// predictions: of each step. truth: [steps + 1 or more, samples, ...]; the prediction of step i is
/// compared with snapshot i + 1 of those samples that have one (sample_steps, [samples], say so).
/// The sum over all entries that count, of all steps and samples together.
torch::Tensor hint_loss(const Probe& probe, const std::vector<torch::Tensor>& predictions,
                        const torch::Tensor& truth, const torch::Tensor& sample_steps);
/// How many entries count.
double hint_weight(const Probe& probe, const torch::Tensor& truth,
                   const torch::Tensor& sample_steps);

/// The weights of all outputs of a batch and, if they are predicted, of all hints.
std::vector<double> loss_weights(const Spec& spec, bool hints, const BatchTensors& batch);

}  // namespace floydnet::clrs
