// Lists of numbers as people write them: 0-59,110.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace floydnet {

/// Sorted, each once. Throws InputError, which begins with `what`, unless all are within `limits`.
std::vector<int64_t> parse_ranges(const std::string& text, std::pair<int64_t, int64_t> limits,
                                  const std::string& what);

}  // namespace floydnet
