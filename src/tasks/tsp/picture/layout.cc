#include <algorithm>
#include <cmath>
#include <numeric>

#include "tasks/tsp/picture/tour_svg.h"

namespace floydnet::tsp {
namespace {

constexpr std::size_t kHintsPerCity = 2;
/// More would be a grey disc.
constexpr std::size_t kMostCitiesWithHints = 400;

std::vector<Point> circle(const Tour& tour) {
  constexpr double kTurn = 6.283185307179586;
  std::vector<Point> places(tour.size());
  for (std::size_t i = 0; i < tour.size(); ++i) {
    const double angle = kTurn * static_cast<double>(i) / static_cast<double>(tour.size());
    places[static_cast<std::size_t>(tour[i])] = {std::sin(angle), std::cos(angle)};
  }
  return places;
}

std::vector<std::pair<int, int>> lightest_edges(const Problem& problem) {
  const auto n = static_cast<std::size_t>(problem.cities());
  std::vector<std::pair<int, int>> edges;
  if (n > kMostCitiesWithHints) return edges;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::size_t> others(n);
    std::iota(others.begin(), others.end(), 0);
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const std::size_t count = std::min(kHintsPerCity, others.size());
    const auto lighter = [&](std::size_t a, std::size_t b) {
      return problem.weights[i * n + a] < problem.weights[i * n + b];
    };
    std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count),
                      others.end(), lighter);
    for (std::size_t k = 0; k < count; ++k) {
      edges.emplace_back(static_cast<int>(i), static_cast<int>(others[k]));
    }
  }
  return edges;
}

}  // namespace

Layout layout_of(const Problem& problem, const Tour& tour) {
  if (problem.metric == Metric::kGeo) {  // latitude and longitude
    Layout layout;
    for (const Point& point : problem.points) layout.places.push_back({point.y, point.x});
    return layout;
  }
  if (problem.metric != Metric::kExplicit) return {problem.points};
  if (!problem.display.empty()) {
    return {problem.display, {"Positions are the file's display data; the weights are others."}};
  }
  return {circle(tour),
          {"Positions are a layout: a circle, in the order of the first tour.",
           "Faint lines: the two lightest edges of each city."},
          lightest_edges(problem)};
}

}  // namespace floydnet::tsp
