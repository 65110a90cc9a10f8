// The one matrix product that all terms of Pivotal Attention are made of, for the SIMD target that
// is being compiled. Included once for each target, inside HWY_NAMESPACE code only.
#if defined(FLOYDNET_GEMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_GEMM_INL_H_
#undef FLOYDNET_GEMM_INL_H_
#else
#define FLOYDNET_GEMM_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Rows of a register block. With two vectors a row, 12 or 24 sums are kept in 16 or 32 registers.
#if HWY_TARGET <= HWY_AVX3
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

/// Memory that the next product will want, fetched a cache line at a time while this one runs.
template <typename T>
struct Ahead {
  const T* next = nullptr;
  const T* end = nullptr;
};

/// B[k, n], vectors along n: element (k, n) is at data + (n / width) * panel + k * row + n % width,
/// where width is panel_width. For a plain row-major matrix panel is width.
template <typename T>
struct Right {
  const T* data;
  int64_t row;
  int64_t panel;
};

/// Not inlined, since the loop needs all registers for itself.
template <int kRows, int kVectors, typename T>
HWY_NOINLINE void block_product(int64_t inner, const Left<T>& a, const T* HWY_RESTRICT b,
                                int64_t b_row, T* HWY_RESTRICT c, int64_t c_row, bool accumulate,
                                const T* ahead, int64_t ahead_step) {
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
  // A pointer for every three rows: the others are one and two strides away, which is an address.
  constexpr int kGroups = (kRows + 2) / 3;
  const int64_t a_row = a.row, a_column = a.column;
  const T* rows[kGroups];
#pragma GCC unroll 4
  for (int g = 0; g < kGroups; ++g) rows[g] = a.data + 3 * g * a_row;
  for (int64_t k = 0; k < inner; ++k, b += b_row, ahead += ahead_step) {
    V right[kVectors];
#pragma GCC unroll 4
    for (int n = 0; n < kVectors; ++n) right[n] = hn::LoadU(tag, b + n * width);
    hwy::Prefetch(ahead);
#pragma GCC unroll 16
    for (int m = 0; m < kRows; ++m) {
      const V left = hn::Set(tag, rows[m / 3][m % 3 * a_row]);
#pragma GCC unroll 4
      for (int n = 0; n < kVectors; ++n) sum[m][n] = hn::MulAdd(left, right[n], sum[m][n]);
    }
#pragma GCC unroll 4
    for (int g = 0; g < kGroups; ++g) rows[g] += a_column;
  }
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m) {
#pragma GCC unroll 4
    for (int n = 0; n < kVectors; ++n) hn::StoreU(sum[m][n], tag, c + m * c_row + n * width);
  }
}

template <typename T>
using BlockProduct = void (*)(int64_t, const Left<T>&, const T*, int64_t, T*, int64_t, bool,
                              const T*, int64_t);

/// block_product by its number of rows, from 1.
template <int kVectors, typename T>
HWY_INLINE BlockProduct<T> block_product_of(int64_t rows) {
#if HWY_TARGET <= HWY_AVX3
  static constexpr BlockProduct<T> kBlocks[] = {
      block_product<1, kVectors, T>,  block_product<2, kVectors, T>,
      block_product<3, kVectors, T>,  block_product<4, kVectors, T>,
      block_product<5, kVectors, T>,  block_product<6, kVectors, T>,
      block_product<7, kVectors, T>,  block_product<8, kVectors, T>,
      block_product<9, kVectors, T>,  block_product<10, kVectors, T>,
      block_product<11, kVectors, T>, block_product<12, kVectors, T>};
#else
  static constexpr BlockProduct<T> kBlocks[] = {
      block_product<1, kVectors, T>, block_product<2, kVectors, T>, block_product<3, kVectors, T>,
      block_product<4, kVectors, T>, block_product<5, kVectors, T>, block_product<6, kVectors, T>};
#endif
  static_assert(sizeof(kBlocks) / sizeof(kBlocks[0]) == kBlockRows);
  return kBlocks[rows - 1];
}

/// The rows are cut evenly: a block of few rows would wait for its own sums.
template <int kVectors, typename T>
HWY_INLINE void panel_product(int64_t rows, int64_t inner, Left<T> a, const T* b, int64_t b_row,
                              T* c, int64_t c_row, bool accumulate, Ahead<T>& ahead) {
  constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(T));
  for (int64_t blocks = (rows + kBlockRows - 1) / kBlockRows; blocks > 0; --blocks) {
    const int64_t height = (rows + blocks - 1) / blocks;
    // Once all is fetched, something that is there already.
    const int64_t step = ahead.next < ahead.end ? kLine : 0;
    block_product_of<kVectors, T>(height)(inner, a, b, b_row, c, c_row, accumulate,
                                          step > 0 ? ahead.next : b, step);
    ahead.next += inner * step;
    a.data += height * a.row;
    c += height * c_row;
    rows -= height;
  }
}

/// C[m, n] = or += sum_k A[m, k] B[k, n]. `columns` is a multiple of lanes. Every element is one
/// chain of multiply-adds in the order of k, wherever it stands, so results do not depend on the
/// blocking.
template <typename T>
void product(int64_t rows, int64_t columns, int64_t inner, Left<T> a, Right<T> b, T* c,
             int64_t c_row, bool accumulate, Ahead<T> ahead = {}) {
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
      panel_product<kBlockVectors>(rows, step, a_k, b_n, b.row, c + n, c_row, add, ahead);
    }
    if (n < columns) {
      panel_product<1>(rows, step, a_k, b.data + (n / width) * b.panel + k * b.row, b.row, c + n,
                       c_row, add, ahead);
    }
  }
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
