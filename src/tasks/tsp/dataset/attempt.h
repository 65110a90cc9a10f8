// One random instance: solved, and kept if it passes the filter.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>

#include "tasks/tsp/data/generator.h"
#include "tasks/tsp/solver/exact.h"

namespace floydnet::tsp {

enum class Filter {
  kNone,
  kPerturb,  ///< the paper's: another solution of the perturbed instance has the same tour
  kUnique    ///< exact: no other tour is as short
};
const char* name_of(Filter filter);

struct AttemptOptions {
  Kind kind = Kind::kExplicit;
  Filter filter = Filter::kNone;
  std::uint64_t seed = 1;
  std::int64_t kicks_per_city = 10;  ///< of the Lin-Kernighan baseline
  /// In seconds for each of an attempt's solutions. Which attempts exceed it depends on the
  /// machine.
  double time_limit = std::numeric_limits<double>::infinity();
};

struct Attempt {
  std::int64_t index = 0;
  bool solved = false;  ///< within the time limit
  bool kept = false;
  // Of what is kept:
  Tour tour = {};
  Length optimum = 0;
  Length baseline = 0;
  Uniqueness unique = Uniqueness::kUnknown;

  nlohmann::json to_json() const;
  /// Throws nlohmann::json::exception for what to_json() does not give, InputError for a tour that
  /// is none.
  static Attempt from_json(const nlohmann::json& json, int cities);
};

/// Depends on nothing but the arguments, unless a time limit or `stop` ends it.
Attempt make_attempt(const AttemptOptions& options, int cities, std::int64_t index,
                     const std::atomic<bool>& stop);

/// The same cycle, whatever its start and direction.
bool same_cycle(const Tour& a, const Tour& b);

}  // namespace floydnet::tsp
