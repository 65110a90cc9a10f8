// Everything that a run needs to resume, in one file that is there whole or not at all.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "model/tensors.h"

namespace floydnet::train {

struct Checkpoint {
  int64_t step = 0;
  /// Numbers and texts; tensors by name ("model/blocks.0.qkv.weight", "mean/...").
  nlohmann::json state;
  Tensors tensors;
};

/// Files step-00000200.safetensors in a folder; the newest few are kept.
class CheckpointFolder {
 public:
  CheckpointFolder(std::string path, int64_t keep) : path_(std::move(path)), keep_(keep) {}

  /// Throws InputError if it cannot be written, with all earlier ones in place.
  void save(const Checkpoint& checkpoint) const;
  /// The newest, or nothing if there is none. One that is damaged is passed over for the one before
  /// it, with its name added to `damaged`; if all are, that is an InputError.
  std::optional<Checkpoint> load_newest(std::vector<std::string>* damaged) const;

 private:
  std::map<int64_t, std::string> files() const;

  std::string path_;
  int64_t keep_;
};

}  // namespace floydnet::train
