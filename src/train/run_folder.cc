#include "train/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "model/model_file.h"
#include "model/tensors.h"
#include "train/config.h"

namespace floydnet::train {

namespace fs = std::filesystem;
using Json = nlohmann::json;

void RunFolder::create(const Json& config) const {
  if (fs::exists(config_file())) {
    throw InputError::in(path_, fmt::format("holds a run already; resume it with --resume {}, or "
                                            "name another folder",
                                            path_));
  }
  std::error_code error;
  fs::create_directories(checkpoints(), error);
  if (error) throw InputError::in(path_, "cannot be made: " + error.message());
  write_json("config.json", config);
}

void RunFolder::write_json(const std::string& name, const Json& value) const {
  write_file_atomically(file(name), value.dump(2) + "\n");
}

Json RunFolder::read_config() const {
  if (!fs::exists(config_file())) {
    throw InputError::in(path_, "not a run: it has no config.json");
  }
  return read_json_object(config_file());
}

RunLock::RunLock(const RunFolder& folder)
    : descriptor_(::open(folder.file(".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) {
    throw InputError::in(folder.path(), fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor_);
    throw InputError::in(folder.path(), "another process is training this run");
  }
}

RunLock::~RunLock() { ::close(descriptor_); }

RunWeights find_run_weights(const std::string& path, const std::string& task) {
  RunWeights found;
  found.file = fs::is_directory(path) ? RunFolder(path).best_file() : path;
  const std::map<std::string, std::string> metadata = read_safetensors(found.file).metadata;
  const auto run = metadata.find("floydnet.run");
  if (run == metadata.end()) {
    throw InputError::in(found.file, "its metadata has no \"floydnet.run\": not weights of a run");
  }
  found.config = Json::parse(run->second, nullptr, /*allow_exceptions=*/false);
  if (!found.config.is_object() || found.config.value("task", Json()) != task) {
    throw InputError::in(found.file, fmt::format("not weights of a run of '{}'", task));
  }
  found.config.erase("task");
  return found;
}

void save_weights(torch::nn::Module& model, const std::map<std::string, std::string>& metadata,
                  const std::string& path) {
  TensorFile file;
  file.tensors = to_stored(state_of(model));
  file.metadata = metadata;
  write_safetensors(path, file);
}

void load_weights(torch::nn::Module& model, const std::string& path) {
  set_parameters(model, to_torch(read_safetensors(path).tensors), path);
}

}  // namespace floydnet::train
