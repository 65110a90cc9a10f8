// What stands around Pivotal Attention in a FloydBlock, on rows of packed states: normalisation,
// linear maps, activation and residuals, in passes that keep a few rows in the cache from end to
// end, and their gradients.
//
//   qkv = W_qkv norm1(x)                                       forward_inputs
//   middle = x + W_proj attended
//   y = middle + W_down activation(W_up norm2(middle))         forward_outputs
//
// Functions are single-threaded; calls for different rows may run at the same time. The result does
// not depend on how rows are cut, to the bit.
#pragma once

#include <cstdint>

#include "kernels/view.h"

namespace floydnet::kernels {

enum class BlockActivation { kGelu, kRelu, kSilu };

/// A linear map's weight [out, in] and bias [out], which may be null.
template <typename T>
struct LinearWeights {
  const T* weight = nullptr;
  const T* bias = nullptr;
  int64_t out = 0, in = 0;
};

template <typename T>
struct NormWeights {
  const T* weight = nullptr;
  const T* bias = nullptr;  // null for the root mean square
};

/// Rows are contiguous: [rows, dim] and so on. A slice is a role and a head. Where heads are wide,
/// what the attention kernel reads and writes is by head, [slice, rows, head_dim], as it wants it;
/// where they are narrow, products with a slice at a time would take longer than they save, and
/// rows are whole: [rows, slice, head_dim].
template <typename T>
struct BlockArrays {
  int64_t rows = 0, dim = 0, heads = 0;
  int64_t slices = 0;  // of qkv: (1 + 2 k) heads
  int64_t hidden = 0;
  double eps = 0;
  BlockActivation activation = BlockActivation::kGelu;
  bool is_by_head = true;
  bool rounds = false;  // the operands of linear maps, to bfloat16 (has_bfloat16)

  NormWeights<T> norm1, norm2;
  LinearWeights<T> qkv_map, proj, up, down;
  const T* packed = nullptr;  // what pack_weights wrote

  const T* x = nullptr;         // [rows, dim]
  T* stats1 = nullptr;          // [rows, 2]: mean and 1 / deviation
  T* qkv = nullptr;             // [slices, rows, head_dim] or [rows, slices, head_dim]
  const T* attended = nullptr;  // [heads, rows, head_dim] or [rows, heads, head_dim]
  T* middle = nullptr;          // [rows, dim]
  T* stats2 = nullptr;
  T* before_activation = nullptr;  // [rows, hidden]; null: not kept
  T* y = nullptr;

  const T* dy = nullptr;
  T* activated = nullptr;  // [rows, hidden]
  T* dhidden = nullptr;
  T* normed2 = nullptr;  // [rows, dim]
  T* dmiddle = nullptr;
  T* dattended = nullptr;   // as attended
  const T* dqkv = nullptr;  // as qkv
  T* normed1 = nullptr;
  T* dx = nullptr;
  T *dnorm1 = nullptr, *dnorm2 = nullptr;  // [row blocks, 2, dim]: parts of weight and bias

  int64_t head_dim() const { return dim / heads; }
};

/// Rows that a pass takes at a time. Ranges begin at multiples of it.
constexpr int64_t kBlockRowsAtATime = 48;

/// A gradient of a weight: d[m, n] = sum_r a[r, m] b[r, n]. Columns come in groups, so that slices
/// by head are used where they stand: column c is at data + (c / group) * group_stride + c % group,
/// rows `row` apart.
template <typename T>
struct ColumnGroups {
  const T* data;
  int64_t group, group_stride, row;
};
template <typename T>
struct WeightGradient {
  ColumnGroups<T> a, b;
  int64_t rows, m, n;
  T* d;                 // [m, n]
  bool rounds = false;  // a and b, as in BlockArrays
};

/// Rows m of a weight's gradient that are computed at a time.
constexpr int64_t kWeightRowsAtATime = 96;

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define FLOYDNET_BLOCK_KERNELS(T)                                                              \
  /* Elements that pack_weights writes; for backward the maps are used the other way round. */ \
  int64_t packed_weights_size(const BlockArrays<T>& arrays);                                   \
  void pack_weights(const BlockArrays<T>& arrays, bool backward, T* out);                      \
  void forward_inputs(const BlockArrays<T>& arrays, Range rows);                               \
  void forward_outputs(const BlockArrays<T>& arrays, Range rows);                              \
  /* From dy to dattended and what the gradients of proj, up and down need. */                 \
  void backward_outputs(const BlockArrays<T>& arrays, Range rows);                             \
  /* From dqkv and dmiddle to dx. */                                                           \
  void backward_inputs(const BlockArrays<T>& arrays, Range rows);                              \
  void weight_gradient(const WeightGradient<T>& gradient, Range m);                            \
  /* out[c] = the sum of rows[r, c] over r, in the order of rows. */                           \
  void column_sums(const T* rows, int64_t count, int64_t columns, T* out);
FLOYDNET_BLOCK_KERNELS(float)
FLOYDNET_BLOCK_KERNELS(double)
#undef FLOYDNET_BLOCK_KERNELS
// NOLINTEND(bugprone-macro-parentheses)

/// Whether the CPU has products of bfloat16, and the SIMD target in use is one that has.
bool has_bfloat16();

/// Whether sizes are whole vectors on this machine, as these kernels want them.
bool suits_block_kernel(int64_t dim, int64_t hidden);

/// Whether BlockArrays had better be by head: whole vectors of any SIMD target.
constexpr bool prefers_heads_apart(int64_t head_dim) { return head_dim % 16 == 0; }

}  // namespace floydnet::kernels
