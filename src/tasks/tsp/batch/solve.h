// Many instances solved, one a thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "tasks/tsp/data/problem.h"
#include "tasks/tsp/solver/exact.h"

namespace floydnet::tsp {

enum class Method { kExact, kLinKernighan };

/// Kicks of a Lin-Kernighan run for each city, unless said otherwise.
inline constexpr std::int64_t kKicksPerCity = 10;

struct SolveOptions {
  Method method = Method::kExact;
  std::uint64_t seed = 1;
  /// Of Lin-Kernighan runs, the baseline included; kKicksPerCity a city by default.
  std::optional<std::int64_t> kicks;
  double time_limit = std::numeric_limits<double>::infinity();  ///< per instance, in seconds
  bool certificate = false;
  bool unique = false;    ///< Whether the optimal tour is the only one.
  bool baseline = false;  ///< A Lin-Kernighan tour beside that of the exact solver.
};

struct Outcome {
  bool begun = false;  ///< False where a stop came before its turn.
  Tour tour = {};
  Length length = 0;
  std::optional<Length> bound = {};  ///< Lin-Kernighan has none.
  bool proven = false;
  std::int64_t nodes = 0, cuts = 0, kicks = 0;
  double seconds = 0;
  double scale = 1;  ///< Of the weights; see Instance.
  std::optional<Certificate> certificate = {};
  std::optional<Uniqueness> uniqueness = {};
  std::optional<Tour> baseline = {};
  Length baseline_length = 0;
  /// Of the tour that came with the instance.
  std::optional<Length> reference_length = {};

  /// Above the bound, in percent; infinite without one.
  double gap() const;
};

struct BatchProgress {
  std::function<void(std::int64_t finished)> finished = {};  ///< Called by one thread at a time.
  std::function<void(const ExactProgress&)> search = {};     ///< Called by any thread.
};

/// In the order of the problems, and but for time limits the same for any number of threads. Ends
/// early with what there is once `stop` is true. Throws InputError for weights that do not fit.
std::vector<Outcome> solve_all(const std::vector<Problem>& problems, const SolveOptions& options,
                               int threads, const std::atomic<bool>& stop,
                               const BatchProgress& progress = {});

}  // namespace floydnet::tsp
