#include "tasks/graphs/import/number_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/gzip.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/graphs/data/text_lines.h"

namespace floydnet::graphs {
namespace {

constexpr double kWholeLimit = 9007199254740992.0;  // 2^53: integers are exact up to here

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Cuts a line at commas and semicolons, or else at blanks.
class Fields {
 public:
  explicit Fields(std::string_view line)
      : left_(line), by_comma_(line.find_first_of(",;") != std::string_view::npos) {}

  bool next(std::string_view& field) {
    if (!by_comma_) trim_front();
    if (done_ || (!by_comma_ && left_.empty())) return false;
    const size_t end = left_.find_first_of(by_comma_ ? ",;" : " \t");
    field = left_.substr(0, end);
    done_ = end == std::string_view::npos;
    left_.remove_prefix(done_ ? left_.size() : end + 1);
    while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
    while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
    return true;
  }

 private:
  void trim_front() {
    while (!left_.empty() && is_blank(left_.front())) left_.remove_prefix(1);
  }

  std::string_view left_;
  const bool by_comma_;
  bool done_ = false;
};

bool is_missing(std::string_view field) {
  return field.empty() || field == "nan" || field == "NaN" || field == "NA";
}

/// False if it is no finite number. Sets `real` unless it is whole and written so.
bool parse_number(std::string_view field, double& value, bool& real) {
  if (field.front() == '+') field.remove_prefix(1);
  const char* end = field.data() + field.size();
  int64_t whole = 0;
  const auto [stop, error] = std::from_chars(field.data(), end, whole);
  if (error == std::errc() && stop == end) {
    value = static_cast<double>(whole);
    return std::abs(value) <= kWholeLimit;
  }
  real = true;
  const auto [real_stop, real_error] = std::from_chars(field.data(), end, value);
  return real_error == std::errc() && real_stop == end && std::isfinite(value);
}

}  // namespace

Column NumberRows::column(Level level, const std::string& name) const {
  Column column{name, level, std::max<int64_t>(width, 1), real, {}, {}};
  for (const double value : values) {
    if (real) {
      column.reals.push_back(static_cast<float>(value));
    } else {
      column.integers.push_back(std::isnan(value) ? -1 : static_cast<int64_t>(value));
    }
  }
  return column;
}

Column NumberRows::labels(Level level, const std::string& name) const {
  NumberRows copy = *this;
  copy.real =
      real || std::any_of(values.begin(), values.end(), [](double value) { return value < 0; });
  return copy.column(level, name);
}

std::vector<int64_t> NumberRows::integers(const std::string& source, int64_t least,
                                          int64_t most) const {
  if (real || width > 1) throw InputError::in(source, "wanted one integer a line");
  std::vector<int64_t> numbers;
  for (const double value : values) {
    if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most))) {
      throw InputError::in(
          source, fmt::format("row {}: {}, wanted {} to {}", numbers.size(), value, least, most));
    }
    numbers.push_back(static_cast<int64_t>(value));
  }
  return numbers;
}

NumberRows parse_number_rows(std::string_view text, const std::string& source) {
  NumberRows table;
  TextLines lines(text);
  std::string_view line;
  while (lines.next_filled(line)) {
    Fields fields(line);
    std::string_view field;
    int64_t width = 0;
    for (; fields.next(field); ++width) {
      double value = NAN;
      if (!is_missing(field) && !parse_number(field, value, table.real)) {
        throw InputError::at_line(source, lines.number(), in_quotes(field) + " is no number");
      }
      table.values.push_back(value);
    }
    if (table.rows == 0) table.width = width;
    if (width != table.width) {
      throw InputError::at_line(source, lines.number(),
                                fmt::format("{} numbers, wanted {}", width, table.width));
    }
    ++table.rows;
  }
  return table;
}

NumberRows read_number_rows(const std::string& path) {
  return parse_number_rows(read_maybe_gzip(path), path);
}

}  // namespace floydnet::graphs
