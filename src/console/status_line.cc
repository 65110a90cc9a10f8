#include "console/status_line.h"

#include <unistd.h>

#include "base/stderr.h"

namespace floydnet {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTerminalPause{100};
constexpr std::chrono::seconds kPlainPause{30};
constexpr const char* kWipe = "\r\033[K";

}  // namespace

std::chrono::milliseconds StatusLine::usual_patience() {
  return std::chrono::seconds(::isatty(STDERR_FILENO) == 1 ? 1 : 30);
}

StatusLine::StatusLine(std::chrono::milliseconds patience)
    : terminal_(::isatty(STDERR_FILENO) == 1), next_(steady_clock::now() + patience) {}

bool StatusLine::due() const { return steady_clock::now() >= next_; }

void StatusLine::show(const std::string& text) {
  if (terminal_) {
    next_ = steady_clock::now() + kTerminalPause;
    say(kWipe + text);
  } else {
    next_ = steady_clock::now() + kPlainPause;
    say(text + "\n");
  }
  shown_ = true;
}

void StatusLine::print(const std::string& text) {
  wipe();
  say(text + "\n");
}

void StatusLine::wipe() {
  if (terminal_ && shown_) say(kWipe);
  shown_ = false;
}

}  // namespace floydnet
