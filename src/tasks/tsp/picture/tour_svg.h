// Tours as SVG text: small, self-contained, readable on light and dark pages.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tasks/tsp/data/instance.h"
#include "tasks/tsp/data/problem.h"

namespace floydnet::tsp {

/// Where the cities are drawn; y grows upwards.
struct Layout {
  std::vector<Point> places;
  /// Lines that say so where the places do not follow from the instance; none where they do.
  std::vector<std::string> notes = {};
  /// Edges to hint at what is near where places do not tell: each city's lightest ones.
  std::vector<std::pair<int, int>> hints = {};
};

/// The points of the instance, or those that the file has for display, or else a circle on which
/// the cities stand in the order of `tour`.
Layout layout_of(const Problem& problem, const Tour& tour);

struct TourPanel {
  std::string caption;
  Tour tour;
};

/// One or two tours side by side; edges that the other does not have stand out.
std::string tour_svg(const std::string& title, const Layout& layout,
                     const std::vector<TourPanel>& panels);

}  // namespace floydnet::tsp
