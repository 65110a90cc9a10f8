// Measuring the weights of a run, for the commands that do.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "train/task.h"

namespace floydnet {

using SplitMetrics = std::vector<std::pair<std::string, train::Metrics>>;

/// The task's final splits with the model as it is, one after another; `done` is told how many are.
SplitMetrics evaluate_finals(train::Task& task, const std::function<void(int64_t)>& done = {});

/// {"test": {"score": 98.7, ...}, ...}
nlohmann::json to_json(const SplitMetrics& splits);
/// The task's tables, or all metrics if it has none.
std::string to_text(const train::Task& task, const SplitMetrics& splits);

}  // namespace floydnet
