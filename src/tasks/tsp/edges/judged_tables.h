// What sampled tours are worth, by number of cities.
#pragma once

#include <vector>

#include "record/table.h"
#include "tasks/tsp/edges/judge.h"

namespace floydnet::tsp {

/// The paper's metrics, from strict decoding: tours, and optimal tours among the first 1, 5 and 10
/// samples where there are so many; what went wrong with the others; then tours merged and
/// repaired.
record::Table judged_table(const std::vector<JudgedInstance>& instances);

/// As the paper's table of detailed performance: of the shortest valid tour among the first 1, 5
/// and 10 samples, the gaps to the optimum and to Lin-Kernighan without kicks.
record::Table detailed_table(const std::vector<JudgedInstance>& instances);

/// The same measures of heuristics that know nothing of the model.
record::Table baselines_table(const std::vector<JudgedInstance>& instances);

}  // namespace floydnet::tsp
