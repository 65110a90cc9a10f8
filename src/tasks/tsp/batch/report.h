// What came of a batch, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tasks/tsp/batch/solve.h"

namespace floydnet::tsp {

struct SolveReport {
  const std::vector<Problem>& problems;
  const std::vector<Outcome>& outcomes;
  SolveOptions options;
  double seconds = 0;  ///< of all
};

/// A line for each instance, unless only the summary is wanted, and sums over all if there are
/// several.
std::string report_text(const SolveReport& report, bool only_summary);
nlohmann::json report_json(const SolveReport& report);

}  // namespace floydnet::tsp
