// Shapes of arrays from files: sizes that cannot overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace floydnet {

/// The product of the sizes; nullopt if one is negative or the product overflows. As in NumPy, a
/// size of zero does not excuse others whose product does not fit.
std::optional<int64_t> count_elements(const std::vector<int64_t>& shape);

/// "[2, 3]".
std::string shape_text(const std::vector<int64_t>& shape);

}  // namespace floydnet
