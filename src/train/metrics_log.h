// What happens in a run, as it happens: metrics.jsonl, and TensorBoard's events if they are wanted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "record/json_lines.h"
#include "record/run.h"
#include "report/tensorboard.h"
#include "train/run_folder.h"

namespace floydnet::train {

/// Each line is on its way to the disk at once. What cannot be written is reported, once, to
/// `complain`, and training goes on.
class MetricsLog {
 public:
  using Complain = std::function<void(const std::string& problem)>;

  /// Of a run that goes on from `step`: lines of later steps, which will be written anew, are taken
  /// away.
  MetricsLog(const RunFolder& folder, int64_t step, const record::Goal& goal, bool tensorboard,
             Complain complain);

  void add(const record::Note& note);
  void add(const record::TrainPoint& point);
  void add(const record::Evaluation& evaluation);

 private:
  void add_line(const nlohmann::json& line);
  void add_events(int64_t step, const std::string& prefix, const record::Metrics& values);
  void complain_once(const std::string& problem);

  Complain complain_;
  std::unique_ptr<record::JsonLines> lines_;
  std::unique_ptr<EventWriter> events_;
};

}  // namespace floydnet::train
