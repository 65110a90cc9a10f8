#include "report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace floydnet {
namespace {

using Json = nlohmann::json;

std::string cell_text(const Json& cell, int digits) {
  if (cell.is_null()) return "-";
  if (cell.is_string()) return cell.get<std::string>();
  return cell.is_number_float() ? fmt::format("{:.{}f}", cell.get<double>(), digits) : cell.dump();
}

/// After the point: percentages have two, small errors four.
int digits_of(const Json& rows, size_t column) {
  double largest = 0;
  for (const Json& row : rows) {
    if (!row[column].is_number()) continue;
    largest = std::max(largest, std::abs(row[column].get<double>()));
  }
  return largest < 10 ? 4 : 2;
}

}  // namespace

std::string text_table(const Json& table) {
  std::vector<std::vector<std::string>> lines(1);
  for (const Json& column : table.at("columns")) lines[0].push_back(column.get<std::string>());
  std::vector<int> digits;
  for (size_t i = 0; i < lines[0].size(); ++i) digits.push_back(digits_of(table.at("rows"), i));
  for (const Json& row : table.at("rows")) {
    lines.emplace_back();
    for (size_t i = 0; i < row.size(); ++i) lines.back().push_back(cell_text(row[i], digits[i]));
  }
  std::vector<size_t> widths(lines[0].size(), 0);
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text = table.at("title").get<std::string>() + "\n";
  for (const auto& line : lines) {
    text += fmt::format("  {:<{}}", line[0], widths[0]);
    for (size_t i = 1; i < line.size(); ++i) text += fmt::format("  {:>{}}", line[i], widths[i]);
    text += "\n";
  }
  return text;
}

}  // namespace floydnet
