#include "train/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <vector>

#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet::train {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr seconds kJoinPatience{60};
constexpr milliseconds kBeat{1000};
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

std::shared_ptr<gloo::transport::Device> make_device(const std::string& master) {
  if (const char* interface = variable("GLOO_SOCKET_IFNAME")) {
    return c10d::ProcessGroupGloo::createDeviceForInterface(interface);
  }
  const bool local = master == "localhost" || master.rfind("127.", 0) == 0;
  return local ? c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1")
               : c10d::ProcessGroupGloo::createDefaultDevice();
}

std::string beat_key(int64_t rank) { return fmt::format("beat/{}", rank); }

}  // namespace

/// The process group, and beside it a beat: every second a thread puts down, in the store, how many
/// exchanges its rank has begun. Whoever waits in vain can tell by it who is missing.
class World::Group {
 public:
  Group(int64_t rank, int64_t size, const std::string& master, int64_t port);
  ~Group();

  c10::intrusive_ptr<c10d::Work> start(const torch::Tensor& tensor);
  void wait(c10d::Work& work);

 private:
  struct Beat {
    bool answered = false;
    int64_t exchanges = 0;
    std::string text;
  };
  void beat();
  Beat beat_of(int64_t rank);
  std::string missing();
  [[noreturn]] void fail(const std::string& problem);

  int64_t rank_;
  int64_t size_;
  c10::intrusive_ptr<c10d::Store> store_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo_;
  std::atomic<int64_t> exchanges_{0};
  steady_clock::time_point last_exchange_ = steady_clock::now();
  steady_clock::duration own_time_{};
  bool failed_ = false;

  std::mutex mutex_;
  std::condition_variable stop_changed_;
  bool stop_ = false;
  std::thread beating_;
};

World::Group::Group(int64_t rank, int64_t size, const std::string& master, int64_t port)
    : rank_(rank), size_(size) {
  // torchrun keeps a store of its own at this port.
  const char* agent = variable("TORCHELASTIC_USE_AGENT_STORE");
  const char* restart = variable("TORCHELASTIC_RESTART_COUNT");
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(port);
  options.isServer = rank == 0 && (agent == nullptr || std::string_view(agent) != "True");
  options.timeout = kJoinPatience;
  options.waitWorkers = false;
  try {
    auto server = c10::make_intrusive<c10d::TCPStore>(master, options);
    store_ = c10::make_intrusive<c10d::PrefixStore>(
        fmt::format("floydnet/{}", restart == nullptr ? "0" : restart), server);
    auto gloo = c10d::ProcessGroupGloo::Options::create(kGlooPatience);
    gloo->devices.push_back(make_device(master));
    store_->setTimeout(kJoinPatience);
    gloo_ = c10::make_intrusive<c10d::ProcessGroupGloo>(store_, static_cast<int>(rank),
                                                        static_cast<int>(size), gloo);
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    throw RankFailure(fmt::format("rank {} cannot join the {} ranks at {}:{} ({})", rank, size,
                                  master, port, reason.substr(0, reason.find('\n'))));
  }
  beating_ = std::thread([this] { beat(); });
}

World::Group::~Group() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stop_changed_.notify_all();
  beating_.join();
  // After a failure an exchange may still be under way, and the group would wait for its end.
  if (failed_) gloo_.release();
}

void World::Group::beat() {
  std::unique_lock lock(mutex_);
  for (int64_t count = 0; !stop_; ++count) {
    lock.unlock();
    try {
      const std::string text = fmt::format("{} {}", exchanges_.load(), count);
      store_->set(beat_key(rank_), std::vector<uint8_t>(text.begin(), text.end()));
    } catch (const std::exception&) {
      return;  // The store is gone; an exchange will fail and say so.
    }
    lock.lock();
    stop_changed_.wait_for(lock, kBeat, [this] { return stop_; });
  }
}

World::Group::Beat World::Group::beat_of(int64_t rank) {
  Beat beat;
  try {
    if (!store_->check({beat_key(rank)})) return beat;
    const std::vector<uint8_t> bytes = store_->get(beat_key(rank));
    beat.text.assign(bytes.begin(), bytes.end());
    beat.exchanges = std::strtoll(beat.text.c_str(), nullptr, 10);
    beat.answered = true;
  } catch (const std::exception&) {
    // Without the store nothing can be known.
  }
  return beat;
}

std::string World::Group::missing() {
  std::vector<Beat> before;
  for (int64_t rank = 0; rank < size_; ++rank) before.push_back(beat_of(rank));
  std::this_thread::sleep_for(3 * kBeat);
  std::vector<std::string> gone, behind;
  for (int64_t rank = 0; rank < size_; ++rank) {
    if (rank == rank_) continue;
    const Beat now = beat_of(rank);
    if (!now.answered && rank == 0) return "rank 0, which keeps the store, is gone";
    if (!now.answered || now.text == before[static_cast<size_t>(rank)].text) {
      gone.push_back(std::to_string(rank));
    } else if (now.exchanges < exchanges_.load()) {
      behind.push_back(std::to_string(rank));
    }
  }
  if (!gone.empty()) return fmt::format("rank {} is gone", fmt::join(gone, ", "));
  if (!behind.empty()) return fmt::format("rank {} hangs", fmt::join(behind, ", "));
  return "no rank seems to be missing; the network may be";
}

void World::Group::fail(const std::string& problem) {
  failed_ = true;
  throw RankFailure(fmt::format("rank {} stops: {} ({})", rank_, missing(), problem));
}

c10::intrusive_ptr<c10d::Work> World::Group::start(const torch::Tensor& tensor) {
  own_time_ = steady_clock::now() - last_exchange_;
  ++exchanges_;
  std::vector<torch::Tensor> tensors{tensor};
  try {
    return gloo_->allreduce(tensors);
  } catch (const std::exception& error) {
    fail("an exchange could not be started");
  }
}

void World::Group::wait(c10d::Work& work) {
  const auto limit = std::chrono::duration_cast<milliseconds>(
      std::max<steady_clock::duration>(kPatience, 2 * own_time_));
  try {
    work.wait(limit);
  } catch (const std::exception& error) {
    const bool waited = std::string_view(error.what()).find("timed out") != std::string_view::npos;
    fail(waited ? fmt::format("no answer for {} s", limit.count() / 1000) : "connection lost");
  }
  last_exchange_ = steady_clock::now();
}

World::World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

World World::join() {
  World world;
  if (variable("WORLD_SIZE") == nullptr) return world;
  world.size_ = number_in("WORLD_SIZE", 1, 1 << 20);
  if (world.size_ == 1) return world;
  world.rank_ = number_in("RANK", 0, world.size_ - 1);
  const char* master = variable("MASTER_ADDR");
  if (master == nullptr) {
    throw InputError::in("MASTER_ADDR", "not set: the address of the machine of rank 0");
  }
  world.group_ =
      std::make_shared<Group>(world.rank_, world.size_, master, number_in("MASTER_PORT", 1, 65535));
  return world;
}

namespace {

class NothingPending final : public World::Pending {
 public:
  void wait() override {}
};

}  // namespace

std::unique_ptr<World::Pending> World::start_sum(const torch::Tensor& tensor) {
  if (alone()) return std::make_unique<NothingPending>();
  class GroupPending final : public Pending {
   public:
    GroupPending(std::shared_ptr<Group> group, const torch::Tensor& tensor)
        : group_(std::move(group)), work_(group_->start(tensor)) {}
    void wait() override { group_->wait(*work_); }

   private:
    std::shared_ptr<Group> group_;
    c10::intrusive_ptr<c10d::Work> work_;
  };
  return std::make_unique<GroupPending>(group_, tensor);
}

}  // namespace floydnet::train
