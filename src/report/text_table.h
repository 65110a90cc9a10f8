// A task's tables on the terminal.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace floydnet {

/// {"title", "columns", "rows"} as lines: the first column to the left, the others to the right.
/// Digits after the point are as many as the column's largest number needs; null is "-".
std::string text_table(const nlohmann::json& table);

}  // namespace floydnet
