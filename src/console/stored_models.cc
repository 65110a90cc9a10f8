#include "console/stored_models.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "floydnet/error.h"

namespace floydnet {
namespace {

namespace fs = std::filesystem;

std::string file_of(const std::string& task, const std::string& name) {
  return fmt::format("{}/{}/{}.safetensors", models_folder(), task, name);
}

}  // namespace

std::string models_folder() {
  if (const char* given = std::getenv("FLOYDNET_MODELS")) return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = program.parent_path().parent_path() / "share/floydnet/models";
    if (fs::is_directory(installed, error)) return installed.string();
  }
  return FLOYDNET_SOURCE_DIR "/models";
}

bool has_stored_model(const std::string& task, const std::string& name) {
  std::error_code ignored;
  return fs::is_regular_file(file_of(task, name), ignored);
}

std::string stored_model(const std::string& task, const std::string& name) {
  if (has_stored_model(task, name)) return file_of(task, name);
  throw InputError::in(file_of(task, name),
                       fmt::format("no such file: {} has no stored weights; train a run, and "
                                   "evaluate its folder",
                                   name));
}

}  // namespace floydnet
