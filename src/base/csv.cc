#include "base/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // spreadsheets write it

}  // namespace

CsvReader::CsvReader(std::string_view bytes, std::string source)
    : bytes_(bytes), source_(std::move(source)) {
  if (bytes_.substr(0, kByteOrderMark.size()) == kByteOrderMark) position_ = kByteOrderMark.size();
}

bool CsvReader::at_line_end() const {
  return bytes_[position_] == '\n' || bytes_.substr(position_, 2) == "\r\n";
}

void CsvReader::end_line() {
  position_ += bytes_[position_] == '\r' ? 2 : 1;
  ++line_;
}

bool CsvReader::next(CsvRow& row) {
  while (position_ < bytes_.size() && at_line_end()) end_line();
  row.fields.clear();
  row.line = line_;
  if (position_ == bytes_.size()) return false;
  while (true) {
    row.fields.push_back(field());
    if (position_ == bytes_.size()) return true;
    if (at_line_end()) {
      end_line();
      return true;
    }
    ++position_;  // the comma
  }
}

std::string CsvReader::field() {
  if (position_ < bytes_.size() && bytes_[position_] == '"') return quoted();
  const size_t begin = position_;
  while (position_ < bytes_.size() && bytes_[position_] != ',' && !at_line_end()) ++position_;
  return std::string(bytes_.substr(begin, position_ - begin));
}

std::string CsvReader::quoted() {
  const uint64_t begin = line_;
  std::string text;
  for (++position_; position_ < bytes_.size(); ++position_) {
    const char byte = bytes_[position_];
    if (byte == '"') {
      if (bytes_.substr(position_, 2) != "\"\"") break;
      ++position_;
    }
    if (byte == '\n') ++line_;
    text += byte;
  }
  if (position_ == bytes_.size()) {
    throw InputError::at_line(source_, begin, "a quote that begins here has no end");
  }
  ++position_;
  if (position_ < bytes_.size() && bytes_[position_] != ',' && !at_line_end()) {
    throw InputError::at_line(source_, line_, "text follows a closing quote");
  }
  return text;
}

size_t CsvTable::column(const std::string& name, const std::string& source) const {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<size_t>(found - header.begin());
  constexpr size_t kShown = 12;
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(header.size(), kShown); ++i)
    names.push_back(in_quotes(header[i]));
  throw InputError::in(source,
                       fmt::format("has no column {}; its columns are {}{}", in_quotes(name),
                                   fmt::join(names, ", "), header.size() > kShown ? ", ..." : ""));
}

CsvTable parse_csv_table(std::string_view bytes, const std::string& source) {
  CsvReader reader(bytes, source);
  CsvRow row;
  if (!reader.next(row)) throw InputError::in(source, "is empty; a header was wanted");
  CsvTable table;
  table.header = std::move(row.fields);
  while (reader.next(row)) {
    if (row.fields.size() != table.header.size()) {
      throw InputError::at_line(source, row.line,
                                fmt::format("has {} fields, not {} as the header",
                                            row.fields.size(), table.header.size()));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char byte : text) {
    if (byte == '"') quoted += '"';
    quoted += byte;
  }
  return quoted + '"';
}

}  // namespace floydnet
