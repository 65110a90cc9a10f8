// A line on standard error that says how far something has come.
#pragma once

#include <chrono>
#include <string>

namespace floydnet {

/// On a terminal one line that is written over and wiped at the end; elsewhere a plain line now and
/// then.
class StatusLine {
 public:
  /// A second on a terminal, half a minute elsewhere: work that ends sooner need show nothing.
  static std::chrono::milliseconds usual_patience();

  /// Nothing is shown before `patience` has passed.
  explicit StatusLine(std::chrono::milliseconds patience = {});
  ~StatusLine() { wipe(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool on_terminal() const { return terminal_; }
  /// Whether it is time to show something new.
  bool due() const;
  void show(const std::string& text);
  /// A line that stays.
  void print(const std::string& text);
  void wipe();

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace floydnet
