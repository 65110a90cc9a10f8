// Results as a table, for the terminal, the report page and results.json.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

namespace floydnet::record {

/// The first is an empty cell.
using Cell = std::variant<std::monostate, bool, int64_t, double, std::string>;

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  // as many cells as columns
};

/// {"title", "columns", "rows"}; an empty cell is null, and so is a number that is not finite.
nlohmann::json to_json(const Table& table);

/// Lines of text: the first column to the left, the others to the right. Digits after the point are
/// as many as the column's largest number needs; an empty cell is "-".
std::string text_table(const Table& table);
/// The same cells as a Markdown table; the title stands above it.
std::string markdown_table(const Table& table);

}  // namespace floydnet::record
