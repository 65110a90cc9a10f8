// Text files of numbers, as benchmarks store them: a row a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

struct NumberRows {
  int64_t rows = 0;
  int64_t width = 0;           // 0 if there are no rows
  bool real = false;           // whether any number is not whole
  std::vector<double> values;  // [rows, width]; NaN where "nan" or nothing stands

  /// Of integers if all numbers are; -1 stands in for those that are missing then.
  Column column(Level level, const std::string& name) const;
  /// The same for labels, where a negative integer is a number and no class.
  Column labels(Level level, const std::string& name) const;
  /// InputError unless there is one whole number from `least` to `most` a row.
  std::vector<int64_t> integers(const std::string& source, int64_t least, int64_t most) const;
};

/// Numbers with commas, semicolons or blanks between them; all rows have as many. Empty lines are
/// passed over. InputError names `source` and the line.
NumberRows parse_number_rows(std::string_view text, const std::string& source);
/// The file may be compressed by gzip.
NumberRows read_number_rows(const std::string& path);

}  // namespace floydnet::graphs
