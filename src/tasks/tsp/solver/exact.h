// Branch and cut: proven optima.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "tasks/tsp/data/instance.h"
#include "tasks/tsp/solver/certificate.h"

namespace floydnet::tsp {

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
ExactResult solve_exact(const Instance& instance, const ExactOptions& options);

enum class Uniqueness { kUnique, kNotUnique, kUnknown };

struct UniquenessResult {
  Uniqueness uniqueness = Uniqueness::kUnknown;
  /// Another optimal tour, where one was found.
  Tour other;
};

/// Whether `tour`, which is optimal, is the only optimal one. Tours are sets of edges: neither
/// start nor direction matters.
UniquenessResult check_unique(const Instance& instance, const Tour& tour,
                              const ExactOptions& options);

}  // namespace floydnet::tsp
