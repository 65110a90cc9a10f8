// Writing a set of samples as NPZ, with the keys and types of the official benchmark.
#pragma once

#include <string>

#include "tasks/clrs/data/arrays.h"

namespace floydnet::clrs {

/// "input/pos", "output/pi", "hint/pi_h", ..., "lengths". In bounded memory; the file appears whole
/// or not at all, and InputError says why.
ArraySummary write_npz(const Recipe& recipe, const std::string& path,
                       int64_t window_bytes = kDefaultWindowBytes, const Progress& progress = {});

}  // namespace floydnet::clrs
