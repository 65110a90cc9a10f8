// What a model is judged by.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace floydnet::record {

/// By name, in the order in which they are shown.
using Metrics = std::vector<std::pair<std::string, double>>;
/// By the name of the split.
using SplitMetrics = std::vector<std::pair<std::string, Metrics>>;

/// Null if there is none.
template <typename Value>
const Value* find(const std::vector<std::pair<std::string, Value>>& items,
                  const std::string& name) {
  for (const auto& [key, value] : items) {
    if (key == name) return &value;
  }
  return nullptr;
}

/// What tells the best weights from others.
struct Goal {
  std::string split;
  std::string metric;
  bool higher_is_better = false;

  bool better(double a, double b) const { return higher_is_better ? a > b : a < b; }
};

}  // namespace floydnet::record
