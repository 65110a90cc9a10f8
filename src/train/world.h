// The processes that train together: libtorch's c10d with Gloo, or one process alone.
#pragma once

#include <torch/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace floydnet::train {

/// Another rank is gone or does not answer; what() names it. Threads may be stuck in exchanges with
/// it, so the process should end without waiting for them.
class RankFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Hears, in one line, what a rank waits for.
using Tell = std::function<void(const std::string& line)>;

class World {
 public:
  /// This process alone.
  World();
  /// Joins the others as RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT say, which torchrun, Slurm
  /// wrappers and `floydnet launch` set; alone if WORLD_SIZE is not set. `tell` hears what a rank
  /// waits for if that takes long. Throws InputError for bad values, and RankFailure if the others
  /// do not come within a minute: then a thread may be left behind, and the process should end
  /// without waiting for it.
  static World join(const Tell& tell = {});
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  int64_t rank() const { return rank_; }
  int64_t size() const { return size_; }
  bool alone() const { return size_ == 1; }
  bool first() const { return rank_ == 0; }

  /// A sum that is under way; the tensor must live until wait() has returned.
  class Pending {
   public:
    virtual ~Pending() = default;
    /// Throws RankFailure.
    virtual void wait() = 0;
  };
  /// Adds up the tensors of all ranks in place, to the same bits everywhere. Ranks must start their
  /// sums in the same order.
  std::unique_ptr<Pending> start_sum(const torch::Tensor& tensor);
  void sum(const torch::Tensor& tensor) { start_sum(tensor)->wait(); }

  /// For how long another rank, or the store, may give no sign of life. One that is alive may let
  /// this rank wait for as long, or for twice the time since the last exchange if that is more,
  /// since it may be as long at the same work.
  static constexpr std::chrono::seconds kPatience{20};

 private:
  class Group;
  int64_t rank_ = 0;
  int64_t size_ = 1;
  std::shared_ptr<Group> group_;
};

}  // namespace floydnet::train
