// Metrics of a run's weights, shown.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "train/evaluation.h"

namespace floydnet {

/// {"test": {"score": 98.7, ...}, ...}
nlohmann::json to_json(const train::SplitMetrics& splits);
/// The task's tables, or all metrics if it has none.
std::string to_text(const train::Task& task, const train::SplitMetrics& splits);

}  // namespace floydnet
