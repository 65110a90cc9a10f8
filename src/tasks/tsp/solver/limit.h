// When a solver has to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>

#include "base/stopwatch.h"

namespace floydnet::tsp {

class Limit {
 public:
  Limit(double seconds, const std::atomic<bool>* stop) : seconds_(seconds), stop_(stop) {}

  double elapsed() const { return seconds_since(start_); }
  double left() const { return seconds_ - elapsed(); }
  const std::atomic<bool>* stop() const { return stop_; }
  bool stopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }
  bool reached() const {
    return stopped() ||
           (seconds_ < std::numeric_limits<double>::infinity() && elapsed() >= seconds_);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seconds_;
  const std::atomic<bool>* stop_;
};

}  // namespace floydnet::tsp
