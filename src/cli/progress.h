// How far a long command has come, on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace floydnet {

/// On a terminal one line that counts up and is wiped at the end; elsewhere a plain line now and
/// then. Work that ends within a second shows nothing.
class Progress {
 public:
  /// `what` is plural: "pairs".
  Progress(std::string what, int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(int64_t done);
  /// The same with an estimate of the time left; `work` is the part, 0 to 1, of the work done.
  void show(int64_t done, double work);

 private:
  std::string what_;
  int64_t total_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace floydnet
