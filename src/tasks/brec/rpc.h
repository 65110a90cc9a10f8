// Reliable Paired Comparison: whether a model tells two graphs apart, as a statistical test on the
// embeddings of relabelled copies.
//
// With D the differences of the embeddings of q copies of A and q copies of B,
//
//   T2 = mean(D)^T pinv(cov(D)) mean(D)
//
// is large if A and B differ by far more than relabeling does. The same statistic of two sets of
// copies of one graph, the reliability half, must be small, or rounding alone would look like a
// difference.
#pragma once

#include <torch/types.h>

namespace floydnet::brec {

constexpr double kThreshold = 72.34;     // of both statistics
constexpr double kSameStatistic = 1e-6;  // halves as close as that are one statistic
constexpr int64_t kEmbeddingWidth = 16;  // for which the threshold was chosen, with q = 32

/// [q, width] differences, q >= 2, float64. Not a number if one of them is not finite.
double hotelling_t2(const torch::Tensor& differences);

struct RpcVerdict {
  double test = 0, reliability = 0;  // T2 of the halves
  bool reliable = false;
  bool distinguished = false;  // never if unreliable
};

RpcVerdict rpc_verdict(double test, double reliability);

}  // namespace floydnet::brec
