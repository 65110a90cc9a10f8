// Tables of the page, and the cells in them.
#pragma once

#include <string>
#include <vector>

namespace floydnet::report {

/// A cell of HTML.
struct Cell {
  std::string html;
  bool number = false;  // aligned to the right
};

Cell text_cell(const std::string& text);
Cell number_cell(double value);
/// "–", and for those who cannot see it what that means.
Cell no_cell();

struct Table {
  std::string caption;  // may be empty
  std::vector<Cell> columns;
  std::vector<std::vector<Cell>> rows;  // the first cell of each is its heading
};

/// In a frame of its own that scrolls where the table is wider than the page.
std::string table_html(const Table& table, const std::string& label);

/// "42 s", "12 min 3 s", "1 h 20 min".
std::string duration_text(double seconds);

}  // namespace floydnet::report
