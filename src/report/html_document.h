// What pages of results are made of: one HTML file that needs nothing but itself.
#pragma once

#include <string>
#include <vector>

#include "record/table.h"
#include "report/plot.h"

namespace floydnet::report {

/// A whole page. `overview` stands below the title, `content` is sections; both are HTML.
std::string html_document(const std::string& title, const std::string& overview,
                          const std::string& content);

/// Empty if the content is.
std::string section(const std::string& heading, const std::string& content);

/// `of` says, to those who hear the page, what the tables are of.
std::string tables_html(const std::vector<record::Table>& tables, const std::string& of);

/// A plot with a caption and a legend of its lines. `id` must be unique in the page; series have
/// names.
std::string figure_html(PlotPanel panel, const std::string& id);

/// An SVG document as an image, which keeps its own style; `description` is for those who cannot
/// see it.
std::string svg_image(const std::string& svg, const std::string& description);

}  // namespace floydnet::report
