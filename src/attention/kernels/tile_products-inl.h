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

#include "attention/kernels/gemm-inl.h"
#include "attention/kernels/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

/// C_ik[n] = sum_m a_ik[m] X_i[m, n] Y_k[m, n] for a block of kHeight i and kWidth k, and one
/// vector of n. x and y point to the vectors' rows of the first i and k; the others are a line
/// apart.
template <int kHeight, int kWidth, typename T>
HWY_INLINE void block_triple_product(int64_t inner, const T* a, int64_t a_i, int64_t a_k,
                                     const Right<T>& x, int64_t x_line, const Right<T>& y,
                                     int64_t y_line, T* c, int64_t c_i, int64_t c_k) {
  const hn::ScalableTag<T> tag;
  using V = hn::Vec<decltype(tag)>;
  V sum[kHeight][kWidth];
#pragma GCC unroll 4
  for (int i = 0; i < kHeight; ++i) {
#pragma GCC unroll 4
    for (int k = 0; k < kWidth; ++k) sum[i][k] = hn::Zero(tag);
  }
  const T *x_m = x.data, *y_m = y.data;
  for (int64_t m = 0; m < inner; ++m, x_m += x.row, y_m += y.row) {
    V right[kWidth];
#pragma GCC unroll 4
    for (int k = 0; k < kWidth; ++k) right[k] = hn::LoadU(tag, y_m + k * y_line);
#pragma GCC unroll 4
    for (int i = 0; i < kHeight; ++i) {
      const V left = hn::LoadU(tag, x_m + i * x_line);
#pragma GCC unroll 4
      for (int k = 0; k < kWidth; ++k) {
        const V factor = hn::Set(tag, a[i * a_i + k * a_k + m]);
        sum[i][k] = hn::MulAdd(factor, hn::Mul(left, right[k]), sum[i][k]);
      }
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < kHeight; ++i) {
#pragma GCC unroll 4
    for (int k = 0; k < kWidth; ++k) hn::StoreU(sum[i][k], tag, c + i * c_i + k * c_k);
  }
}

/// As above for all targets (i, k) of a tile and all columns.
template <typename T>
void triple_product(const Box& tile, int64_t columns, int64_t inner, const TileArray<T>& a,
                    const Right<T>& x, int64_t x_line, const Right<T>& y, int64_t y_line,
                    const TileArray<T>& c) {
  const int64_t height = tile.length(0), width = tile.length(1), panel = panel_width<T>();
  for (int64_t n = 0; n < columns; n += lanes<T>()) {
    const int64_t x_n = n / panel * x.panel + n % panel, y_n = n / panel * y.panel + n % panel;
    for (int64_t i = 0; i < height;) {
      const int64_t step_i = height - i >= 2 ? 2 : 1;
      for (int64_t k = 0; k < width;) {
        const int64_t step_k = width - k >= 4 ? 4 : 1;
        const Right<T> x_i = {x.data + x_n + i * x_line, x.row, x.panel};
        const Right<T> y_k = {y.data + y_n + k * y_line, y.row, y.panel};
        const T* a_ik = a.data + i * a.stride[0] + k * a.stride[1];
        T* c_ik = c.data + i * c.stride[0] + k * c.stride[1] + n;
        const auto run = [&](auto block) {
          block(inner, a_ik, a.stride[0], a.stride[1], x_i, x_line, y_k, y_line, c_ik, c.stride[0],
                c.stride[1]);
        };
        if (step_i == 2) {
          run(step_k == 4 ? block_triple_product<2, 4, T> : block_triple_product<2, 1, T>);
        } else {
          run(step_k == 4 ? block_triple_product<1, 4, T> : block_triple_product<1, 1, T>);
        }
        k += step_k;
      }
      i += step_i;
    }
  }
}

/// sums[p, d] += sum_t weights[t, p] x_t[d] Y_t[p, d] over `count` targets t of a line, for kPivots
/// pivots and one vector of d.
template <int kPivots, typename T>
HWY_INLINE void block_triple_outer(int64_t count, const T* weights, int64_t weights_t, const T* x,
                                   int64_t x_t, const T* y, int64_t y_t, int64_t row, T* sums) {
  const hn::ScalableTag<T> tag;
  using V = hn::Vec<decltype(tag)>;
  V sum[kPivots];
#pragma GCC unroll 8
  for (int p = 0; p < kPivots; ++p) sum[p] = hn::LoadU(tag, sums + p * row);
  for (int64_t t = 0; t < count; ++t, weights += weights_t, x += x_t, y += y_t) {
    const V left = hn::LoadU(tag, x);
#pragma GCC unroll 8
    for (int p = 0; p < kPivots; ++p) {
      const V term = hn::Mul(left, hn::LoadU(tag, y + p * row));
      sum[p] = hn::MulAdd(hn::Set(tag, weights[p]), term, sum[p]);
    }
  }
#pragma GCC unroll 8
  for (int p = 0; p < kPivots; ++p) hn::StoreU(sum[p], tag, sums + p * row);
}

template <typename T>
void triple_outer(int64_t count, int64_t pivots, int64_t columns, const T* weights,
                  int64_t weights_t, const T* x, int64_t x_t, const T* y, int64_t y_t, T* sums) {
  constexpr int kPivots = 8;
  for (int64_t d = 0; d < columns; d += lanes<T>()) {
    int64_t p = 0;
    for (; p + kPivots <= pivots; p += kPivots) {
      block_triple_outer<kPivots>(count, weights + p, weights_t, x + d, x_t, y + p * columns + d,
                                  y_t, columns, sums + p * columns + d);
    }
    for (; p < pivots; ++p) {
      block_triple_outer<1>(count, weights + p, weights_t, x + d, x_t, y + p * columns + d, y_t,
                            columns, sums + p * columns + d);
    }
  }
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
