#include "cli/train_console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/stderr.h"

namespace floydnet {
namespace {

constexpr std::chrono::milliseconds kTerminalPause{200};
constexpr std::chrono::seconds kPlainPause{30};

}  // namespace

std::string clock_text(double seconds) {
  const auto total = static_cast<int64_t>(seconds);
  const int64_t hours = total / 3600, minutes = total / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, total % 60);
  return fmt::format("{}:{:02}", minutes, total % 60);
}

TrainConsole::TrainConsole(int64_t steps, std::string metric)
    : steps_(steps), metric_(std::move(metric)), terminal_(::isatty(STDERR_FILENO) == 1) {}

TrainConsole::~TrainConsole() { wipe(); }

void TrainConsole::wipe() {
  if (terminal_ && shown_) say("\r\033[K");
  shown_ = false;
}

void TrainConsole::stepped(const train::StepReport& report) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < (terminal_ ? std::chrono::milliseconds(kTerminalPause) : kPlainPause)) return;
  last_ = now;
  const std::string of = steps_ > 0 ? fmt::format("/{}", steps_) : "";
  const std::string line =
      fmt::format("step {}{}  {:3.0f} %  loss {:.4g}  {:.0f} examples/s  {} left", report.step, of,
                  100 * std::min(1.0, report.progress), report.loss, report.examples_per_second,
                  clock_text(std::max(0.0, report.seconds_left)));
  say(terminal_ ? "\r\033[K" + line : line + "\n");
  shown_ = true;
}

void TrainConsole::evaluated(const train::EvaluationReport& report) {
  wipe();
  for (const auto& [name, value] : report.metrics) {
    if (name != metric_) continue;
    say(fmt::format("step {}  {} {} {:.5g}{}\n", report.step, report.split, name, value,
                    report.best ? "  best" : ""));
  }
}

void TrainConsole::noted(const std::string& text) {
  wipe();
  say(fmt::format("floydnet: {}\n", text));
}

}  // namespace floydnet
