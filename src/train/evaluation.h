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

/// The task's final splits, one after another; `done` is told how many are.
SplitMetrics evaluate_finals(Task& task, World& world,
                             const std::function<void(int64_t)>& done = {});

}  // namespace floydnet::train
