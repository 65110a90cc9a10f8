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
#include <utility>

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

/// How many products of one shape are wanted, and how far the operands of one are from those of the
/// one before.
struct Repeat {
  int64_t count = 1;
  int64_t a = 0, b = 0, c = 0;
};

/// C for `blocks` times kRows rows and `panels` panels of kVectors vectors, for each of the
/// repeated products. Not inlined, since the loop needs all registers for itself.
template <int kRows, int kVectors, typename T>
HWY_NOINLINE void block_products(const Repeat& repeat, int64_t blocks, int64_t panels,
                                 int64_t inner, const Left<T>& a, const Right<T>& b,
                                 T* HWY_RESTRICT c, int64_t c_row, bool accumulate, const T* ahead,
                                 int64_t ahead_step) {
  const hn::ScalableTag<T> tag;
  using V = hn::Vec<decltype(tag)>;
  const int64_t width = lanes<T>(), a_row = a.row, a_column = a.column, b_row = b.row;
  int64_t number = 0, panel = 0;
  for (int64_t i = 0; i < repeat.count * panels; ++i) {
    T* c_m = c + number * repeat.c + panel * kVectors * width;
    const T* a_m = a.data + number * repeat.a;
    const T* b_panel = b.data + number * repeat.b + panel * b.panel;
    if (++panel == panels) {
      panel = 0;
      ++number;
    }
    for (int64_t block = 0; block < blocks; ++block, c_m += kRows * c_row, a_m += kRows * a_row) {
      V sum[kRows][kVectors];
#pragma GCC unroll 16
      for (int m = 0; m < kRows; ++m) {
#pragma GCC unroll 4
        for (int n = 0; n < kVectors; ++n) {
          sum[m][n] = accumulate ? hn::LoadU(tag, c_m + m * c_row + n * width) : hn::Zero(tag);
        }
      }
      // A pointer for every three rows: the others are one and two strides away, which is an
      // address.
      constexpr int kGroups = (kRows + 2) / 3;
      const T* rows[kGroups];
#pragma GCC unroll 4
      for (int g = 0; g < kGroups; ++g) rows[g] = a_m + 3 * g * a_row;
      const T* b_k = b_panel;
      for (int64_t k = 0; k < inner; ++k, b_k += b_row, ahead += ahead_step) {
        V right[kVectors];
#pragma GCC unroll 4
        for (int n = 0; n < kVectors; ++n) right[n] = hn::LoadU(tag, b_k + n * width);
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
        for (int n = 0; n < kVectors; ++n) hn::StoreU(sum[m][n], tag, c_m + m * c_row + n * width);
      }
    }
  }
}

template <typename T>
using BlockProducts = void (*)(const Repeat&, int64_t, int64_t, int64_t, const Left<T>&,
                               const Right<T>&, T*, int64_t, bool, const T*, int64_t);

template <int kVectors, typename T, int... kLess>
HWY_INLINE BlockProducts<T> block_products_of(int64_t rows, std::integer_sequence<int, kLess...>) {
  static constexpr BlockProducts<T> kBlocks[] = {block_products<kLess + 1, kVectors, T>...};
  return kBlocks[rows - 1];
}

/// Some panels of C. The rows are cut evenly: a block of few rows would wait for its own sums.
template <int kVectors, typename T>
HWY_INLINE void panel_products(const Repeat& repeat, int64_t rows, int64_t panels, int64_t inner,
                               Left<T> a, const Right<T>& b, T* c, int64_t c_row, bool accumulate,
                               Ahead<T>& ahead) {
  constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(T));
  // A block of 12 sums takes about 40 cycles to begin and end, one of 8 sums takes half of that. So
  // where sums are short, small blocks are faster, though they load B more often.
  constexpr int64_t kShortInner = 16;
  const uint32_t most = inner <= kShortInner ? std::min(kBlockRows, 4) : kBlockRows;
  // Divisions of 64 bits take long beside a small product.
  const uint32_t all = static_cast<uint32_t>(rows), blocks = (all + most - 1) / most;
  const uint32_t low = all / blocks, high = all % blocks;  // blocks that have a row more
  for (const bool is_high : {true, false}) {
    const int64_t count = is_high ? high : blocks - high;
    if (count == 0) continue;
    const int64_t height = low + (is_high ? 1 : 0);
    // Once all is fetched, something that is there already.
    const int64_t step = ahead.next < ahead.end ? kLine : 0;
    block_products_of<kVectors, T>(height, std::make_integer_sequence<int, kBlockRows>())(
        repeat, count, panels, inner, a, b, c, c_row, accumulate, step > 0 ? ahead.next : b.data,
        step);
    ahead.next += repeat.count * panels * count * inner * step;
    a.data += count * height * a.row;
    c += count * height * c_row;
  }
}

// What panels of B take of L1 while the rows of A pass by.
constexpr int64_t kMaxInner = 64;
template <typename T>
constexpr int64_t kMaxRight = 16384 / static_cast<int64_t>(sizeof(T));

/// C[m, n] = or += sum_k A[m, k] B[k, n]. `columns` is a multiple of lanes. Every element is one
/// chain of multiply-adds in the order of k, wherever it stands, so results do not depend on the
/// blocking.
template <typename T>
void product(int64_t rows, int64_t columns, int64_t inner, Left<T> a, Right<T> b, T* c,
             int64_t c_row, bool accumulate, Ahead<T> ahead = {}) {
  if (rows == 0) return;
  if (inner == 0 && !accumulate) {
    for (int64_t m = 0; m < rows; ++m) std::fill_n(c + m * c_row, columns, T(0));
  }
  const int64_t width = panel_width<T>(), panels = columns / width;
  for (int64_t k = 0; k < inner; k += kMaxInner) {
    const int64_t step = std::min(kMaxInner, inner - k);
    const int64_t at_a_time = panels > 1 ? kMaxRight<T> / (kMaxInner * width) : 1;
    const Left<T> a_k = {a.data + k * a.column, a.row, a.column};
    Right<T> b_k = {b.data + k * b.row, b.row, b.panel};
    const bool add = accumulate || k > 0;
    for (int64_t panel = 0; panel < panels; panel += at_a_time) {
      const int64_t count = std::min(at_a_time, panels - panel);
      panel_products<kBlockVectors>({}, rows, count, step, a_k, b_k, c + panel * width, c_row, add,
                                    ahead);
      b_k.data += count * b.panel;
    }
    if (panels * width < columns) {
      panel_products<1>({}, rows, 1, step, a_k, b_k, c + panels * width, c_row, add, ahead);
    }
  }
}

/// What of the next product is worth fetching while one runs.
enum class Next { kRight, kResult };

/// Several products of one shape. Small ones share the calls that compute them, since a call takes
/// as long as some tens of multiply-adds.
template <typename T>
void products(const Repeat& repeat, Next next, int64_t rows, int64_t columns, int64_t inner,
              Left<T> a, Right<T> b, T* c, int64_t c_row, bool accumulate) {
  const int64_t size = inner * columns, width = panel_width<T>();
  const bool is_small = repeat.count * size <= kMaxRight<T> && inner <= kMaxInner;
  if (is_small && rows > 0 && inner > 0 && columns % width == 0) {
    Ahead<T> nothing;
    return panel_products<kBlockVectors>(repeat, rows, columns / width, inner, a, b, c, c_row,
                                         accumulate, nothing);
  }
  for (int64_t number = 0; number < repeat.count; ++number) {
    const T* ahead = next == Next::kRight ? b.data + repeat.b : c + repeat.c;
    const int64_t elements = next == Next::kRight ? size : rows * columns;
    product<T>(rows, columns, inner, a, b, c, c_row, accumulate, {ahead, ahead + elements});
    a.data += repeat.a;
    b.data += repeat.b;
    c += repeat.c;
  }
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
