#include "record/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "record/json_lines.h"

namespace floydnet::record {
namespace {

using Json = nlohmann::json;

Json cell_json(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return Json();
  if (const auto* number = std::get_if<double>(&cell)) return number_or_null(*number);
  if (const auto* number = std::get_if<int64_t>(&cell)) return *number;
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth;
  return std::get<std::string>(cell);
}

std::string cell_text(const Cell& cell, int digits) {
  if (std::holds_alternative<std::monostate>(cell)) return "-";
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const auto* number = std::get_if<double>(&cell);
  return number != nullptr ? fmt::format("{:.{}f}", *number, digits) : cell_json(cell).dump();
}

double size_of(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return std::abs(*number);
  if (const auto* number = std::get_if<int64_t>(&cell)) {
    return std::abs(static_cast<double>(*number));
  }
  return 0;
}

/// After the point: percentages have two, small errors four.
int digits_of(const Table& table, size_t column) {
  const bool small = std::all_of(table.rows.begin(), table.rows.end(),
                                 [&](const auto& row) { return size_of(row[column]) < 10; });
  return small ? 4 : 2;
}

/// The columns' names, then the rows.
std::vector<std::vector<std::string>> lines_of(const Table& table) {
  std::vector<std::vector<std::string>> lines = {table.columns};
  std::vector<int> digits;
  for (size_t i = 0; i < table.columns.size(); ++i) digits.push_back(digits_of(table, i));
  for (const auto& row : table.rows) {
    lines.emplace_back();
    for (size_t i = 0; i < row.size(); ++i) lines.back().push_back(cell_text(row[i], digits[i]));
  }
  return lines;
}

}  // namespace

Json to_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(cell_json(cell));
    rows.push_back(std::move(cells));
  }
  return {{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}};
}

std::string text_table(const Table& table) {
  const std::vector<std::vector<std::string>> lines = lines_of(table);
  std::vector<size_t> widths(table.columns.size(), 0);
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text = table.title + "\n";
  for (const auto& line : lines) {
    text += fmt::format("  {:<{}}", line[0], widths[0]);
    for (size_t i = 1; i < line.size(); ++i) text += fmt::format("  {:>{}}", line[i], widths[i]);
    text += "\n";
  }
  return text;
}

std::string markdown_table(const Table& table) {
  std::string text = table.title + "\n\n";
  bool is_first = true;
  for (const auto& line : lines_of(table)) {
    text += fmt::format("| {} |\n", fmt::join(line, " | "));
    if (std::exchange(is_first, false)) {
      for (size_t i = 0; i < line.size(); ++i) text += "|---";
      text += "|\n";
    }
  }
  return text;
}

}  // namespace floydnet::record
