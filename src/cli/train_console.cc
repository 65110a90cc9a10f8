#include "cli/train_console.h"

#include <fmt/format.h>

#include <algorithm>

namespace floydnet {
std::string clock_text(double seconds) {
  const auto total = static_cast<int64_t>(seconds);
  const int64_t hours = total / 3600, minutes = total / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, total % 60);
  return fmt::format("{}:{:02}", minutes, total % 60);
}

TrainConsole::TrainConsole(int64_t steps, std::string metric)
    : steps_(steps), metric_(std::move(metric)) {}

void TrainConsole::stepped(const train::StepReport& report) {
  if (!line_.due()) return;
  const std::string of = steps_ > 0 ? fmt::format("/{}", steps_) : "";
  line_.show(fmt::format("step {}{}  {:3.0f} %  loss {:.4g}  {:.0f} examples/s  {} left",
                         report.step, of, 100 * std::min(1.0, report.progress), report.loss,
                         report.examples_per_second,
                         clock_text(std::max(0.0, report.seconds_left))));
}

void TrainConsole::evaluated(const train::EvaluationReport& report) {
  for (const auto& [name, value] : report.metrics) {
    if (name != metric_) continue;
    line_.print(fmt::format("step {}  {} {} {:.5g}{}", report.step, report.split, name, value,
                            report.best ? "  best" : ""));
  }
}

void TrainConsole::noted(const std::string& text) { line_.print("floydnet: " + text); }

}  // namespace floydnet
