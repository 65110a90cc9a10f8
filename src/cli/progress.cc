#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "base/stderr.h"

namespace floydnet {

Progress::Progress(std::string what, int64_t total)
    : what_(std::move(what)),
      total_(total),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (terminal_ && shown_) say("\r\033[K");
}

void Progress::show(int64_t done) { show(done, 0); }

void Progress::show(int64_t done, double work) {
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> pause(terminal_ ? (shown_ ? 0.1 : 1.0) : 30.0);
  if (now - last_ < pause) return;
  last_ = now;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string text = fmt::format("floydnet: {} of {} {}, {:.0f} s", done, total_, what_, seconds);
  if (work > 0) text += fmt::format(", about {:.0f} s left", seconds * (1 - work) / work);
  say(terminal_ ? "\r\033[K" + text : text + "\n");
}

}  // namespace floydnet
