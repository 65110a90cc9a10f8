// AdamW, and how its learning rate changes.
#pragma once

#include <nlohmann/json.hpp>

#include "train/config.h"
#include "train/parameters.h"
#include "train/task.h"

namespace floydnet::train {

/// AdamW on flat parameters. libtorch's own does the same tensor by tensor, eight operators each.
class AdamW {
 public:
  AdamW(const FlatParameters& parameters, const TrainConfig& config);

  void step(double learning_rate);

  /// What a checkpoint must hold: both moments and the number of steps.
  const torch::Tensor& mean() const { return mean_; }
  const torch::Tensor& square() const { return square_; }
  int64_t steps() const { return steps_; }
  void set_steps(int64_t steps) { steps_ = steps; }

 private:
  const FlatParameters& parameters_;
  TrainConfig config_;
  torch::Tensor mean_;
  torch::Tensor square_;
  torch::Tensor scratch_;
  int64_t steps_ = 0;
};

/// The learning rate by step, by how much of the run is over, and by what evaluations have shown.
class Schedule {
 public:
  Schedule(const TrainConfig& config, const Goal& goal);

  /// `progress` is 0 at the start and 1 at the end of the run.
  double learning_rate(int64_t step, double progress) const;
  /// To be told each value of the goal's metric.
  void evaluated(double value);

  nlohmann::json state() const;
  void set_state(const nlohmann::json& state);

 private:
  TrainConfig config_;
  Goal goal_;
  double plateau_scale_ = 1;
  double best_;
  int64_t without_better_ = 0;
};

}  // namespace floydnet::train
