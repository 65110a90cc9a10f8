/// \file
/// What a model is judged by, and how results are shown.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "floydnet/export.h"

namespace floydnet::record {

/// By name, in the order in which they are shown.
using Metrics = std::vector<std::pair<std::string, double>>;
/// By the name of the split.
using SplitMetrics = std::vector<std::pair<std::string, Metrics>>;

/// What tells the best weights from others.
struct Goal {
  std::string split;
  std::string metric;
  bool higher_is_better = false;

  bool better(double a, double b) const { return higher_is_better ? a > b : a < b; }
};

/// The first is an empty cell.
using Cell = std::variant<std::monostate, bool, int64_t, double, std::string>;

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  ///< as many cells as columns
};

/// Lines of text: the first column to the left, the others to the right. Digits after the point are
/// as many as the column's largest number needs; an empty cell is "-".
FLOYDNET_EXPORT std::string text_table(const Table& table);

}  // namespace floydnet::record
