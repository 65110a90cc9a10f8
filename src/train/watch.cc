#include "train/watch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace floydnet::train {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kBeat{1000};
/// For the thread to end, or to say what it was given to say.
constexpr milliseconds kFarewell{2000};

std::string beat_key(int64_t rank) { return fmt::format("beat/{}", rank); }

std::vector<uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

}  // namespace

/// Shared with the thread, which may outlive the Watch.
struct Watch::State {
  struct Peer {
    std::string beat;
    int64_t exchanges = 0;
    steady_clock::time_point changed;
  };

  c10::intrusive_ptr<c10d::Store> store;
  int64_t rank;
  int64_t size;
  std::string keeper;

  std::mutex mutex;
  std::condition_variable changed;
  int64_t exchanges = 0;
  bool looking = false;
  std::vector<Peer> peers;
  steady_clock::time_point answered = steady_clock::now();  // by the store
  bool lost = false;                                        // the connection to it
  std::string verdict;                                      // of another rank
  std::string announcement;                                 // to be made
  bool announced = false;
  bool stop = false;
  bool ended = false;

  void run();
  void beat_once(int64_t count);
  void hear_verdict();
  void read_beats();
  std::string text_at(const std::string& key) {
    const std::vector<uint8_t> bytes = store->get(key);
    return {bytes.begin(), bytes.end()};
  }
};

void Watch::State::run() {
  for (int64_t count = 0;; ++count) {
    try {
      beat_once(count);
    } catch (const std::exception&) {
      const std::lock_guard lock(mutex);
      lost = ended = true;
      changed.notify_all();
      return;
    }
    std::unique_lock lock(mutex);
    changed.wait_for(lock, kBeat, [this] { return stop || (!announcement.empty() && !announced); });
    if (!stop) continue;
    ended = true;
    changed.notify_all();
    return;
  }
}

void Watch::State::beat_once(int64_t count) {
  std::unique_lock lock(mutex);
  const std::string beat = fmt::format("{} {}", exchanges, count);
  const std::string to_say = announced ? "" : announcement;
  const bool reads = looking;
  lock.unlock();
  store->set(beat_key(rank), bytes_of(beat));
  if (!to_say.empty()) store->set(kVerdictKey, bytes_of(to_say));
  hear_verdict();
  lock.lock();
  answered = steady_clock::now();
  if (!to_say.empty()) announced = true;
  changed.notify_all();
  lock.unlock();
  if (reads) read_beats();
}

void Watch::State::hear_verdict() {
  if (!store->check({kVerdictKey})) return;
  const std::string text = text_at(kVerdictKey);
  const std::lock_guard lock(mutex);
  if (announcement.empty()) verdict = text;
}

void Watch::State::read_beats() {
  for (int64_t other = 0; other < size; ++other) {
    if (other == rank || !store->check({beat_key(other)})) continue;
    const std::string text = text_at(beat_key(other));
    const std::lock_guard lock(mutex);
    Peer& peer = peers[static_cast<size_t>(other)];
    if (text == peer.beat) continue;
    // The first one may be as old as the run: only the next tells that the rank is alive.
    if (!peer.beat.empty()) peer.changed = steady_clock::now();
    peer.beat = text;
    peer.exchanges = std::strtoll(text.c_str(), nullptr, 10);
  }
}

Watch::Watch(c10::intrusive_ptr<c10d::Store> store, int64_t rank, int64_t size, std::string keeper)
    : state_(std::make_shared<State>()) {
  state_->store = std::move(store);
  state_->rank = rank;
  state_->size = size;
  state_->keeper = std::move(keeper);
  state_->peers.resize(static_cast<size_t>(size));
  std::thread([state = state_] { state->run(); }).detach();
}

Watch::~Watch() {
  std::unique_lock lock(state_->mutex);
  state_->stop = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, kFarewell, [this] { return state_->ended; });
}

void Watch::exchange_begins() {
  const std::lock_guard lock(state_->mutex);
  ++state_->exchanges;
}

void Watch::look() {
  const std::lock_guard lock(state_->mutex);
  state_->looking = true;
  for (State::Peer& peer : state_->peers) peer = {"", 0, steady_clock::now()};
}

void Watch::look_away() {
  const std::lock_guard lock(state_->mutex);
  state_->looking = false;
}

std::optional<std::string> Watch::trouble(milliseconds limit) const {
  const std::lock_guard lock(state_->mutex);
  const auto now = steady_clock::now();
  if (!state_->verdict.empty()) return state_->verdict;
  if (state_->lost) return fmt::format("{}, which keeps the store, is gone", state_->keeper);
  if (now - state_->answered > limit) {
    return fmt::format("{}, which keeps the store, is gone or cut off", state_->keeper);
  }
  std::vector<std::string> silent;
  for (int64_t other = 0; state_->looking && other < state_->size; ++other) {
    const State::Peer& peer = state_->peers[static_cast<size_t>(other)];
    if (other != state_->rank && now - peer.changed > limit) {
      silent.push_back(std::to_string(other));
    }
  }
  if (silent.empty()) return std::nullopt;
  return fmt::format("rank {} is gone or cut off", fmt::join(silent, ", "));
}

std::string Watch::laggards() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> behind;
  for (int64_t other = 0; other < state_->size; ++other) {
    const State::Peer& peer = state_->peers[static_cast<size_t>(other)];
    if (other == state_->rank || peer.beat.empty()) continue;
    if (peer.exchanges < state_->exchanges) behind.push_back(std::to_string(other));
  }
  return fmt::format("{}", fmt::join(behind, ", "));
}

void Watch::announce(const std::string& reason) {
  std::unique_lock lock(state_->mutex);
  state_->announcement = reason;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, kFarewell, [this] { return state_->announced || state_->ended; });
}

}  // namespace floydnet::train
