// What a Pivotal Attention kernel sees of one (graph, head): pointers, strides and sizes.
//
// Index conventions. The target tuple is v = (v_0, ..., v_{k-1}), the pivot is p, and role r is the
// tuple v[r<-p]. For k=2 and v = (i, k): role 0 is (p, k), the right relation R_jk of the paper,
// and role 1 is (i, p), the left relation R_ij.
#pragma once

#include <cstdint>

#include "floydnet/graph.h"

namespace floydnet::kernels {

/// Data indexed by a k-tuple; stride[c] elements apart along coordinate c.
template <typename T>
struct Strided {
  T* data = nullptr;
  int64_t stride[kMaxOrder] = {};
};

/// logit_vp = cap(scale * <q_v, key_vp>) + sum_r bias_r[v[r<-p]] + mask[v, p]
/// out_v = sum_p dropout(softmax_p(logit_vp)) value_vp
/// where key and value compose (add or multiply) their k roles.
template <typename T>
struct HeadView {
  int order = 0;
  int64_t lengths[kMaxOrder] = {};  // of the target coordinates
  int64_t pivots = 0;
  int64_t first_pivot = 0;  // its number, where a view is of some pivots of a head
  int64_t dim = 0;          // d_h; its elements are contiguous everywhere

  Strided<const T> q;               // [v, d]
  Strided<const T> key[kMaxOrder];  // [v[r<-p], d]; coordinate r runs over the pivots
  Strided<const T> value[kMaxOrder];
  Strided<const T> bias[kMaxOrder];  // [v[r<-p]], or null
  Strided<const T> mask;             // [v, p], or null
  int64_t mask_pivot_stride = 0;
  Strided<const bool> excluded;  // [v, p], or null: true where the logit is excluded_logit instead
  int64_t excluded_pivot_stride = 0;
  double excluded_logit = 0;
  Strided<T> out;  // [v, d]
  // What backward needs of the softmax: weight_vp = exp(logit_vp - row_max_v) * row_factor_v. Kept
  // apart, since their one-number form, the log-sum-exp, is inexact where logits are large. A
  // kernel may keep row_max before the scale.
  Strided<T> row_max;     // [v]
  Strided<T> row_factor;  // [v]: 0 where no pivot is admissible
  // Where it is not null, the tile kernel's forward leaves the exponentials here, so that its
  // backward need not compute them again: [v, p], rows of kept_row_length(pivots) elements.
  Strided<T> kept;

  double scale = 1;
  double logit_cap = 0;  // cap(x) = logit_cap * tanh(x / logit_cap); 0: cap(x) = x
  bool multiplicative = false;

  // Dropout of pivot p of the target with number t in this view is drawn from the counter
  // (dropout_base + t, p) under the key `seed`.
  double dropout = 0;
  uint64_t seed = 0;
  uint64_t dropout_base = 0;
};

/// From one target's kept exponentials to the next one's: whole vectors of any SIMD target.
constexpr int64_t kept_row_length(int64_t pivots) { return (pivots + 15) / 16 * 16; }

/// Where gradients go. Pointers that are null are not wanted. The tile kernel sets those of q, key
/// and value; all others are added to what is there, zeros at first.
template <typename T>
struct HeadGradients {
  Strided<const T> out;  // incoming, [v, d]
  Strided<T> q;
  bool adds_q = false;  // the tile kernel, too, adds to q
  Strided<T> key[kMaxOrder];
  Strided<T> value[kMaxOrder];
  Strided<T> bias[kMaxOrder];
  Strided<T> mask;  // [v, p]
  int64_t mask_pivot_stride = 0;
};

/// A half-open range of indices.
struct Range {
  int64_t begin;
  int64_t end;
};

}  // namespace floydnet::kernels
