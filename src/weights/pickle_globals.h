// The names that a pickle may refer to.
#pragma once

#include <optional>
#include <string_view>

#include "weights/pickle.h"

namespace floydnet::pickle {

/// What "module.name" stands for; none if pickles of these options may not name it.
std::optional<Value> known_global(std::string_view full_name, const Options& options);

}  // namespace floydnet::pickle
