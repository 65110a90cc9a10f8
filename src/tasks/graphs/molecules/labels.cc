#include "tasks/graphs/molecules/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet::graphs {
namespace {

constexpr double kMostAutoClass = 999;

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

bool is_missing_label(std::string_view text) {
  constexpr std::array<std::string_view, 8> kWords = {"",   "nan", "NaN",  "NAN",
                                                      "NA", "N/A", "None", "null"};
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

/// NaN if it is missing; none if it is not a finite number.
std::optional<double> parse_label(std::string_view text) {
  text = trimmed(text);
  if (is_missing_label(text)) return std::numeric_limits<double>::quiet_NaN();
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || !std::isfinite(value) ||
      std::abs(value) > std::numeric_limits<float>::max()) {
    return std::nullopt;
  }
  return value;
}

/// The texts of "[0, 1]", or the cell itself.
std::vector<std::string_view> parts_of(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.size() < 2 || cell.front() != '[' || cell.back() != ']') return {cell};
  cell = cell.substr(1, cell.size() - 2);
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t comma = cell.find(',');
    parts.push_back(cell.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    cell.remove_prefix(comma + 1);
  }
}

void append_cell(const std::string& cell, const std::string& name, uint64_t line,
                 const std::string& source, std::vector<double>& values) {
  for (const std::string_view part : parts_of(cell)) {
    const std::optional<double> value = parse_label(part);
    if (!value) {
      throw InputError::at_line(
          source, line,
          fmt::format("column {}: {} is not a number", in_quotes(name), in_quotes(part)));
    }
    values.push_back(*value);
  }
}

bool is_class(double value, double most) {
  return std::isnan(value) || (value >= 0 && value <= most && value == std::floor(value));
}

}  // namespace

Labels::Labels(const CsvTable& table, const std::vector<std::string>& names,
               const std::string& source) {
  std::vector<size_t> places;
  for (const std::string& name : names) places.push_back(table.column(name, source));
  for (const CsvRow& row : table.rows) {
    const size_t before = values_.size();
    for (size_t i = 0; i < names.size(); ++i) {
      append_cell(row.fields[places[i]], names[i], row.line, source, values_);
    }
    const auto count = static_cast<int64_t>(values_.size() - before);
    if (lines_.empty()) width_ = count;
    if (count != width_) {
      throw InputError::at_line(
          source, row.line, fmt::format("has {} labels, not {} as the row before", count, width_));
    }
    lines_.push_back(row.line);
  }
}

Column Labels::column(const std::vector<size_t>& rows, LabelKind kind,
                      const std::string& source) const {
  const auto width = static_cast<size_t>(width_);
  const double most =
      kind == LabelKind::kClasses ? std::numeric_limits<int32_t>::max() : kMostAutoClass;
  const auto not_class = [&](double value) { return !is_class(value, most); };
  std::vector<double> values;
  bool classes = kind != LabelKind::kNumbers;
  for (const size_t row : rows) {
    const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(row * width);
    const auto end = begin + width_;
    values.insert(values.end(), begin, end);
    classes = classes && std::none_of(begin, end, not_class);
    if (kind == LabelKind::kClasses && !classes) {
      throw InputError::at_line(source, lines_[row], "a label is not a class, an integer from 0");
    }
  }
  classes =
      classes && !std::all_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
  Column column{"y", Level::kGraph, width_, !classes, {}, {}};
  for (const double value : values) {
    if (classes) {
      column.integers.push_back(std::isnan(value) ? -1 : static_cast<int64_t>(value));
    } else {
      column.reals.push_back(static_cast<float>(value));
    }
  }
  return column;
}

}  // namespace floydnet::graphs
