// Line plots as SVG text, for reports: small, self-contained, readable on light and dark pages.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace floydnet {

struct PlotAxis {
  std::string label;
  bool logarithmic = false;
  /// Where the ticks stand; chosen to suit the data unless given.
  std::vector<double> ticks = {};
};

struct PlotSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct PlotPanel {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
};

/// Panels side by side under one title and one legend; a name has the same colour and mark in each.
/// Points that are not finite, or not positive on a logarithmic axis, are left out.
std::string plot_svg(const std::string& title, const std::vector<PlotPanel>& panels);

}  // namespace floydnet
