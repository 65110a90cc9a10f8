// Counts as numbers to learn: of each level and pattern, and how large they usually are.
#pragma once

#include <torch/types.h>

#include <array>
#include <string>
#include <vector>

#include "tasks/counting/data/counts.h"

namespace floydnet::counting {

enum Level { kGraph = 0, kNode = 1, kEdge = 2 };
constexpr int kLevels = 3;
const char* text(Level level);
/// "graph,edge" and the like; InputError for other words, none, or one twice.
std::array<bool, kLevels> parse_levels(const std::string& text);

/// Of some graphs. At edge level only pairs that are edges count, as in the benchmark.
struct Targets {
  std::array<torch::Tensor, kLevels> counts;   // [items, patterns] float64
  std::array<torch::Tensor, kLevels> weights;  // [items]: 1 / items of the item's graph
  torch::Tensor edges;                         // [items]: where edges stand among all pairs
};
Targets make_targets(const CountTable& table, const std::vector<Graph>& graphs);

/// Mean and deviation of the counts at each level, [patterns] float64.
struct TargetScale {
  std::array<torch::Tensor, kLevels> mean;
  std::array<torch::Tensor, kLevels> deviation;
};
TargetScale scale_of(const Targets& targets);

}  // namespace floydnet::counting
