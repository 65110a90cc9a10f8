#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/require.h"
#include "tasks/tsp/data/tsplib.h"

namespace floydnet::tsp {
namespace {

using Output = std::back_insert_iterator<std::string>;

/// Shortest digits that give the same numbers again.
void append_points(const std::vector<Point>& points, Output out) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    fmt::format_to(out, "{} {} {}\n", i + 1, points[i].x, points[i].y);
  }
}

void append_upper_rows(const Problem& problem, Output out) {
  const auto n = static_cast<std::size_t>(problem.cities());
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const auto row = problem.weights.begin() + static_cast<std::ptrdiff_t>(i * n);
    fmt::format_to(out, "{}\n",
                   fmt::join(row + static_cast<std::ptrdiff_t>(i + 1),
                             row + static_cast<std::ptrdiff_t>(n), " "));
  }
}

/// A header's value is what stands on its line, without blanks around it.
std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

std::string format_tsplib(const Problem& problem) {
  require(!problem.has_real_distances(), "{}: TSPLIB has no real distances", problem.name);
  std::string text;
  const Output out(text);
  fmt::format_to(out, "NAME : {}\nTYPE : TSP\nDIMENSION : {}\nEDGE_WEIGHT_TYPE : {}\n",
                 on_one_line(problem.name), problem.cities(), name_of(problem.metric));
  if (problem.metric == Metric::kExplicit) {
    text += "EDGE_WEIGHT_FORMAT : UPPER_ROW\n";
    if (!problem.display.empty()) text += "DISPLAY_DATA_TYPE : TWOD_DISPLAY\n";
    text += "EDGE_WEIGHT_SECTION\n";
    append_upper_rows(problem, out);
    if (!problem.display.empty()) text += "DISPLAY_DATA_SECTION\n";
    append_points(problem.display, out);
  } else {
    text += "NODE_COORD_SECTION\n";
    append_points(problem.points, out);
  }
  return text + "EOF\n";
}

std::string format_tour(const Tour& tour, const std::string& name, const std::string& comment) {
  std::string text;
  const Output out(text);
  fmt::format_to(out, "NAME : {}\nCOMMENT : {}\nTYPE : TOUR\nDIMENSION : {}\nTOUR_SECTION\n",
                 on_one_line(name), on_one_line(comment), tour.size());
  for (const int city : tour) fmt::format_to(out, "{}\n", city + 1);
  return text + "-1\nEOF\n";
}

}  // namespace floydnet::tsp
