#include "train/rendezvous.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <future>
#include <mutex>
#include <numeric>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <vector>

#include "base/text.h"
#include "floydnet/error.h"
#include "train/route.h"
#include "train/watch.h"

namespace floydnet::train {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// For all ranks to come to the store, and for all that joining takes.
constexpr seconds kComingPatience{40};
constexpr seconds kJoinPatience{55};
/// Whoever waits for others says so after this time, and again after each of the other.
constexpr seconds kFirstWord{5};
constexpr seconds kNextWord{15};
constexpr milliseconds kJoinPause{200};
/// Gloo's own limit is far behind ours, which can name the rank.
constexpr std::chrono::hours kGlooPatience{24};

const char* variable(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

int64_t number_in(const char* name, int64_t least, int64_t most) {
  const char* text = variable(name);
  if (text == nullptr) {
    throw InputError::in(name, "not set, but WORLD_SIZE is; 'floydnet launch' and torchrun set it");
  }
  const std::string_view view(text);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  if (error != std::errc() || end != view.data() + view.size() || value < least || value > most) {
    throw InputError::in(name, fmt::format("{} is not in {}..{}", in_quotes(view), least, most));
  }
  return value;
}

/// What joining is at, told from one thread to another.
class Stage {
 public:
  void set(std::string text) {
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
  }
  std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

std::string text_of(const Place& place) { return fmt::format("{}:{}", place.master, place.port); }

std::string address_key(int64_t rank) { return fmt::format("address/{}", rank); }

std::string text_in(c10d::Store& store, const std::string& key) {
  const std::vector<uint8_t> bytes = store.get(key);
  return {bytes.begin(), bytes.end()};
}

void put(c10d::Store& store, const std::string& key, const std::string& text) {
  store.set(key, std::vector<uint8_t>(text.begin(), text.end()));
}

/// So that the others need not wait; the store may be gone as well.
void announce_failure(c10d::Store& store, int64_t rank) {
  try {
    put(store, Watch::kVerdictKey, fmt::format("rank {} cannot join", rank));
  } catch (const std::exception&) {
    // What went wrong first is what is reported.
  }
}

c10::intrusive_ptr<c10d::Store> open_store(const Place& place) {
  const char* restart = variable("TORCHELASTIC_RESTART_COUNT");
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(place.port);
  options.isServer = place.rank == 0 && !place.agent_store;
  options.timeout = kComingPatience;
  options.waitWorkers = false;
  auto server = c10::make_intrusive<c10d::TCPStore>(place.master, options);
  return c10::make_intrusive<c10d::PrefixStore>(
      fmt::format("floydnet/{}", restart == nullptr ? "0" : restart), server);
}

/// Until all ranks have put down their addresses.
std::vector<std::string> gather_addresses(const Place& place, c10d::Store& store, Stage& stage) {
  const auto limit = steady_clock::now() + kComingPatience;
  std::vector<std::string> addresses(static_cast<size_t>(place.size));
  std::vector<int64_t> missing(addresses.size());
  std::iota(missing.begin(), missing.end(), 0);
  while (true) {
    missing.erase(std::remove_if(missing.begin(), missing.end(),
                                 [&](int64_t rank) {
                                   if (!store.check({address_key(rank)})) return false;
                                   addresses[static_cast<size_t>(rank)] =
                                       text_in(store, address_key(rank));
                                   return true;
                                 }),
                  missing.end());
    if (missing.empty()) return addresses;
    if (store.check({Watch::kVerdictKey})) {
      throw std::runtime_error(text_in(store, Watch::kVerdictKey));
    }
    const std::string who = fmt::format("rank {}", fmt::join(missing, ", "));
    if (steady_clock::now() > limit) {
      throw std::runtime_error(
          fmt::format("{} did not come within {} s", who, kComingPatience.count()));
    }
    stage.set(fmt::format("waiting for {}", who));
    std::this_thread::sleep_for(kJoinPause);
  }
}

/// The address at which this rank can be reached: that by which it reaches the master. Where that
/// is this machine itself, perhaps under a name that stands for the loopback, it is the address by
/// which it reaches a rank elsewhere.
std::string own_address(const Place& place, c10d::Store& store, Stage& stage) {
  std::string own = address_towards(place.master, place.port);
  put(store, address_key(place.rank), own);
  const std::vector<std::string> addresses = gather_addresses(place, store, stage);
  if (!is_loopback(own)) return own;
  const auto elsewhere = std::find_if(
      addresses.begin(), addresses.end(),
      [](const std::string& address) { return !address.empty() && !is_loopback(address); });
  return elsewhere == addresses.end() ? own : address_towards(*elsewhere, place.port);
}

Joined join_group(const Place& place, Stage& stage) {
  Joined joined;
  stage.set(fmt::format("looking for {} at {}", place.keeper(), text_of(place)));
  joined.store = open_store(place);
  try {
    auto options = c10d::ProcessGroupGloo::Options::create(kGlooPatience);
    const char* interface = variable("GLOO_SOCKET_IFNAME");
    std::string own;
    if (interface != nullptr) {
      options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface(interface));
      put(*joined.store, address_key(place.rank), "");
      gather_addresses(place, *joined.store, stage);
      own = interface;
    } else {
      own = own_address(place, *joined.store, stage);
      options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(own));
    }
    stage.set(fmt::format("connecting from {} to the other ranks", own));
    joined.gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(
        joined.store, static_cast<int>(place.rank), static_cast<int>(place.size), options);
  } catch (const std::exception& error) {
    announce_failure(*joined.store, place.rank);
    throw;
  }
  return joined;
}

}  // namespace

Place Place::from_environment() {
  Place place;
  if (variable("WORLD_SIZE") == nullptr) return place;
  place.size = number_in("WORLD_SIZE", 1, 1 << 20);
  if (place.size == 1) return place;
  place.rank = number_in("RANK", 0, place.size - 1);
  const char* master = variable("MASTER_ADDR");
  if (master == nullptr) {
    throw InputError::in("MASTER_ADDR", "not set: the address of the machine of rank 0");
  }
  place.master = master;
  place.port = number_in("MASTER_PORT", 1, 65535);
  const char* agent = variable("TORCHELASTIC_USE_AGENT_STORE");
  place.agent_store = agent != nullptr && std::string_view(agent) == "True";
  return place;
}

// Joins in a thread of its own, which is left behind if it does not come back: looking up names,
// the store and Gloo may all block for longer than anyone wants to wait.
Joined join_ranks(const Place& place, const Tell& tell) {
  const auto start = steady_clock::now();
  const auto stage = std::make_shared<Stage>();
  std::packaged_task<Joined()> task([place, stage] { return join_group(place, *stage); });
  std::future<Joined> joined = task.get_future();
  std::thread(std::move(task)).detach();
  const auto failure = [&](const std::string& reason) {
    return RankFailure(fmt::format("rank {} cannot join the {} ranks at {}: {}", place.rank,
                                   place.size, text_of(place), reason));
  };
  seconds next_word = kFirstWord;
  while (joined.wait_for(kJoinPause) != std::future_status::ready) {
    const auto waited = steady_clock::now() - start;
    if (waited > kJoinPatience) {
      throw failure(fmt::format("still {} after {} s", stage->text(), kJoinPatience.count()));
    }
    if (waited < next_word) continue;
    if (tell) tell(fmt::format("rank {} of {}: {}", place.rank, place.size, stage->text()));
    next_word += kNextWord;
  }
  try {
    return joined.get();
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    throw failure(fmt::format("{} ({})", reason.substr(0, reason.find('\n')), stage->text()));
  }
}

}  // namespace floydnet::train
