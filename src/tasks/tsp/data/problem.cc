#include "tasks/tsp/data/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "floydnet/error.h"

namespace floydnet::tsp {
namespace {

constexpr double kMaxWeight = std::numeric_limits<std::int32_t>::max();

double euclidean(Point a, Point b) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

double rounded(double x) { return std::floor(x + 0.5); }

/// TSPLIB's pseudo-Euclidean distance.
double att(Point a, Point b) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  const double r = std::sqrt((dx * dx + dy * dy) / 10);
  const double t = rounded(r);
  return t < r ? t + 1 : t;
}

/// From DDD.MM, degrees and minutes; pi is TSPLIB's.
double radians(double x) {
  const double degrees = std::trunc(x);
  return 3.141592 * (degrees + 5 * (x - degrees) / 3) / 180;
}

/// In kilometres on TSPLIB's idealised earth; x is the latitude.
double geographic(Point a, Point b) {
  const double q1 = std::cos(radians(a.y) - radians(b.y));
  const double q2 = std::cos(radians(a.x) - radians(b.x));
  const double q3 = std::cos(radians(a.x) + radians(b.x));
  const double cosine = 0.5 * ((1 + q1) * q2 - (1 - q1) * q3);
  return std::trunc(6378.388 * std::acos(std::clamp(cosine, -1.0, 1.0)) + 1);
}

double distance(Metric metric, Point a, Point b) {
  switch (metric) {
    case Metric::kEuc2d:
      return rounded(euclidean(a, b));
    case Metric::kCeil2d:
      return std::ceil(euclidean(a, b));
    case Metric::kMan2d:
      return rounded(std::abs(a.x - b.x) + std::abs(a.y - b.y));
    case Metric::kMax2d:
      return std::max(rounded(std::abs(a.x - b.x)), rounded(std::abs(a.y - b.y)));
    case Metric::kGeo:
      return geographic(a, b);
    case Metric::kAtt:
      return att(a, b);
    case Metric::kReal:
    case Metric::kExplicit:
      break;
  }
  return euclidean(a, b);
}

/// By the diagonal of the points' bounding box, which no distance exceeds.
double scale_of(const std::vector<Point>& points) {
  Point low = points.front(), high = low;
  for (const Point& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  const double diagonal = euclidean(low, high);
  double scale = kLargestScale;
  // Dividing by powers of ten keeps the scale a round number.
  for (double divisor = 10; scale > 0 && diagonal * scale >= kMaxWeight; divisor *= 10) {
    scale = kLargestScale / divisor;
  }
  return scale;
}

std::vector<std::int32_t> weights_from_points(const Problem& problem, double scale) {
  const std::vector<Point>& points = problem.points;
  const std::size_t n = points.size();
  std::vector<std::int32_t> weights(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double weight = distance(problem.metric, points[i], points[j]);
      if (problem.has_real_distances()) weight = rounded(weight * scale);
      if (!(weight <= kMaxWeight)) {
        throw InputError::in(
            problem.name, fmt::format("the distance of cities {} and {} is {:g}; it must be below "
                                      "2^31",
                                      j + 1, i + 1, weight));
      }
      weights[i * n + j] = weights[j * n + i] = static_cast<std::int32_t>(weight);
    }
  }
  return weights;
}

}  // namespace

const char* name_of(Metric metric) {
  constexpr const char* kNames[] = {"EXPLICIT", "EUC_2D", "CEIL_2D", "MAN_2D",
                                    "MAX_2D",   "GEO",    "ATT",     "REAL"};
  return kNames[static_cast<int>(metric)];
}

int Problem::cities() const {
  if (metric != Metric::kExplicit) return static_cast<int>(points.size());
  return static_cast<int>(std::lround(std::sqrt(static_cast<double>(weights.size()))));
}

Instance make_instance(const Problem& problem) {
  const int cities = problem.cities();
  if (problem.metric == Metric::kExplicit) return {problem.name, cities, problem.weights};
  // Before n^2 weights are allocated.
  if (cities < 1 || cities > kMaxCities) return {problem.name, cities, {}};
  const double scale = problem.has_real_distances() ? scale_of(problem.points) : 1;
  Instance instance(problem.name, cities, weights_from_points(problem, scale));
  instance.points = problem.points;
  instance.scale = scale;
  return instance;
}

double real_length(const Problem& problem, const Tour& tour) {
  double length = 0;
  for (std::size_t i = 0; i < tour.size(); ++i) {
    const int next = tour[i + 1 == tour.size() ? 0 : i + 1];
    length += euclidean(problem.points[static_cast<std::size_t>(tour[i])],
                        problem.points[static_cast<std::size_t>(next)]);
  }
  return length;
}

}  // namespace floydnet::tsp
