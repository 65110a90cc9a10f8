#include "train/checkpoint.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "model/tensors.h"

namespace floydnet::train {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kPrefix = "step-";
constexpr std::string_view kSuffix = ".safetensors";
constexpr const char* kStepKey = "floydnet.step";
constexpr const char* kStateKey = "floydnet.state";

/// The step in a file's name, or -1 if it is no checkpoint's.
int64_t step_in(const std::string& name) {
  if (name.size() <= kPrefix.size() + kSuffix.size() || name.rfind(kPrefix, 0) != 0) return -1;
  const char* begin = name.data() + kPrefix.size();
  const char* end = name.data() + name.size() - kSuffix.size();
  int64_t step = -1;
  const auto [stop, error] = std::from_chars(begin, end, step);
  return error == std::errc() && stop == end && std::string_view(end) == kSuffix ? step : -1;
}

Checkpoint read_checkpoint(const std::string& path) {
  const TensorFile file = read_safetensors(path);
  if (!file.verified) throw InputError::in(path, "not a checkpoint: it has no checksum");
  Checkpoint checkpoint;
  try {
    checkpoint.step = nlohmann::json::parse(file.metadata.at(kStepKey)).get<int64_t>();
    checkpoint.state = nlohmann::json::parse(file.metadata.at(kStateKey));
  } catch (const std::exception&) {
    throw InputError::in(path, "not a checkpoint: its metadata lack the state of a run");
  }
  checkpoint.tensors = to_torch(file.tensors);
  return checkpoint;
}

}  // namespace

std::map<int64_t, std::string> CheckpointFolder::files() const {
  std::map<int64_t, std::string> found;
  std::error_code error;
  for (const auto& item : fs::directory_iterator(path_, error)) {
    const int64_t step = step_in(item.path().filename().string());
    if (step >= 0) found[step] = item.path().string();
  }
  return found;
}

void CheckpointFolder::save(const Checkpoint& checkpoint) const {
  std::error_code ignored;
  fs::create_directories(path_, ignored);
  TensorFile file;
  file.tensors = to_stored(checkpoint.tensors);
  file.metadata[kStepKey] = std::to_string(checkpoint.step);
  file.metadata[kStateKey] = checkpoint.state.dump();
  write_safetensors(fmt::format("{}/{}{:08}{}", path_, kPrefix, checkpoint.step, kSuffix), file);
  const auto all = files();
  auto excess = static_cast<int64_t>(all.size()) - keep_;
  for (auto it = all.begin(); excess > 0; ++it, --excess) fs::remove(it->second, ignored);
}

std::optional<Checkpoint> CheckpointFolder::load_newest(std::vector<std::string>* damaged) const {
  const auto all = files();
  for (auto it = all.rbegin(); it != all.rend(); ++it) {
    try {
      return read_checkpoint(it->second);
    } catch (const InputError& error) {
      if (std::next(it) == all.rend()) throw;
      damaged->push_back(error.what());
    }
  }
  return std::nullopt;
}

}  // namespace floydnet::train
