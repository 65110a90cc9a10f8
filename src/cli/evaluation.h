// Metrics of a run's weights, shown.
#pragma once

#include <string>

#include "train/evaluation.h"

namespace floydnet {

/// The task's tables, or all metrics if it has none.
std::string to_text(const train::Task& task, const train::SplitMetrics& splits);

}  // namespace floydnet
