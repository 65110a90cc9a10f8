// Errors that others published on the counting benchmark's test split.
#pragma once

#include <nlohmann/json.hpp>

#include "train/task.h"

namespace floydnet::counting {

/// A table of ours, by metric ("graph/cycle5"), beside theirs where there are any.
nlohmann::json comparison_table(const train::Metrics& metrics);

}  // namespace floydnet::counting
