// Being asked to stop.
#pragma once

namespace floydnet::train {

/// While it lives, the first SIGINT or SIGTERM is remembered, and a second one ends the process at
/// once. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The signal that came, or 0.
  int received() const;
};

}  // namespace floydnet::train
