#include "train/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
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
    throw InputError::in(path_, fmt::format("holds a run already; go on with it by --resume {}, or "
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

namespace {

/// The text up to the first line that is damaged or of a later step.
std::string lines_until(const std::string& text, int64_t step) {
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (!line.is_object() || line.value("step", int64_t{0}) > step) break;
    begin = end + 1;
  }
  return text.substr(0, begin);
}

}  // namespace

MetricsLog::MetricsLog(const std::string& path, int64_t step) {
  if (fs::exists(path)) {
    const std::string text = read_file(path);
    const std::string kept = lines_until(text, step);
    if (kept.size() < text.size()) write_file_atomically(path, kept);
  }
  file_ = std::fopen(path.c_str(), "ae");
  if (file_ == nullptr) throw InputError::in(path, std::strerror(errno));
}

MetricsLog::~MetricsLog() { std::fclose(file_); }

bool MetricsLog::add(const Json& line) {
  const std::string text = line.dump() + "\n";
  const bool written = std::fwrite(text.data(), 1, text.size(), file_) == text.size() &&
                       std::fflush(file_) == 0;
  if (!written) std::clearerr(file_);
  return written;
}

void save_weights(torch::nn::Module& model, const std::map<std::string, std::string>& metadata,
                  const std::string& path) {
  TensorFile file;
  for (const auto& [name, value] : state_of(model)) file.tensors[name] = to_stored(value);
  file.metadata = metadata;
  write_safetensors(path, file);
}

void load_weights(torch::nn::Module& model, const std::string& path) {
  std::map<std::string, torch::Tensor> tensors;
  for (const auto& [name, stored] : read_safetensors(path).tensors) {
    tensors[name] = to_torch(stored);
  }
  set_parameters(model, tensors, path);
}

}  // namespace floydnet::train
