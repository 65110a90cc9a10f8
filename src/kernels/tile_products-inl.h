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

/// Sums [p, d] of several lines: element (p, d) of line i is at data + i * line + p * row + d.
template <typename T>
struct SumLines {
  T* data;  // null where they are not wanted
  int64_t line, row;
};

/// What the gradients of a tile's products X_i Y_k come of: dX_i[p, d] += sum_k g Y_k[p, d] and
/// dY_k[p, d] += sum_i g X_i[p, d], where g = weights_ik[p] a_ik[d].
template <typename T>
struct OuterProducts {
  int64_t height, width;  // targets i and k
  int64_t pivots, columns;
  const T* weights;
  int64_t weights_i, weights_k;
  const T* a;
  int64_t a_i, a_k;
  LineOperand<T> x, y;
  SumLines<T> dx, dy;
};

/// What a call of outer_block computes: some of all i, k, p and d.
struct OuterBlock {
  int64_t i, d;  // the first ones
  Range k, pivots;
};

/// For kHeight i and kVectors vectors of d, whose sums stay in registers for one pivot after the
/// other; those of k pass by.
template <int kHeight, int kVectors, bool kLeft, bool kRight, typename T>
HWY_NOINLINE void outer_block(const OuterProducts<T>& o, const OuterBlock& block) {
  const hn::ScalableTag<T> tag;
  using V = hn::Vec<decltype(tag)>;
  const int64_t width = lanes<T>(), panel = block.d / width, k_count = block.k.end - block.k.begin;
  // Copies, since what is stored might be these, as far as the compiler knows.
  const int64_t weights_i = o.weights_i, weights_k = o.weights_k, a_i = o.a_i, a_k = o.a_k;
  const int64_t y_line = o.y.line, y_panel = o.y.panel, dy_line = o.dy.line;
  for (int64_t p = block.pivots.begin; p < block.pivots.end; ++p) {
    const T* x = o.x.data + block.i * o.x.line + p * o.x.row + panel * o.x.panel;
    const T* y = o.y.data + block.k.begin * o.y.line + p * o.y.row + panel * o.y.panel;
    const T* weights = o.weights + block.i * o.weights_i + block.k.begin * o.weights_k + p;
    const T* a = o.a + block.i * o.a_i + block.k.begin * o.a_k + block.d;
    T* dx = kLeft ? o.dx.data + block.i * o.dx.line + p * o.dx.row + block.d : nullptr;
    T* dy = kRight ? o.dy.data + block.k.begin * o.dy.line + p * o.dy.row + block.d : nullptr;
    V left[kHeight][kVectors], sum[kHeight][kVectors];
#pragma GCC unroll 4
    for (int i = 0; i < kHeight; ++i) {
#pragma GCC unroll 4
      for (int n = 0; n < kVectors; ++n) {
        if (kRight) left[i][n] = hn::LoadU(tag, x + i * o.x.line + n * o.x.panel);
        if (kLeft) sum[i][n] = hn::LoadU(tag, dx + i * o.dx.line + n * width);
      }
    }
    for (int64_t k = 0; k < k_count; ++k) {
      V right[kVectors], right_sum[kVectors];
#pragma GCC unroll 4
      for (int n = 0; n < kVectors; ++n) {
        if (kLeft) right[n] = hn::LoadU(tag, y + n * y_panel);
        if (kRight) right_sum[n] = hn::LoadU(tag, dy + n * width);
      }
#pragma GCC unroll 4
      for (int i = 0; i < kHeight; ++i) {
        const V weight = hn::Set(tag, weights[i * weights_i]);
#pragma GCC unroll 4
        for (int n = 0; n < kVectors; ++n) {
          const V g = hn::Mul(weight, hn::LoadU(tag, a + i * a_i + n * width));
          if (kLeft) sum[i][n] = hn::MulAdd(g, right[n], sum[i][n]);
          if (kRight) right_sum[n] = hn::MulAdd(g, left[i][n], right_sum[n]);
        }
      }
#pragma GCC unroll 4
      for (int n = 0; n < kVectors && kRight; ++n) hn::StoreU(right_sum[n], tag, dy + n * width);
      y += y_line;
      weights += weights_k;
      a += a_k;
      if (kRight) dy += dy_line;
    }
#pragma GCC unroll 4
    for (int i = 0; i < kHeight && kLeft; ++i) {
#pragma GCC unroll 4
      for (int n = 0; n < kVectors; ++n) {
        hn::StoreU(sum[i][n], tag, dx + i * o.dx.line + n * width);
      }
    }
  }
}

/// For all i.
template <int kVectors, bool kLeft, bool kRight, typename T>
void outer_blocks(const OuterProducts<T>& o, OuterBlock block) {
  constexpr int64_t kHeight = 4;
  for (; block.i + kHeight <= o.height; block.i += kHeight) {
    outer_block<kHeight, kVectors, kLeft, kRight>(o, block);
  }
  for (; block.i < o.height; ++block.i) outer_block<1, kVectors, kLeft, kRight>(o, block);
}

template <bool kLeft, bool kRight, typename T>
void outer_products(const OuterProducts<T>& o) {
  // So that what passes by stays in the first-level cache until the next i.
  constexpr int64_t kWidth = 16, kPivots = 16;
  for (int64_t d = 0; d < o.columns; d += panel_width<T>()) {
    const auto blocks = o.columns - d > lanes<T>() ? outer_blocks<kBlockVectors, kLeft, kRight, T>
                                                   : outer_blocks<1, kLeft, kRight, T>;
    for (int64_t p = 0; p < o.pivots; p += kPivots) {
      for (int64_t k = 0; k < o.width; k += kWidth) {
        blocks(o, {0, d, {k, std::min(o.width, k + kWidth)}, {p, std::min(o.pivots, p + kPivots)}});
      }
    }
  }
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
