// The instances that a command is asked to solve.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/tsp/data/problem.h"

namespace floydnet::tsp {

/// Of all files one after another: what read_problems reads, sets of solved instances (.npz), and
/// folders of such sets.
std::vector<Problem> read_inputs(const std::vector<std::string>& paths, std::uint64_t seed);

}  // namespace floydnet::tsp
