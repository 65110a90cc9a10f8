// The one matrix product that all terms of Pivotal Attention are made of, for the SIMD target that
// is being compiled. Included once for each target, inside HWY_NAMESPACE code only.
#if defined(FLOYDNET_GEMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_GEMM_INL_H_
#undef FLOYDNET_GEMM_INL_H_
#else
#define FLOYDNET_GEMM_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Rows of a register block. With two vectors a row, 12 or 24 sums are kept in 16 or 32 registers.
#if HWY_TARGET == HWY_AVX3
constexpr int kBlockRows = 12;
#else
constexpr int kBlockRows = 6;
#endif
constexpr int kBlockVectors = 2;

template <typename T>
int64_t lanes() {
  return static_cast<int64_t>(hn::Lanes(hn::ScalableTag<T>()));
}

/// Elements of a row of a panel.
template <typename T>
int64_t panel_width() {
  return kBlockVectors * lanes<T>();
}

/// A[m, k] for broadcasting: element (m, k) is at data + m * row + k * column.
template <typename T>
struct Left {
  const T* data;
  int64_t row;
  int64_t column;
};

/// B[k, n], vectors along n: element (k, n) is at data + (n / width) * panel + k * row + n % width,
/// where width is panel_width. For a plain row-major matrix panel is width.
template <typename T>
struct Right {
  const T* data;
  int64_t row;
  int64_t panel;
};

template <int kRows, int kVectors, typename T>
HWY_INLINE void block_product(int64_t inner, const Left<T>& a, const T* HWY_RESTRICT b,
                              int64_t b_row, T* HWY_RESTRICT c, int64_t c_row, bool accumulate) {
  const hn::ScalableTag<T> tag;
  using V = hn::Vec<decltype(tag)>;
  const int64_t width = lanes<T>();
  V sum[kRows][kVectors];
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m) {
#pragma GCC unroll 4
    for (int n = 0; n < kVectors; ++n) {
      sum[m][n] = accumulate ? hn::LoadU(tag, c + m * c_row + n * width) : hn::Zero(tag);
    }
  }
  const T* a_k = a.data;
  for (int64_t k = 0; k < inner; ++k, a_k += a.column, b += b_row) {
    V right[kVectors];
#pragma GCC unroll 4
    for (int n = 0; n < kVectors; ++n) right[n] = hn::LoadU(tag, b + n * width);
#pragma GCC unroll 16
    for (int m = 0; m < kRows; ++m) {
      const V left = hn::Set(tag, a_k[m * a.row]);
#pragma GCC unroll 4
      for (int n = 0; n < kVectors; ++n) sum[m][n] = hn::MulAdd(left, right[n], sum[m][n]);
    }
  }
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m) {
#pragma GCC unroll 4
    for (int n = 0; n < kVectors; ++n) hn::StoreU(sum[m][n], tag, c + m * c_row + n * width);
  }
}

/// The rows that are left below a whole block.
template <int kVectors, typename T, int kRows = kBlockRows - 1>
HWY_INLINE void tail_product(int64_t rows, int64_t inner, const Left<T>& a, const T* b,
                             int64_t b_row, T* c, int64_t c_row, bool accumulate) {
  if constexpr (kRows > 0) {
    if (rows == kRows) {
      block_product<kRows, kVectors>(inner, a, b, b_row, c, c_row, accumulate);
    } else {
      tail_product<kVectors, T, kRows - 1>(rows, inner, a, b, b_row, c, c_row, accumulate);
    }
  }
}

template <int kVectors, typename T>
void panel_product(int64_t rows, int64_t inner, Left<T> a, const T* b, int64_t b_row, T* c,
                   int64_t c_row, bool accumulate) {
  for (; rows >= kBlockRows; rows -= kBlockRows) {
    block_product<kBlockRows, kVectors>(inner, a, b, b_row, c, c_row, accumulate);
    a.data += kBlockRows * a.row;
    c += kBlockRows * c_row;
  }
  tail_product<kVectors>(rows, inner, a, b, b_row, c, c_row, accumulate);
}

/// C[m, n] = or += sum_k A[m, k] B[k, n]. `columns` is a multiple of lanes. Every element is one
/// chain of multiply-adds in the order of k, wherever it stands, so results do not depend on the
/// blocking.
template <typename T>
void product(int64_t rows, int64_t columns, int64_t inner, Left<T> a, Right<T> b, T* c,
             int64_t c_row, bool accumulate) {
  // What a panel of B takes of L1 while the rows of A pass by.
  constexpr int64_t kMaxInner = 64;
  const int64_t width = panel_width<T>();
  if (inner == 0 && !accumulate) {
    for (int64_t m = 0; m < rows; ++m) std::fill_n(c + m * c_row, columns, T(0));
  }
  for (int64_t k = 0; k < inner; k += kMaxInner) {
    const int64_t step = std::min(kMaxInner, inner - k);
    const bool add = accumulate || k > 0;
    const Left<T> a_k = {a.data + k * a.column, a.row, a.column};
    int64_t n = 0;
    for (const T* b_n = b.data + k * b.row; n + width <= columns; n += width, b_n += b.panel) {
      panel_product<kBlockVectors>(rows, step, a_k, b_n, b.row, c + n, c_row, add);
    }
    if (n < columns) {
      panel_product<1>(rows, step, a_k, b.data + (n / width) * b.panel + k * b.row, b.row, c + n,
                       c_row, add);
    }
  }
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
