// Comma-separated values, as RFC 4180 and spreadsheets have them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace floydnet {

struct CsvRow {
  uint64_t line = 0;  // that it begins in, counted from 1
  std::vector<std::string> fields;
};

/// Rows one after the other. A field in double quotes may hold commas, line ends and doubled
/// quotes. Lines end with LF or CR LF, the last one need not; empty lines are passed over.
/// InputError names `source` and the line.
class CsvReader {
 public:
  /// Reads from `bytes`, which has to outlive it.
  CsvReader(std::string_view bytes, std::string source);

  /// False at the end.
  bool next(CsvRow& row);

 private:
  std::string field();
  std::string quoted();
  bool at_line_end() const;
  void end_line();

  std::string_view bytes_;
  std::string source_;
  size_t position_ = 0;
  uint64_t line_ = 1;
};

/// A table with a header: all rows have as many fields as it.
struct CsvTable {
  std::vector<std::string> header;
  std::vector<CsvRow> rows;

  /// The place of a column of that name; InputError, which lists those that there are, if there is
  /// none.
  size_t column(const std::string& name, const std::string& source) const;
};

CsvTable parse_csv_table(std::string_view bytes, const std::string& source);

/// A field for writing: in quotes where it needs them.
std::string csv_field(std::string_view text);

}  // namespace floydnet
