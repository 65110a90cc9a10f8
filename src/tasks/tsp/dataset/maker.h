// Makes sets of solved instances, which can be interrupted and shared between machines.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tasks/tsp/dataset/attempt.h"
#include "tasks/tsp/dataset/solved_set.h"

namespace floydnet::tsp {

struct DatasetOptions {
  AttemptOptions attempt;
  std::int64_t per_size = 1000;       ///< instances wanted of each size
  std::int64_t max_attempts = 10000;  ///< random instances that each size may take
  /// This is part `shard` of `shards`, from 1. The parts take turns in the sequence of random
  /// instances, and share what is wanted of each size.
  std::int64_t shard = 1, shards = 1;
};

/// A folder of sets: NNN.npz for each number of cities, or NNN.I-of-S.npz for a part. Attempts
/// stand in a file beside it (.jsonl) until they are enough. The sets do not depend on the number
/// of threads, nor on interruptions.
class DatasetMaker {
 public:
  /// Throws InputError if the folder holds sets of other options.
  DatasetMaker(std::string folder, const DatasetOptions& options);

  using Progress = std::function<void(std::int64_t kept)>;
  /// Makes the set of a size, unless it is there. Returns false if `stop` came before it was
  /// complete. `progress` is called with the number of instances of this size that are kept.
  bool make(int cities, int threads, const std::atomic<bool>& stop, const Progress& progress) const;

  std::string set_path(int cities) const { return path(cities, "npz"); }
  /// Of this part.
  std::int64_t quota() const;

 private:
  std::string path(int cities, const std::string& extension) const;
  /// Those that were made before an interruption, in any order.
  std::vector<Attempt> earlier_attempts(int cities) const;
  std::vector<Attempt> all_attempts(int cities, int threads, const std::atomic<bool>& stop,
                                    const Progress& progress) const;
  SolvedSet set_of(int cities, const std::vector<Attempt>& attempts) const;

  std::string folder_;
  DatasetOptions options_;
};

}  // namespace floydnet::tsp
