// Losses of targets: sums over labelled entries, and what they are divided by.
#pragma once

#include <torch/types.h>

#include <vector>

#include "base/options.h"
#include "tasks/graphs/schema/schema.h"

namespace floydnet::graphs {

enum class LossKind { kAuto, kL1, kL2, kHuber, kCrossEntropy, kBinaryCrossEntropy };
/// Weights of an entry by its class c: 1; V / (C n_c) by the counts of the training labels; or
/// (V - n_c) / V by the counts of the step's batch, as in the Long-Range Graph Benchmark.
enum class ClassWeights { kNone, kBalanced, kBatch };
enum class KindChoice { kAuto, kRegression, kBinary, kClasses };

/// How targets are learned; docs/graph-prediction.md explains each key.
struct TargetConfig {
  KindChoice kind = KindChoice::kAuto;
  LossKind loss = LossKind::kAuto;
  double huber = 1;
  ClassWeights class_weights = ClassWeights::kNone;
  double noise = 0;
  double smoothing = 0;
  std::string metric = "auto";

  OptionTable table();
};

/// InputError if the loss suits none of the targets.
void require_loss(const TargetConfig& config, const std::vector<Target>& targets);

/// Laid out as Target::counts; undefined if all are 1. `batch_counts` are those of kBatch.
torch::Tensor class_weights(const Target& target, ClassWeights kind,
                            const std::vector<double>& batch_counts);

/// labels: [rows, width] float32, NaN where there is none. What an entry adds to the loss's weight:
/// 0 where it is missing.
torch::Tensor entry_weights(const Target& target, const torch::Tensor& labels,
                            const torch::Tensor& class_weights);

/// The sum over entries of weight times loss. With `noisy`, labels are blurred as configured.
torch::Tensor loss_sum(const Target& target, const TargetConfig& config,
                       const torch::Tensor& outputs, const torch::Tensor& labels,
                       const torch::Tensor& class_weights, bool noisy);

/// What is said about a row in the data's units: numbers, probabilities of yes, or of each class.
torch::Tensor to_predictions(const Target& target, const torch::Tensor& outputs);

}  // namespace floydnet::graphs
