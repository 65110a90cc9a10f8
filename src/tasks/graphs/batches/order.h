// Which graphs a step learns from, who computes which of them, and how many at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace floydnet::graphs {

/// All graphs, shuffled anew for each epoch. The order depends on the seed and the epoch alone.
class EpochOrder {
 public:
  EpochOrder(std::vector<int64_t> graphs, uint64_t seed);

  /// The graphs at places first to first + count - 1 of all epochs in a row. May be called by
  /// several threads at once.
  std::vector<int64_t> at(int64_t first, int64_t count) const;

 private:
  using Order = std::shared_ptr<const std::vector<int64_t>>;
  Order epoch(int64_t number) const;

  std::vector<int64_t> graphs_;
  uint64_t seed_;
  mutable std::mutex mutex_;
  mutable std::map<int64_t, Order> kept_;  // those of the last epochs
};

/// Graphs dealt to `parts`, largest first, to and fro, so that all parts are about equally large.
/// Those of part `part`, largest first.
std::vector<int64_t> share_of(std::vector<int64_t> graphs, const std::vector<int64_t>& sizes,
                              int64_t part, int64_t parts);

/// Tuples of a graph: nodes to the power of the order.
double tuples_of(int64_t nodes, int64_t order);

/// Cuts graphs, sorted by size, into pieces of at most `budget` tuples; a graph that has more is a
/// piece of its own.
std::vector<std::vector<int64_t>> cut_to_pieces(std::vector<int64_t> graphs,
                                                const std::vector<int64_t>& sizes, int64_t order,
                                                double budget);

}  // namespace floydnet::graphs
