// What the readers and writers of weights share: types by name and sizes that cannot overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/shape.h"
#include "floydnet/weights.h"

namespace floydnet {

/// The type that safetensors spells so.
std::optional<DType> dtype_named(std::string_view name);

/// nullopt if a size is negative or the product overflows.
std::optional<int64_t> byte_size(DType type, const std::vector<int64_t>& shape);

}  // namespace floydnet
