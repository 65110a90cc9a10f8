// Cuts that an LP solution violates.
#pragma once

#include <vector>

#include "tasks/tsp/solver/support.h"

namespace floydnet::tsp {

/// Violations below this are not worth a row.
constexpr double kMinViolation = 0.01;

/// Exact: none are found only if all subtour cuts hold. Sets of cities that no cut separates from
/// each other below or at 2 (tight ones) are appended to `tight`.
std::vector<Cut> separate_subtours(const Support& support, std::vector<NodeSet>& tight);

/// Blossoms: combs with teeth of one edge; and the same where tight sets are contracted.
std::vector<Cut> separate_combs(const Support& support, const std::vector<NodeSet>& tight);

}  // namespace floydnet::tsp
