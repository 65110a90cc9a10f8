// The options that a folder of results was made with.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace floydnet {

/// Makes the folder if need be, and writes an object of options to FOLDER/options.json, or compares
/// it with what is there. Throws InputError if the folder holds results of other options.
void keep_options(const std::string& folder, const nlohmann::json& options);

}  // namespace floydnet
