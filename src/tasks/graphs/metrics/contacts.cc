#include "tasks/graphs/metrics/contacts.h"

#include <algorithm>

#include "base/require.h"

namespace floydnet::graphs {
namespace {

/// Adds b times `weight`.
void add_scores(RankScores& a, const RankScores& b, double weight) {
  a.mrr += weight * b.mrr;
  for (size_t h = 0; h < a.hits.size(); ++h) a.hits[h] += weight * b.hits[h];
}

RankScores times(const RankScores& scores, double factor) {
  RankScores product;
  add_scores(product, scores, factor);
  return product;
}

/// Of one pair that `greater` rivals are above and `equal` ones beside: each rank from greater + 1
/// to greater + equal + 1 is as likely.
RankScores expected_scores(int64_t greater, int64_t equal) {
  RankScores sum;
  for (int64_t rank = greater + 1; rank <= greater + equal + 1; ++rank) {
    sum.mrr += 1 / static_cast<double>(rank);
    for (size_t h = 0; h < kHitRanks.size(); ++h) sum.hits[h] += rank <= kHitRanks[h] ? 1 : 0;
  }
  return times(sum, 1 / static_cast<double>(equal + 1));
}

/// 1 where (i, k) is a true pair; one row for each i.
std::vector<char> true_matrix(int64_t n, const std::vector<Graph::Edge>& pairs) {
  std::vector<char> matrix(static_cast<size_t>(n * n));
  for (const auto& [i, j] : pairs) {
    require(i >= 0 && j >= 0 && i < n && j < n, "the pair ({}, {}) is out of range for {} nodes", i,
            j, n);
    matrix[static_cast<size_t>(i * n + j)] = 1;
  }
  return matrix;
}

}  // namespace

RankScores rank_contacts(const std::vector<float>& scores, int64_t n,
                         const std::vector<Graph::Edge>& true_pairs, Rivals rivals) {
  require(static_cast<int64_t>(scores.size()) == n * n, "{} scores for {} nodes", scores.size(), n);
  const std::vector<char> is_true = true_matrix(n, true_pairs);
  RankScores sum;
  for (const auto& [i, j] : true_pairs) {
    const float* row = scores.data() + i * n;
    const char* true_row = is_true.data() + i * n;
    int64_t greater = 0;
    int64_t equal = 0;
    for (int64_t k = 0; k < n; ++k) {
      if (k == j || (rivals != Rivals::kRaw && true_row[k] != 0)) continue;
      if (rivals == Rivals::kExtended && k == i) continue;
      // A score that is no number counts as the best of rivals and the worst of true pairs.
      if (row[k] == row[j]) {
        ++equal;
      } else if (!(row[k] < row[j])) {
        ++greater;
      }
    }
    add_scores(sum, expected_scores(greater, equal), 1);
  }
  return times(sum, 1 / std::max(1.0, static_cast<double>(true_pairs.size())));
}

void ContactMean::add_batch(const std::vector<RankScores>& graphs, int64_t labelled_pairs) {
  if (graphs.empty()) return;
  const auto weight = static_cast<double>(labelled_pairs);
  for (const RankScores& scores : graphs) {
    add_scores(sum_, scores, weight / static_cast<double>(graphs.size()));
  }
  weight_ += weight;
}

RankScores ContactMean::mean() const { return times(sum_, weight_ > 0 ? 1 / weight_ : 0); }

}  // namespace floydnet::graphs
