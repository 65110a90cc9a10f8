// An instance as a file describes it: by points and a distance function, or by weights.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tasks/tsp/data/instance.h"

namespace floydnet::tsp {

/// Those of TSPLIB, and the plain Euclidean distance, which is not rounded (kReal).
enum class Metric { kExplicit, kEuc2d, kCeil2d, kMan2d, kMax2d, kGeo, kAtt, kReal };

/// As EDGE_WEIGHT_TYPE has it; "REAL" for kReal.
const char* name_of(Metric metric);

struct Problem {
  std::string name;
  Metric metric = Metric::kExplicit;
  /// Where the cities are; empty for kExplicit.
  std::vector<Point> points = {};
  /// [cities, cities]; empty unless kExplicit.
  std::vector<std::int32_t> weights = {};
  /// Where cities of kExplicit may be drawn; weights do not follow from it.
  std::vector<Point> display = {};
  /// A tour that came with the instance, to compare with.
  std::optional<Tour> reference = {};

  int cities() const;
  bool has_real_distances() const { return metric == Metric::kReal; }
};

/// Weights of kReal are distances times this or a tenth, hundredth ... of it, so that
/// they stay below 2^31.
inline constexpr double kLargestScale = 1e7;

/// Computes the weights. Throws InputError for weights that do not fit an Instance.
Instance make_instance(const Problem& problem);

/// In the unit of the points of a problem with real distances.
double real_length(const Problem& problem, const Tour& tour);

}  // namespace floydnet::tsp
