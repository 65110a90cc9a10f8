// Chained Lin-Kernighan: a strong heuristic, and the baseline that learned solvers are held
// against.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "tasks/tsp/data/instance.h"

namespace floydnet::tsp {

struct LinKernighanOptions {
  std::uint64_t seed = 1;
  /// Double-bridge kicks; each is kept if the tour that follows from it is no longer.
  std::int64_t kicks = 0;
  double time_limit = std::numeric_limits<double>::infinity();  ///< in seconds
  /// The search ends with a tour that is no longer than this, such as a known optimum.
  Length target = std::numeric_limits<Length>::min();
  /// Where the search starts; empty for a greedy tour.
  Tour start;
  /// Ends the search early once true; may be null.
  const std::atomic<bool>* stop = nullptr;
};

struct LinKernighanResult {
  Tour tour;
  Length length = 0;
  std::int64_t kicks = 0;
};

/// Deterministic given the seed, unless the time limit or stop ends it.
LinKernighanResult lin_kernighan(const Instance& instance, const LinKernighanOptions& options);

}  // namespace floydnet::tsp
