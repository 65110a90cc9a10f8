// What a training run shows to whoever waits for it.
#pragma once

#include <chrono>
#include <string>

#include "train/trainer.h"

namespace floydnet {

/// On a terminal one line that is kept up to date, and a line for each evaluation; elsewhere plain
/// lines, one each half minute at most besides evaluations.
class TrainConsole final : public train::Observer {
 public:
  TrainConsole(int64_t steps, std::string metric);
  ~TrainConsole() override;

  void stepped(const train::StepReport& report) override;
  void evaluated(const train::EvaluationReport& report) override;
  void noted(const std::string& text) override;

 private:
  void wipe();

  int64_t steps_;
  std::string metric_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// "1:05", "2:03:10".
std::string clock_text(double seconds);

}  // namespace floydnet
