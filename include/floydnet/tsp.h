/// \file
/// Shortest tours, proven: symmetric travelling salesman problems by branch and cut.
///
///     floydnet::tsp::Instance instance("mine", 3, {0, 1, 9, 1, 0, 3, 9, 3, 0});
///     auto result = floydnet::tsp::solve_exact(instance, {});  // result.tour, result.proven
///
/// This header needs no libtorch.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "floydnet/export.h"

namespace floydnet::tsp {

using Length = std::int64_t;
/// Each city once; the way back to the first is implied.
using Tour = std::vector<int>;

struct Point {
  double x = 0;
  double y = 0;
};

/// More cities would need more than 400 MB for their weights.
inline constexpr int kMaxCities = 10000;

class FLOYDNET_EXPORT Instance {
 public:
  /// Row by row; throws InputError unless it is a square, symmetric matrix of weights in [0, 2^31).
  /// The diagonal does not matter.
  Instance(std::string name, int cities, std::vector<std::int32_t> weights);

  const std::string& name() const { return name_; }
  int cities() const { return cities_; }
  Length weight(int i, int j) const { return weights_[index(i, j)]; }
  /// [cities, cities]
  const std::int32_t* row(int i) const { return weights_.data() + index(i, 0); }

  /// Where the cities are; empty if only weights are known.
  std::vector<Point> points;
  /// Weights are distances times this, rounded; 1 where distances are integers.
  double scale = 1;

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(cities_) +
           static_cast<std::size_t>(j);
  }

  std::string name_;
  int cities_;
  std::vector<std::int32_t> weights_;
};

FLOYDNET_EXPORT Length tour_length(const Instance& instance, const Tour& tour);

/// Throws InputError that names what is wrong unless the tour visits each city once.
FLOYDNET_EXPORT void check_tour(const Tour& tour, int cities);

/// The file's text (JSON); see docs/tsp.md for what it contains.
struct Certificate {
  std::string text;
};

/// Throws InputError that says what does not hold unless the certificate proves `length` optimal;
/// gives the optimal tour.
FLOYDNET_EXPORT Tour verify_certificate(const Instance& instance, const std::string& text);

struct ExactProgress {
  Length best = 0;
  Length bound = 0;
  std::int64_t nodes = 0;
  std::int64_t open = 0;
};

struct ExactOptions {
  std::uint64_t seed = 1;
  double time_limit = std::numeric_limits<double>::infinity();  ///< in seconds
  /// Kicks of the Lin-Kernighan run that gives the first tour; negative for the solver's own
  /// choice.
  std::int64_t kicks = -1;
  bool certificate = false;
  const std::atomic<bool>* stop = nullptr;  ///< may be null
  std::function<void(const ExactProgress&)> progress;
};

struct ExactResult {
  Tour tour;
  Length length = 0;
  /// No tour is shorter. Equals length if proven.
  Length bound = 0;
  bool proven = false;
  std::int64_t nodes = 0;
  std::int64_t cuts = 0;
  double seconds = 0;
  /// Present if asked for and proven.
  std::optional<Certificate> certificate;
};

/// Deterministic given the seed, unless the time limit or stop ends it. Any number of cities from 1
/// on.
FLOYDNET_EXPORT ExactResult solve_exact(const Instance& instance, const ExactOptions& options);

enum class Uniqueness { kUnique, kNotUnique, kUnknown };

struct UniquenessResult {
  Uniqueness uniqueness = Uniqueness::kUnknown;
  /// Another optimal tour, where one was found.
  Tour other;
};

/// Whether `tour`, which is optimal, is the only optimal one. Tours are sets of edges: neither
/// start nor direction matters.
FLOYDNET_EXPORT UniquenessResult check_unique(const Instance& instance, const Tour& tour,
                                              const ExactOptions& options);

}  // namespace floydnet::tsp
