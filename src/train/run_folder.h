// A run on disk: config.json, metrics.jsonl, results.json, best.safetensors, checkpoints/.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "floydnet/train.h"

namespace floydnet::train {

class RunFolder {
 public:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string config_file() const { return file("config.json"); }
  std::string best_file() const { return file("best.safetensors"); }
  std::string checkpoints() const { return file("checkpoints"); }

  /// Makes the folder for a new run; InputError if it holds a run already or cannot be made.
  void create(const nlohmann::json& config) const;
  void write_json(const std::string& name, const nlohmann::json& value) const;
  nlohmann::json read_config() const;

 private:
  std::string path_;
};

/// Keeps other processes from writing to the same run, for as long as it lives.
class RunLock {
 public:
  /// Throws InputError if another process holds it.
  explicit RunLock(const RunFolder& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_;
};

/// Where weights of a run are, and how it was configured, without its task.
struct RunWeights {
  std::string file;
  nlohmann::json config;
};
/// The best weights of a run, by its folder, or a file of them. InputError if they are of another
/// task.
RunWeights find_run_weights(const std::string& path, const std::string& task);

/// Weights with the configuration of their run, for `floydnet eval`; atomic.
void save_weights(torch::nn::Module& model, const std::map<std::string, std::string>& metadata,
                  const std::string& path);

}  // namespace floydnet::train
