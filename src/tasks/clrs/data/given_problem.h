// Problems that are given as arrays instead of drawn.
#pragma once

#include <vector>

#include "tasks/clrs/data/algorithm.h"

namespace floydnet::clrs {

/// The problem whose inputs these are: what an algorithm's Trace::inputs() makes of it, backwards.
/// `inputs` stand in the order of the algorithm's spec and have the sizes of its probes. Positions
/// and what follows from other inputs (adj) are not read. Throws std::invalid_argument for strings
/// and numbers that no problem has.
Problem problem_of(const Algorithm& algorithm, const std::vector<Reals>& inputs, int64_t nodes);

}  // namespace floydnet::clrs
