// The sums of a tile of targets: scores, weighted values and gradients, for both compositions. For
// the SIMD target that is being compiled, as gemm-inl.h.
#if defined(FLOYDNET_TILE_PRODUCTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_TILE_PRODUCTS_INL_H_
#undef FLOYDNET_TILE_PRODUCTS_INL_H_
#else
#define FLOYDNET_TILE_PRODUCTS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "kernels/gemm-inl.h"
#include "kernels/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

// Targets of a register block along either coordinate, and whether additive composition, too, adds
// two roles first and multiplies their sum: an addition in place of a multiply-add, which some CPUs
// have units of their own for. It needs 16 sums to pay, and so 32 registers.
#if HWY_TARGET <= HWY_AVX3
constexpr int kMaxBlockSide = 4;
constexpr bool kSumsRolesFirst = true;
#else
constexpr int kMaxBlockSide = 3;
constexpr bool kSumsRolesFirst = false;
#endif

/// What stands in both roles of a pair at once.
template <bool kMultiplies, class V>
HWY_INLINE V compose(V x, V y) {
  if constexpr (kMultiplies) {
    return hn::Mul(x, y);
  } else {
    return hn::Add(x, y);
  }
}

/// Matrices [m, n] of several lines, vectors along n: element (m, n) of line i is at
/// data + i * line + m * row + n / lanes * panel + n % lanes.
template <typename T>
struct LineOperand {
  const T* data;
  int64_t line, row, panel;
};

/// The operands of a composed product: C_ik[n] = sum_m a_ik[m] (X_i o Y_k)[m, n].
template <typename T>
struct ComposedProduct {
  int64_t height, width;  // targets i and k
  int64_t columns, inner;
  const T* a;
  int64_t a_i, a_k;
  LineOperand<T> x, y;
  T* c;
  int64_t c_i, c_k;
};

/// `blocks` blocks of kHeight i and kWidth k each, one after the other along k, for one vector of
/// n. Not inlined, since the loop needs all registers for itself.
template <bool kMultiplies, int kHeight, int kWidth, typename T>
HWY_NOINLINE void composed_blocks(int64_t blocks, int64_t inner, const ComposedProduct<T>& p,
                                  const T* a, const T* x, const T* y, T* c, bool accumulate) {
  const hn::ScalableTag<T> tag;
  using V = hn::Vec<decltype(tag)>;
  const int64_t a_k = p.a_k, x_line = p.x.line, y_line = p.y.line, x_row = p.x.row, y_row = p.y.row;
  for (; blocks > 0; --blocks, a += kWidth * a_k, y += kWidth * y_line, c += kWidth * p.c_k) {
    V sum[kHeight][kWidth];
    T* c_i = c;
#pragma GCC unroll 4
    for (int i = 0; i < kHeight; ++i, c_i += p.c_i) {
#pragma GCC unroll 4
      for (int k = 0; k < kWidth; ++k) {
        sum[i][k] = accumulate ? hn::LoadU(tag, c_i + k * p.c_k) : hn::Zero(tag);
      }
    }
    const T* a_i[kHeight];
#pragma GCC unroll 4
    for (int i = 0; i < kHeight; ++i) a_i[i] = a + i * p.a_i;
    const T *x_m = x, *y_m = y;
    for (int64_t m = 0; m < inner; ++m, x_m += x_row, y_m += y_row) {
      V right[kWidth];
#pragma GCC unroll 4
      for (int k = 0; k < kWidth; ++k) right[k] = hn::LoadU(tag, y_m + k * y_line);
#pragma GCC unroll 4
      for (int i = 0; i < kHeight; ++i) {
        const V left = hn::LoadU(tag, x_m + i * x_line);
#pragma GCC unroll 4
        for (int k = 0; k < kWidth; ++k) {
          const V factor = hn::Set(tag, a_i[i][k * a_k]);
          sum[i][k] = hn::MulAdd(factor, compose<kMultiplies>(left, right[k]), sum[i][k]);
        }
        ++a_i[i];
      }
    }
    c_i = c;
#pragma GCC unroll 4
    for (int i = 0; i < kHeight; ++i, c_i += p.c_i) {
#pragma GCC unroll 4
      for (int k = 0; k < kWidth; ++k) hn::StoreU(sum[i][k], tag, c_i + k * p.c_k);
    }
  }
}

template <typename T>
using ComposedBlocks = void (*)(int64_t, int64_t, const ComposedProduct<T>&, const T*, const T*,
                                const T*, T*, bool);

template <bool kMultiplies, typename T, int... kSides>
HWY_INLINE ComposedBlocks<T> composed_blocks_of(int64_t height, int64_t width,
                                                std::integer_sequence<int, kSides...>) {
  static constexpr ComposedBlocks<T> kBlocks[] = {
      composed_blocks<kMultiplies, kSides / kMaxBlockSide + 1, kSides % kMaxBlockSide + 1, T>...};
  return kBlocks[(height - 1) * kMaxBlockSide + width - 1];
}

/// A length cut evenly to blocks: `high` blocks of low + 1, then `count - high` of `low`.
struct EvenCut {
  explicit EvenCut(int64_t length)
      : count((static_cast<uint32_t>(length) + kMaxBlockSide - 1) / kMaxBlockSide),
        low(static_cast<uint32_t>(length) / std::max<uint32_t>(1, count)),
        high(static_cast<uint32_t>(length) % std::max<uint32_t>(1, count)) {}
  uint32_t count, low, high;
};

template <bool kMultiplies, typename T>
void composed_product(const ComposedProduct<T>& p) {
  // So that the lines of X that a row of blocks uses stay in the first-level cache.
  constexpr int64_t kInner = 64;
  constexpr std::make_integer_sequence<int, kMaxBlockSide * kMaxBlockSide> kSides;
  const EvenCut rows(p.height), columns(p.width);
  for (int64_t n = 0; n < p.columns; n += lanes<T>()) {
    const int64_t panel = n / lanes<T>();
    for (int64_t m = 0; m == 0 || m < p.inner; m += kInner) {  // an empty sum is 0
      const int64_t step = std::min(kInner, p.inner - m);
      const T* x = p.x.data + panel * p.x.panel + m * p.x.row;
      const T* a = p.a + m;
      T* c = p.c + n;
      for (uint32_t row = 0; row < rows.count; ++row) {
        const int64_t height = rows.low + (row < rows.high ? 1 : 0);
        const T* y = p.y.data + panel * p.y.panel + m * p.y.row;
        int64_t k = 0;
        for (const bool is_high : {true, false}) {
          const int64_t blocks = is_high ? columns.high : columns.count - columns.high;
          const int64_t width = columns.low + (is_high ? 1 : 0);
          if (blocks == 0) continue;
          composed_blocks_of<kMultiplies, T>(height, width, kSides)(
              blocks, step, p, a + k * p.a_k, x, y + k * p.y.line, c + k * p.c_k, m > 0);
          k += blocks * width;
        }
        a += height * p.a_i;
        x += height * p.x.line;
        c += height * p.c_i;
      }
    }
  }
}

/// sums[p, d] += sum_t weights[t, p] x_t[d] Y_t[p, d] over `count` targets t of a line, for kPivots
/// pivots and one vector of d.
template <int kPivots, typename T>
HWY_INLINE void block_triple_outer(int64_t count, const T* weights, int64_t weights_t, const T* x,
                                   int64_t x_t, const T* y, int64_t y_t, int64_t y_row, T* sums,
                                   int64_t row) {
  const hn::ScalableTag<T> tag;
  using V = hn::Vec<decltype(tag)>;
  V sum[kPivots];
#pragma GCC unroll 8
  for (int p = 0; p < kPivots; ++p) sum[p] = hn::LoadU(tag, sums + p * row);
  for (int64_t t = 0; t < count; ++t, weights += weights_t, x += x_t, y += y_t) {
    const V left = hn::LoadU(tag, x);
#pragma GCC unroll 8
    for (int p = 0; p < kPivots; ++p) {
      const V term = hn::Mul(left, hn::LoadU(tag, y + p * y_row));
      sum[p] = hn::MulAdd(hn::Set(tag, weights[p]), term, sum[p]);
    }
  }
#pragma GCC unroll 8
  for (int p = 0; p < kPivots; ++p) hn::StoreU(sum[p], tag, sums + p * row);
}

template <typename T>
void triple_outer(int64_t count, int64_t pivots, int64_t columns, const T* weights,
                  int64_t weights_t, const T* x, int64_t x_t, const LineOperand<T>& y, T* sums) {
  constexpr int kPivots = 8;
  for (int64_t d = 0; d < columns; d += lanes<T>()) {
    const T* y_d = y.data + d / lanes<T>() * y.panel;
    int64_t p = 0;
    for (; p + kPivots <= pivots; p += kPivots) {
      block_triple_outer<kPivots>(count, weights + p, weights_t, x + d, x_t, y_d + p * y.row,
                                  y.line, y.row, sums + p * columns + d, columns);
    }
    for (; p < pivots; ++p) {
      block_triple_outer<1>(count, weights + p, weights_t, x + d, x_t, y_d + p * y.row, y.line,
                            y.row, sums + p * columns + d, columns);
    }
  }
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
