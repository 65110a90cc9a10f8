#include "base/options_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "floydnet/error.h"

namespace floydnet {

void keep_options(const std::string& folder, const nlohmann::json& options) {
  constexpr uint64_t kMaxOptionsBytes = 1 << 20;
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (!std::filesystem::is_directory(folder)) {
    throw InputError::in(folder, "not a folder, and none can be made there");
  }
  const std::string path = folder + "/options.json";
  if (!std::filesystem::exists(path)) write_file_atomically(path, options.dump(2) + "\n");
  const auto found = nlohmann::json::parse(read_file(path, kMaxOptionsBytes), nullptr, false);
  if (!found.is_object()) throw InputError::in(path, "not a JSON object");
  for (const auto& [key, value] : options.items()) {
    const nlohmann::json other = found.value(key, nlohmann::json());
    if (other != value) {
      throw InputError::in(folder, fmt::format("holds results with {} = {}, not {}; give the same "
                                               "options or another folder",
                                               key, other.dump(), value.dump()));
    }
  }
}

}  // namespace floydnet
