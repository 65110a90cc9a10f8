// Being asked to stop.
#pragma once

namespace floydnet::train {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP is remembered, and a second one ends the
/// process at once; what the process was started to ignore, as nohup does, stays ignored. A pipe
/// that nobody reads any more is no reason to stop: SIGPIPE is ignored. One at a time.
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
