#include "console/progress.h"

#include <fmt/format.h>

#include <utility>

#include "base/stopwatch.h"

namespace floydnet {

Progress::Progress(std::string what, int64_t total)
    : what_(std::move(what)),
      total_(total),
      start_(std::chrono::steady_clock::now()),
      line_(StatusLine::usual_patience()) {}

void Progress::show(int64_t done, double work) {
  if (!line_.due()) return;
  const double seconds = seconds_since(start_);
  std::string text = fmt::format("floydnet: {} of {} {}, {:.0f} s", done, total_, what_, seconds);
  if (work > 0) text += fmt::format(", about {:.0f} s left", seconds * (1 - work) / work);
  line_.show(text);
}

}  // namespace floydnet
