// How much memory work needs beyond its inputs and results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/work.h"

namespace floydnet::bench {

/// Runs the work once and gives, in MB, the growth of resident memory at its peak less the bytes of
/// what it returned. For a process of its own: what was freed before would hide what is needed.
double extra_megabytes(const Work& work);

/// Gives freed memory back to the system, so that it is not taken for memory in use.
void release_freed_memory();

/// Runs this program again with these arguments and reads the number that it prints; nothing if it
/// fails, for example for want of memory.
std::optional<double> number_from_child(const std::vector<std::string>& arguments);

}  // namespace floydnet::bench
