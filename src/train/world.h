// The processes that train together: libtorch's c10d with Gloo, or one process alone.
#pragma once

#include <torch/types.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

namespace floydnet::train {

/// Another rank is gone or does not answer; what() names it.
class RankFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class World {
 public:
  /// This process alone.
  World();
  /// Joins the others as RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT say, which torchrun, Slurm
  /// wrappers and `floydnet launch` set; alone if WORLD_SIZE is not set. Throws InputError for bad
  /// values, and RankFailure if the others do not come within a minute.
  static World join();
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

  /// How long the others may let this rank wait; twice the time since the last exchange if that is
  /// more, since they may be as long at the same work.
  static constexpr std::chrono::seconds kPatience{20};

 private:
  class Group;
  int64_t rank_ = 0;
  int64_t size_ = 1;
  std::shared_ptr<Group> group_;
};

}  // namespace floydnet::train
