// What the official training script draws its samples with.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/clrs/data/algorithm.h"

namespace floydnet::clrs {

/// 0.1, 0.2, ..., 0.9, and half of that for problems whose graphs are sparse.
std::vector<double> script_edge_probabilities(const Algorithm& algorithm);

constexpr int64_t kScriptLongestNeedle = 8;

}  // namespace floydnet::clrs
