#include "report/html_document.h"

#include <fmt/format.h>

#include "report/html_style.h"
#include "report/html_table.h"
#include "report/markup.h"

namespace floydnet::report {
namespace {

Cell result_cell(const record::Cell& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text_cell(*text);
  if (const auto* number = std::get_if<double>(&value)) return number_cell(*number);
  if (const auto* number = std::get_if<int64_t>(&value)) return {std::to_string(*number), true};
  if (const auto* truth = std::get_if<bool>(&value)) return text_cell(*truth ? "true" : "false");
  return no_cell();
}

/// As it may stand in a URL within double quotes.
std::string url_encoded(const std::string& text) {
  std::string url;
  for (const char c : text) {
    const bool plain =
        c > ' ' && c < 0x7f && std::string_view("\"#%<>&").find(c) == std::string::npos;
    if (plain) {
      url += c;
    } else {
      url += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return url;
}

}  // namespace

std::string html_document(const std::string& title, const std::string& overview,
                          const std::string& content) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      // The page must never ask anybody for anything.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n";
  html += fmt::format("<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n", escaped(title),
                      page_css());
  html += fmt::format("<h1>{}</h1>\n{}", escaped(title), overview);
  return html + "<main>\n" + content + "</main>\n<script>\n" + kPageScript +
         "</script>\n</body>\n</html>\n";
}

std::string section(const std::string& heading, const std::string& content) {
  if (content.empty()) return "";
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", heading, content);
}

std::string tables_html(const std::vector<record::Table>& tables, const std::string& of) {
  std::string html;
  for (const record::Table& result : tables) {
    Table table;
    table.caption = result.title;
    for (const std::string& column : result.columns) table.columns.push_back(text_cell(column));
    for (const auto& cells : result.rows) {
      std::vector<Cell> row;
      for (size_t i = 0; i < cells.size(); ++i) {
        row.push_back(result_cell(cells[i]));
        table.columns[i].number |= row.back().number && cells[i] != record::Cell();
      }
      table.rows.push_back(std::move(row));
    }
    html += table_html(table, of + ": " + result.title);
  }
  return html;
}

std::string figure_html(PlotPanel panel, const std::string& id) {
  std::string legend, description;
  for (size_t i = 0; i < panel.series.size(); ++i) {
    PlotSeries& series = panel.series[i];
    series.style = i;
    description += fmt::format("{}{}:", description.empty() ? "" : " ", series.name);
    if (series.scattered) {
      description += fmt::format(" {} points.", series.points.size());
      continue;
    }
    legend += fmt::format("<li>{}<span class=\"name\">{}</span></li>\n", legend_svg(i),
                          escaped(series.name));
    for (const auto& [x, y] : series.points) description += fmt::format(" {:.4g} at {:.4g}", y, x);
    description += '.';
  }
  if (!legend.empty()) legend = "<ul class=\"legend\">\n" + legend + "</ul>\n";
  return fmt::format(
      "<figure id=\"{}\">\n<figcaption>{}</figcaption>\n<div class=\"views\">\n{}</div>\n"
      "{}</figure>\n",
      id, escaped(panel.title), panel_svg(panel, id + "-plot", description), legend);
}

std::string svg_image(const std::string& svg, const std::string& description) {
  return fmt::format("<img src=\"data:image/svg+xml,{}\" alt=\"{}\"/>\n", url_encoded(svg),
                     escaped(description));
}

}  // namespace floydnet::report
