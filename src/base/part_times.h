// Where the time of a computation goes, by parts that are marked in the code. Marks cost next to
// nothing while nobody measures.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace floydnet {

/// Marks a part from here to the end of the scope. Time in a part within it, on the same thread,
/// counts for that part alone.
class TimedPart {
 public:
  /// `name` must outlive the measurement.
  explicit TimedPart(const char* name);
  ~TimedPart();
  TimedPart(const TimedPart&) = delete;
  TimedPart& operator=(const TimedPart&) = delete;

 private:
  const char* name_ = nullptr;  // null: nobody measures
  TimedPart* outer_ = nullptr;
  std::chrono::steady_clock::time_point start_;
  double inner_seconds_ = 0;
};

/// From here on, time is added up.
void start_part_times();
/// Seconds of each part that ended since, on all threads together.
std::map<std::string, double> stop_part_times();

}  // namespace floydnet
