/// \file
/// Pivotal Attention (PA): attention over pivots among the states of k-tuples of nodes.
///
/// For a target tuple v = (v_0, ..., v_{k-1}) and a pivot node p, role r is v[r<-p]: v with
/// coordinate r replaced by p.
///
///     key_vp = sum_r K_r[v[r<-p]]      value_vp = sum_r V_r[v[r<-p]]
///     logit_vp = cap(scale * <q_v, key_vp>) + sum_r B_r[v[r<-p]]
///     out_v = sum_p softmax_p(logit_vp) value_vp
///
/// k=1 is self-attention. For k=2 and v = (i, k): role 0 is (j, k), the right relation, and role 1
/// is (i, j), the left one. Memory is O(N^k d), forward and backward.
///
/// The environment variable FLOYDNET_SIMD (SSE4, AVX2, AVX3) forces an instruction set.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "floydnet/export.h"
#include "floydnet/graph.h"

namespace floydnet {

/// How the roles of a pivot combine to a key and a value: elementwise sum or product.
enum class Composition { kAdditive, kMultiplicative };

struct AttentionOptions {
  std::optional<double> scale;  ///< 1 / sqrt(d_h) unless given
  Composition composition = Composition::kAdditive;
  double logit_cap = 0;  ///< cap(x) = logit_cap * tanh(x / logit_cap); 0 for none
  /// Each weight is dropped with this probability. The same seed drops the same weights, whatever
  /// the number of threads.
  double dropout = 0;
  uint64_t seed = 0;
  /// Whether forward keeps the softmax weights for backward: about a tenth faster, for memory of
  /// N^{k+1}. Unless given, graphs of up to 2 d_h nodes do, which is at most twice the size of a
  /// state. Results are the same, but for rounding where graphs are so large that forward without
  /// it takes their pivots in parts. Without effect with a logit cap and on
  /// pivotal_attention_dense.
  std::optional<bool> keep_weights;
};

/// PA on packed states; graph b of the layout owns sizes[b]^k consecutive rows. Differentiable
/// (once) in q, k, v and bias. float32 or float64, on the CPU.
///
///   q     [heads, rows, d_h]
///   k, v  [order, heads, rows, d_h], by role
///   bias  [order, heads or 1, rows], by role, added to the logits; -inf excludes the pivot. A
///         target without an admissible pivot gets zeros.
///
/// Head-major contiguous tensors are fastest; other strides are accepted.
FLOYDNET_EXPORT at::Tensor pivotal_attention(const at::Tensor& q, const at::Tensor& k,
                                             const at::Tensor& v, const TupleLayout& layout,
                                             const AttentionOptions& options = {},
                                             const std::optional<at::Tensor>& bias = std::nullopt);

/// PA on dense tensors; pivots and target coordinates may have lengths of their own.
///
///   q          [B, heads, L_0, ..., L_{k-1}, d_h]
///   keys[r]    as q, but with the number of pivots in place of L_r; values[r] likewise
///   mask       broadcastable to [B, heads, L_0, ..., L_{k-1}, pivots]. A floating one is added to
///              the logits (and is differentiable, at the cost of one gradient of the full
///              broadcast shape); where a boolean one is true the logit becomes `excluded_logit`.
FLOYDNET_EXPORT at::Tensor pivotal_attention_dense(
    const at::Tensor& q, const std::vector<at::Tensor>& keys, const std::vector<at::Tensor>& values,
    const std::optional<at::Tensor>& mask = std::nullopt, const AttentionOptions& options = {},
    double excluded_logit = -std::numeric_limits<double>::infinity());

/// The softmax weights (before dropout) of chosen targets, for plots and probing: [heads, targets,
/// pivots], where graphs with fewer pivots than the largest are padded with zeros. `targets` are
/// rows of the packed states.
FLOYDNET_EXPORT at::Tensor attention_weights(const at::Tensor& q, const at::Tensor& k,
                                             const TupleLayout& layout,
                                             const std::vector<int64_t>& targets,
                                             const AttentionOptions& options = {},
                                             const std::optional<at::Tensor>& bias = std::nullopt);

/// The SIMD instruction set that the kernels use on this machine, for example "AVX2".
FLOYDNET_EXPORT const char* simd_target();

}  // namespace floydnet
