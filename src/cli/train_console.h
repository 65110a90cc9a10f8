// What a training run shows to whoever waits for it.
#pragma once

#include <string>

#include "console/status_line.h"
#include "train/trainer.h"

namespace floydnet {

/// On a terminal one line that is kept up to date, and a line for each evaluation; elsewhere plain
/// lines, one each half minute at most besides evaluations.
class TrainConsole final : public train::Observer {
 public:
  TrainConsole(int64_t steps, std::string metric);

  void stepped(const train::StepReport& report) override;
  void evaluated(const train::EvaluationReport& report) override;
  void noted(const std::string& text) override;

 private:
  int64_t steps_;
  std::string metric_;
  StatusLine line_;
};

/// "1:05", "2:03:10".
std::string clock_text(double seconds);

}  // namespace floydnet
