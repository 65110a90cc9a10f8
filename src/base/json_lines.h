// Files that grow by a JSON value a line, and survive being cut off while a line is written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace floydnet {

/// The values of all lines; none if there is no file. A last line without its end, which was being
/// written when the process was interrupted, is removed from the file. Throws InputError with the
/// line for any other that is no JSON object.
std::vector<nlohmann::json> read_json_lines(const std::string& path);

/// Throws InputError if it cannot be written.
void append_json_line(const std::string& path, const nlohmann::json& value);

}  // namespace floydnet
