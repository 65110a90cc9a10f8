// Rows of tables, for tests.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "record/table.h"

namespace floydnet::record {

/// The row whose first cell is this.
inline const std::vector<Cell>& row_named(const Table& table, const std::string& name) {
  for (const auto& row : table.rows) {
    if (row[0] == Cell(name)) return row;
  }
  throw std::out_of_range(name);
}

}  // namespace floydnet::record
