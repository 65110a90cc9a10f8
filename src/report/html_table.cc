#include "report/html_table.h"

#include <fmt/format.h>

#include <cmath>

#include "report/html_chart.h"
#include "report/markup.h"

namespace floydnet::report {
namespace {

std::string cell_html(const Cell& cell, const char* element, const char* attributes) {
  return fmt::format("<{0}{1}{2}>{3}</{0}>", element, attributes,
                     cell.number ? " class=\"number\"" : "", cell.html);
}

}  // namespace

Cell text_cell(const std::string& text) { return {escaped(text), false}; }

Cell number_cell(double value) { return {number_text(value), true}; }

Cell no_cell() { return {"<span aria-label=\"none\">–</span>", true}; }

std::string table_html(const Table& table, const std::string& label) {
  std::string html = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table>\n",
      escaped(label));
  if (!table.caption.empty()) html += "<caption>" + escaped(table.caption) + "</caption>\n";
  html += "<thead><tr>";
  for (const Cell& cell : table.columns) html += cell_html(cell, "th", " scope=\"col\"");
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      html += i == 0 ? cell_html(row[i], "th", " scope=\"row\"") : cell_html(row[i], "td", "");
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0 || seconds > 1e15) return "–";
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace floydnet::report
