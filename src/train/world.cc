#include "train/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <vector>

#include "train/rendezvous.h"
#include "train/watch.h"

namespace floydnet::train {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// How long an exchange may take before the other ranks are looked at.
constexpr seconds kGlance{2};
constexpr milliseconds kLookPause{250};
/// After a connection has been lost: silent for so long is gone, and so long it is looked for.
constexpr milliseconds kGoneAfter{3000};
constexpr milliseconds kSearch{6000};
/// For the others to hear from the store, before rank 0 ends and the store with it.
constexpr milliseconds kLinger{2500};
constexpr const char* kNobody = "no rank seems to be missing; the network may be";

}  // namespace

class World::Group {
 public:
  Group(const Place& place, const Tell& tell);
  ~Group();

  c10::intrusive_ptr<c10d::Work> start(const torch::Tensor& tensor);
  void wait(c10d::Work& work);

 private:
  bool finished(c10d::Work& work, milliseconds limit);
  [[noreturn]] void lost();
  [[noreturn]] void fail(const std::string& who, const std::string& problem);

  int64_t rank_;
  bool keeps_store_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo_;
  std::unique_ptr<Watch> watch_;
  steady_clock::time_point last_exchange_ = steady_clock::now();
  steady_clock::duration own_time_{};
  bool failed_ = false;
};

World::Group::Group(const Place& place, const Tell& tell)
    : rank_(place.rank), keeps_store_(place.rank == 0 && !place.agent_store) {
  Joined joined = join_ranks(place, tell);
  gloo_ = joined.gloo;
  watch_ = std::make_unique<Watch>(joined.store, place.rank, place.size, place.keeper());
}

World::Group::~Group() {
  // After a failure an exchange may still be under way, and the group would wait for its end.
  if (failed_) gloo_.release();
}

void World::Group::fail(const std::string& who, const std::string& problem) {
  failed_ = true;
  watch_->announce(who);
  if (keeps_store_) std::this_thread::sleep_for(kLinger);
  throw RankFailure(fmt::format("rank {} stops: {} ({})", rank_, who, problem));
}

/// A connection has broken: whose?
void World::Group::lost() {
  watch_->look();
  std::optional<std::string> who;
  const auto limit = steady_clock::now() + kSearch;
  while (!(who = watch_->trouble(kGoneAfter)) && steady_clock::now() < limit) {
    std::this_thread::sleep_for(kLookPause);
  }
  fail(who.value_or(kNobody), "connection lost");
}

c10::intrusive_ptr<c10d::Work> World::Group::start(const torch::Tensor& tensor) {
  own_time_ = steady_clock::now() - last_exchange_;
  watch_->exchange_begins();
  std::vector<torch::Tensor> tensors{tensor};
  try {
    return gloo_->allreduce(tensors);
  } catch (const std::exception& error) {
    lost();
  }
}

/// Whether it has ended well within the time; does not return if it has failed.
bool World::Group::finished(c10d::Work& work, milliseconds limit) {
  try {
    work.wait(limit);
    return true;
  } catch (const std::exception& error) {
    if (work.isCompleted()) lost();
    return false;
  }
}

void World::Group::wait(c10d::Work& work) {
  if (!finished(work, kGlance)) {
    // A little longer than for a sign of life, which tells more.
    const auto patience = std::max<steady_clock::duration>(kPatience, 2 * own_time_) + kGoneAfter;
    const auto start = steady_clock::now();
    watch_->look();
    while (!finished(work, kLookPause)) {
      const auto who = watch_->trouble(kPatience);
      if (who) fail(*who, fmt::format("no sign of life for {} s", kPatience.count()));
      const auto waited = steady_clock::now() - start;
      if (waited < patience) continue;
      const std::string laggards = watch_->laggards();
      fail(laggards.empty() ? kNobody : fmt::format("rank {} hangs", laggards),
           fmt::format("no answer for {} s", std::chrono::duration_cast<seconds>(waited).count()));
    }
    watch_->look_away();
  }
  last_exchange_ = steady_clock::now();
}

World::World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

World World::join(const Tell& tell) {
  const Place place = Place::from_environment();
  World world;
  world.rank_ = place.rank;
  world.size_ = place.size;
  if (!world.alone()) world.group_ = std::make_shared<Group>(place, tell);
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
