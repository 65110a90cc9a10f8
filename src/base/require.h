// Misuse of the API.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace floydnet {

/// Throws std::invalid_argument, as misuse of the API does everywhere.
template <typename... Args>
void require(bool condition, fmt::format_string<Args...> message, Args&&... args) {
  if (!condition) throw std::invalid_argument(fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace floydnet
