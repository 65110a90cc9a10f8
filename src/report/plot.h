// Line plots as SVG text, for reports: small, self-contained, readable on light and dark pages.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/scale.h"

namespace floydnet {

struct PlotSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;
  /// Colour, dash and mark; by default, one for each name.
  std::optional<size_t> style = {};
  /// Drawn thin and pale, and behind those that are not: what a series was smoothed from.
  bool faint = false;
  /// Dots without a line between them; many may overlap.
  bool scattered = false;
};

struct PlotPanel {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
  /// A range of x with a tint of its own, such as that of the training data.
  std::optional<std::pair<double, double>> shaded = {};
  /// Both axes have the same range, and a line shows where x = y.
  bool diagonal = false;
};

/// Panels under one title and one legend, at most so many side by side; a name has the same colour
/// and mark in each. Points that cannot be shown, such as infinity, are left out.
std::string plot_svg(const std::string& title, const std::vector<PlotPanel>& panels,
                     size_t columns = 8);

/// One panel as an element of an HTML page, which owns style sheet and legend. The root has
/// class="plot" and a range of x (data-x-low and data-x-high, between data-left and data-right) by
/// which a script can tell where a pointer is, and a line of class "guide" for it to move. `id`
/// must be unique in the page; `description` is for those who cannot see the plot.
std::string panel_svg(const PlotPanel& panel, const std::string& id,
                      const std::string& description);

/// A short line with a mark, as it stands in a legend of plots.
std::string legend_svg(size_t style);

/// Style sheets of plots: what does not depend on the ground, and the colours that do.
std::string plot_css();
std::string plot_colours_css(bool dark);

}  // namespace floydnet
