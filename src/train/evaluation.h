// Measuring a model on the splits of its task.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "train/task.h"
#include "train/world.h"

namespace floydnet::train {

/// The metrics of a split with the model as it is. Every rank computes a part, and all get the
/// whole. The model is in training mode afterwards if it was before.
Metrics evaluate(Task& task, const std::string& split, World& world);

/// What the task tallies of its final splits, one after another; `done` is told how many are.
SplitSums sum_finals(Task& task, World& world, const std::function<void(int64_t)>& done = {});
SplitMetrics metrics_of(const Task& task, const SplitSums& sums);

/// Both of these in one.
SplitMetrics evaluate_finals(Task& task, World& world,
                             const std::function<void(int64_t)>& done = {});

}  // namespace floydnet::train
