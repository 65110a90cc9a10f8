// Looking up metrics, which floydnet/results.h declares.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "floydnet/results.h"

namespace floydnet::record {

/// Null if there is none.
template <typename Value>
const Value* find(const std::vector<std::pair<std::string, Value>>& items,
                  const std::string& name) {
  for (const auto& [key, value] : items) {
    if (key == name) return &value;
  }
  return nullptr;
}

}  // namespace floydnet::record
