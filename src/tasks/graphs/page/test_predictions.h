// Predictions of small sets, for tests only.
#pragma once

#include "tasks/graphs/data/test_sets.h"
#include "tasks/graphs/metrics/predicted.h"

namespace floydnet::graphs {

inline Target target_named(const std::string& name, Level level, TargetKind kind,
                           int64_t width = 1) {
  Target target;
  target.name = name;
  target.level = level;
  target.kind = kind;
  target.width = width;
  const auto columns = static_cast<size_t>(width);
  if (kind == TargetKind::kRegression) {
    target.scale = {std::vector<double>(columns, 0), std::vector<double>(columns, 1)};
  }
  if (kind == TargetKind::kClasses) target.classes.assign(columns, 3);
  return target;
}

/// Of both graphs of small_set().
inline Predicted predicted_of(const Target& target, const std::vector<float>& labels,
                              const std::vector<float>& values,
                              const std::vector<float>& confidences = {}) {
  const GraphSet set = small_set();
  Predicted p{&target,     set.sizes, set.row_offsets(target.level), labels, values,
              confidences, {0, 1}};
  return p;
}

}  // namespace floydnet::graphs
