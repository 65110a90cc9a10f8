// Ranks of true pairs among all pairs of a graph: the metrics of PCQM-Contact.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::graphs {

/// What a true pair (i, j) is ranked among: all (i, k) with k other than j (kRaw); those that are
/// not true themselves (kFiltered); and of these without (i, i) (kExtended).
enum class Rivals { kRaw, kFiltered, kExtended };
constexpr std::array<int64_t, 3> kHitRanks = {1, 3, 10};

/// Means over true pairs: of 1 / rank, and of how many have at most rank 1, 3, 10.
struct RankScores {
  double mrr = 0;
  std::array<double, kHitRanks.size()> hits{};
};

/// `scores` is [n, n], row i for pairs (i, k); the pairs have directions. The official code leaves
/// the order of equal scores to chance; this is the expectation. All 0 if there are no true pairs.
RankScores rank_contacts(const std::vector<float>& scores, int64_t n,
                         const std::vector<Graph::Edge>& true_pairs, Rivals rivals);

/// The official mean: over the graphs of a batch, then over batches, each with the number of its
/// labelled pairs as weight.
class ContactMean {
 public:
  void add_batch(const std::vector<RankScores>& graphs, int64_t labelled_pairs);
  RankScores mean() const;

 private:
  RankScores sum_;
  double weight_ = 0;
};

}  // namespace floydnet::graphs
