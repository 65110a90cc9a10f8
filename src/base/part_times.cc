#include "base/part_times.h"

#include <atomic>
#include <mutex>

#include "base/stopwatch.h"

namespace floydnet {
namespace {

std::atomic<bool> measures{false};
std::mutex mutex;
std::map<std::string, double> seconds;  // guarded by mutex
thread_local TimedPart* innermost = nullptr;

}  // namespace

TimedPart::TimedPart(const char* name) {
  if (!measures.load(std::memory_order_relaxed)) return;
  name_ = name;
  outer_ = innermost;
  innermost = this;
  start_ = std::chrono::steady_clock::now();
}

TimedPart::~TimedPart() {
  if (!name_) return;
  const double all = seconds_since(start_);
  innermost = outer_;
  if (outer_) outer_->inner_seconds_ += all;
  const std::lock_guard<std::mutex> lock(mutex);
  if (measures) seconds[name_] += all - inner_seconds_;
}

void start_part_times() {
  const std::lock_guard<std::mutex> lock(mutex);
  seconds.clear();
  measures = true;
}

std::map<std::string, double> stop_part_times() {
  const std::lock_guard<std::mutex> lock(mutex);
  measures = false;
  return std::move(seconds);
}

}  // namespace floydnet
