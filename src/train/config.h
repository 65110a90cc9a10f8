// A run's configuration: defaults in code, then a JSON file, then settings such as model.depth=8.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/options.h"
#include "floydnet/model.h"

namespace floydnet::train {

enum class ScheduleKind { kCosine, kPlateau, kConstant };

/// How to train, whatever the task; docs/training.md explains each key.
struct TrainConfig {
  int64_t steps = 0;
  double minutes = 0;
  double cpu_minutes = 0;
  int64_t batch = 32;
  int64_t accumulate = 1;
  int64_t seed = 1;
  Precision precision = Precision::kFloat32;

  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.01;
  double clip = 1;
  ScheduleKind schedule = ScheduleKind::kCosine;
  int64_t warmup = 100;
  double final_fraction = 0.01;
  double plateau_factor = 0.5;
  int64_t plateau_patience = 5;
  double average = 0;

  int64_t evaluate_every = 200;
  int64_t checkpoint_every = 200;
  int64_t log_every = 10;
  int64_t keep = 2;
  int64_t patience = 0;
  int64_t bad_steps = 10;
  int64_t loaders = 1;
  int64_t prefetch = 4;
  bool tensorboard = false;

  /// The keys bound to this object's fields.
  OptionTable table();
  /// To be called when all has been read: a run without any limit gets kDefaultSteps. Throws
  /// InputError if fields contradict each other.
  void complete(const std::string& source);
  static constexpr int64_t kDefaultSteps = 2000;
};

/// Named sections, each read and written by whoever owns its fields.
class RunConfig {
 public:
  using Json = nlohmann::json;
  struct Section {
    std::string name;
    /// Sets what the object names and leaves the rest; throws InputError naming the source.
    std::function<void(const Json& object, const std::string& source)> read;
    std::function<Json()> write;
  };

  void add(Section section) { sections_.push_back(std::move(section)); }
  void add(const std::string& name, const OptionTable& table);

  /// {"train": {...}, "model": {...}}: unknown sections are refused, absent ones keep their values.
  void read(const Json& object, const std::string& source);
  /// "model.depth=8": the value is JSON, or a text if it is none.
  void set(const std::string& setting);
  /// The same for "model.depth" and "8"; `source` says where they come from.
  void set(const std::string& key, const std::string& text, const std::string& source);
  Json write() const;

 private:
  std::vector<Section> sections_;
};

/// A JSON object from a file; InputError if it is something else.
nlohmann::json read_json_object(const std::string& path);

}  // namespace floydnet::train
