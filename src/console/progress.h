// How far a long command has come.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "console/status_line.h"

namespace floydnet {

/// Counts up. Work that ends within a second shows nothing on a terminal, and within half a minute
/// nothing elsewhere.
class Progress {
 public:
  /// `what` is plural: "pairs".
  Progress(std::string what, int64_t total);

  void show(int64_t done) { show(done, 0); }
  /// The same with an estimate of the time left; `work` is the part, 0 to 1, of the work done.
  void show(int64_t done, double work);

 private:
  std::string what_;
  int64_t total_;
  std::chrono::steady_clock::time_point start_;
  StatusLine line_;
};

}  // namespace floydnet
