// Whether the other ranks are alive.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace floydnet::train {

/// Every second a thread puts down, in the store that all ranks share, how many exchanges this rank
/// has begun: its beat. Whoever waits in vain can tell by the beats who is missing. The thread
/// alone talks to the store, since an answer may never come.
class Watch {
 public:
  /// `keeper` names whoever keeps the store: "rank 0".
  Watch(c10::intrusive_ptr<c10d::Store> store, int64_t rank, int64_t size, std::string keeper);
  /// Leaves the thread to itself if it is stuck.
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void exchange_begins();

  /// Looks at the beats of the others from now on.
  void look();
  void look_away();

  /// Why this rank should stop, if it should: another has said so, or someone has given no sign of
  /// life for as long as `limit`.
  std::optional<std::string> trouble(std::chrono::milliseconds limit) const;
  /// Those whose beats go on, but who have begun fewer exchanges; empty if there are none.
  std::string laggards() const;

  /// Tells the others why this rank stops, so that all of them say the same.
  void announce(const std::string& reason);

  /// Where in the store that is told.
  static constexpr const char* kVerdictKey = "verdict";

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace floydnet::train
