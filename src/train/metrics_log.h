// What happens in a run, as it happens: metrics.jsonl, and TensorBoard's events if they are wanted.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "report/tensorboard.h"
#include "train/run_folder.h"
#include "train/task.h"

namespace floydnet::train {

/// Each line is on its way to the disk at once. What cannot be written is reported, once, to
/// `complain`, and training goes on.
class MetricsLog {
 public:
  using Complain = std::function<void(const std::string& problem)>;

  /// Of a run that goes on from `step`: lines of later steps, which will be written anew, are taken
  /// away.
  MetricsLog(const RunFolder& folder, int64_t step, const Goal& goal, bool tensorboard,
             Complain complain);
  ~MetricsLog();
  MetricsLog(const MetricsLog&) = delete;
  MetricsLog& operator=(const MetricsLog&) = delete;

  void note(int64_t step, double seconds, const std::string& text);
  void trained(int64_t step, double seconds, const Metrics& values);
  void evaluated(int64_t step, double seconds, const std::string& split, const Metrics& metrics);

 private:
  void add(const nlohmann::json& line);
  void add_events(int64_t step, const std::string& prefix, const Metrics& values);

  std::string path_;
  Complain complain_;
  std::FILE* file_;
  std::unique_ptr<EventWriter> events_;
};

/// As JSON; a number that is not finite, which JSON has not, becomes null.
nlohmann::json object_of(const Metrics& metrics);

}  // namespace floydnet::train
