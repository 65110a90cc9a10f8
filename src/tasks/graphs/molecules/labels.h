// Labels in the cells of a table.
#pragma once

#include <string>
#include <vector>

#include "base/csv.h"
#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

/// What the numbers of a table are: classes are integers from 0.
enum class LabelKind { kAuto, kNumbers, kClasses };

/// Collects rows of labels.
class Labels {
 public:
  /// Columns of `table`; their cells hold a number each, or a list of them, such as [0, 1].
  /// InputError names line and column of what is neither.
  Labels(const CsvTable& table, const std::vector<std::string>& names, const std::string& source);

  int64_t width() const { return width_; }
  /// The column graph_y of these rows. With kAuto labels are classes if all of them are integers
  /// from 0 to 999.
  Column column(const std::vector<size_t>& rows, LabelKind kind, const std::string& source) const;

 private:
  int64_t width_ = 0;
  std::vector<double> values_;   // [rows of the table, width]; NaN is missing
  std::vector<uint64_t> lines_;  // [rows of the table]
};

}  // namespace floydnet::graphs
