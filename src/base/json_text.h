// JSON as text, whatever bytes its strings have.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace floydnet {

/// Names of files need not be UTF-8, but JSON must be: other bytes become U+FFFD. Without `indent`
/// all is on one line.
inline std::string json_text(const nlohmann::json& json, int indent = -1) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace);
}

}  // namespace floydnet
