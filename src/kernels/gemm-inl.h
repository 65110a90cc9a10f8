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

// Rows of a register block. With two vectors a row, up to 12 or 24 sums are kept in 16 or 32
// registers. 8 sums are just enough not to wait for each other, and begin and end soonest.
#if HWY_TARGET <= HWY_AVX3
constexpr int kMaxBlockRows = 12, kBestBlockRows = 12;
#else
constexpr int kMaxBlockRows = 6, kBestBlockRows = 4;
#endif
constexpr int kBlockVectors = 2;

/// Elements of a line of the cache.
template <typename T>
constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(T));

template <typename T>
int64_t lanes() {
  return static_cast<int64_t>(hn::Lanes(hn::ScalableTag<T>()));
}

/// Elements of a row of a panel.
template <typename T>
int64_t panel_width() {
  return kBlockVectors * lanes<T>();
}

/// A[m, k] for broadcasting: element (m, k) is at data + m * row + k * column; one of the two is 1.
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

/// How many products of one shape are wanted, and how far the operands of one are from those of the
/// one before.
struct Repeat {
  int64_t count = 1;
  int64_t a = 0, b = 0, c = 0;
};

/// Which way the elements of A that a block broadcasts follow each other: along a row of A, whose
/// columns are side by side, or along a column, whose rows are.
enum class Along { kRow, kColumn };

/// What the elements of A and B are: numbers, or two of bfloat16 each, the one of the lower index
/// in the lower half, so that a product with `inner` such elements sums over twice as many numbers.
enum class Elements { kNumbers, kPairs };

template <Elements kElements, class V>
HWY_INLINE V multiply_add(V left, V right, V sum) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86_64
  if constexpr (kElements == Elements::kPairs) {
    // The instruction is not part of any of Highway's targets; has_bfloat16 tells who has it.
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum.raw) : "v"(right.raw), "v"(left.raw));
    return sum;
  }
#endif
  static_assert(kElements == Elements::kNumbers || HWY_TARGET <= HWY_AVX3, "no such instruction");
  return hn::MulAdd(left, right, sum);
}

/// Rows of memory that will soon be wanted.
template <typename T>
struct Upcoming {
  const T* data = nullptr;
  int64_t rows = 0;
  int64_t stride = 0, size = 0;  // of a row
};

/// Brings upcoming rows to the cache while a product runs, some with each of its blocks.
template <typename T>
class Fetch {
 public:
  Fetch() = default;
  Fetch(const Upcoming<T>& upcoming, int64_t blocks) : next_(upcoming.data) {
    if (!next_ || blocks == 0) return;
    const bool is_one_piece = upcoming.stride == upcoming.size;
    const int64_t lines = (upcoming.size + kLine<T> - 1) / kLine<T>;
    rows_ = is_one_piece ? upcoming.rows * lines : upcoming.rows;
    stride_ = is_one_piece ? kLine<T> : upcoming.stride;
    lines_per_row_ = is_one_piece ? 1 : lines;
    rows_per_block_ = (rows_ + blocks - 1) / blocks;
  }

  HWY_INLINE void run() {
    for (int64_t row = std::min(rows_, rows_per_block_); row > 0;
         --row, --rows_, next_ += stride_) {
      for (int64_t line = 0; line < lines_per_row_; ++line) hwy::Prefetch(next_ + line * kLine<T>);
    }
  }

 private:
  const T* next_ = nullptr;
  int64_t rows_ = 0, stride_ = 0, lines_per_row_ = 0, rows_per_block_ = 0;
};

/// C for `blocks` times kRows rows and `panels` panels of kVectors vectors, for each of the
/// repeated products. Not inlined, since the loop needs all registers for itself.
template <int kRows, int kVectors, Along kAlong, Elements kElements, typename T>
HWY_NOINLINE void block_products(const Repeat& repeat, int64_t blocks, int64_t panels,
                                 int64_t inner, const Left<T>& a, const Right<T>& b,
                                 T* HWY_RESTRICT c, int64_t c_row, bool accumulate,
                                 Fetch<T>& fetch) {
  const hn::ScalableTag<T> tag;
  using V = hn::Vec<decltype(tag)>;
  const int64_t width = lanes<T>(), a_stride = kAlong == Along::kRow ? a.row : a.column;
  const int64_t b_row = b.row;
  int64_t number = 0, panel = 0;
  for (int64_t i = 0; i < repeat.count * panels; ++i) {
    T* c_m = c + number * repeat.c + panel * kVectors * width;
    const T* a_m = a.data + number * repeat.a;
    const T* b_panel = b.data + number * repeat.b + panel * b.panel;
    if (++panel == panels) {
      panel = 0;
      ++number;
    }
    for (int64_t block = 0; block < blocks; ++block) {
      fetch.run();
      V sum[kRows][kVectors];
      const T* c_from = c_m;
#pragma GCC unroll 16
      for (int m = 0; m < kRows; ++m, c_from += c_row) {
#pragma GCC unroll 4
        for (int n = 0; n < kVectors; ++n) {
          sum[m][n] = accumulate ? hn::LoadU(tag, c_from + n * width) : hn::Zero(tag);
        }
      }
      // A pointer for every three rows: the others are one and two strides away, which is an
      // address.
      constexpr int kGroups = kAlong == Along::kRow ? (kRows + 2) / 3 : 1;
      const T* rows[kGroups];
#pragma GCC unroll 4
      for (int g = 0; g < kGroups; ++g) rows[g] = a_m + int64_t{3} * g * a_stride;
      const T* b_k = b_panel;
      for (int64_t k = 0; k < inner; ++k, b_k += b_row) {
        V right[kVectors];
#pragma GCC unroll 4
        for (int n = 0; n < kVectors; ++n) right[n] = hn::LoadU(tag, b_k + n * width);
#pragma GCC unroll 16
        for (int m = 0; m < kRows; ++m) {
          const T* a_mk = kAlong == Along::kRow ? rows[m / 3] + m % 3 * a_stride : rows[0] + m;
          const V left = hn::Set(tag, *a_mk);
#pragma GCC unroll 4
          for (int n = 0; n < kVectors; ++n) {
            sum[m][n] = multiply_add<kElements>(left, right[n], sum[m][n]);
          }
        }
#pragma GCC unroll 4
        for (int g = 0; g < kGroups; ++g) rows[g] += kAlong == Along::kRow ? 1 : a_stride;
      }
#pragma GCC unroll 16
      for (int m = 0; m < kRows; ++m, c_m += c_row) {
#pragma GCC unroll 4
        for (int n = 0; n < kVectors; ++n) hn::StoreU(sum[m][n], tag, c_m + n * width);
      }
      a_m += kRows * (kAlong == Along::kRow ? a_stride : 1);
    }
  }
}

template <typename T>
using BlockProducts = void (*)(const Repeat&, int64_t, int64_t, int64_t, const Left<T>&,
                               const Right<T>&, T*, int64_t, bool, Fetch<T>&);

template <int kVectors, Along kAlong, Elements kElements, typename T, int... kLess>
HWY_INLINE BlockProducts<T> block_products_of(int64_t rows, std::integer_sequence<int, kLess...>) {
  static constexpr BlockProducts<T> kBlocks[] = {
      block_products<kLess + 1, kVectors, kAlong, kElements, T>...};
  return kBlocks[rows - 1];
}

/// Into how many blocks so many rows are cut, evenly: a block of few rows would wait for its own
/// sums.
inline uint32_t block_count(int64_t rows) {
  // Divisions of 64 bits take long beside a small product.
  const uint32_t all = static_cast<uint32_t>(rows);
  return std::max((all + kMaxBlockRows - 1) / kMaxBlockRows, all / kBestBlockRows);
}

/// Some panels of C.
template <int kVectors, Elements kElements, typename T>
HWY_INLINE void panel_products(const Repeat& repeat, int64_t rows, int64_t panels, int64_t inner,
                               Left<T> a, const Right<T>& b, T* c, int64_t c_row, bool accumulate,
                               Fetch<T>& fetch) {
  const uint32_t all = static_cast<uint32_t>(rows), blocks = block_count(rows);
  const uint32_t low = all / blocks, high = all % blocks;  // blocks that have a row more
  for (const bool is_high : {true, false}) {
    const int64_t count = is_high ? high : blocks - high;
    if (count == 0) continue;
    const int64_t height = low + (is_high ? 1 : 0);
    constexpr std::make_integer_sequence<int, kMaxBlockRows> kHeights;
    const BlockProducts<T> compute =
        a.column == 1 ? block_products_of<kVectors, Along::kRow, kElements, T>(height, kHeights)
                      : block_products_of<kVectors, Along::kColumn, kElements, T>(height, kHeights);
    compute(repeat, count, panels, inner, a, b, c, c_row, accumulate, fetch);
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
template <typename T, Elements kElements = Elements::kNumbers>
void product(int64_t rows, int64_t columns, int64_t inner, Left<T> a, Right<T> b, T* c,
             int64_t c_row, bool accumulate, const Upcoming<T>& upcoming = {}) {
  if (rows == 0) return;
  if (inner == 0 && !accumulate) {
    for (int64_t m = 0; m < rows; ++m) std::fill_n(c + m * c_row, columns, T(0));
  }
  const int64_t width = panel_width<T>(), whole = columns / width * width;
  const int64_t panels_at_a_time = kMaxRight<T> / (kMaxInner * width);
  for (int64_t n = 0; n == 0 || n < whole; n += panels_at_a_time * width) {
    const int64_t panels = std::min(panels_at_a_time, (whole - n) / width);
    for (int64_t k = 0; k < inner; k += kMaxInner) {
      const int64_t step = std::min(kMaxInner, inner - k);
      const auto right_at = [&](int64_t k_at, int64_t n_at) {
        return Right<T>{b.data + n_at / width * b.panel + k_at * b.row, b.row, b.panel};
      };
      const Left<T> a_k = {a.data + k * a.column, a.row, a.column};
      const bool add = accumulate || k > 0;
      // The next part of B, or what comes after this product.
      const bool is_end = k + step == inner, is_last = is_end && n + panels * width == whole;
      const Right<T> next = is_end ? right_at(0, n + panels * width) : right_at(k + step, n);
      const bool is_in_panels = b.row == width;
      Fetch<T> fetch(is_last        ? upcoming
                     : is_in_panels ? Upcoming<T>{next.data, panels, b.panel, step * width}
                                    : Upcoming<T>{next.data, step, b.row, panels * width},
                     panels * block_count(rows));
      if (panels > 0) {
        panel_products<kBlockVectors, kElements>({}, rows, panels, step, a_k, right_at(k, n), c + n,
                                                 c_row, add, fetch);
      }
      if (n + panels * width == whole && whole < columns) {
        panel_products<1, kElements>({}, rows, 1, step, a_k, right_at(k, whole), c + whole, c_row,
                                     add, fetch);
      }
    }
  }
}

/// What of the next product is worth fetching while one runs.
enum class Next { kRight, kResult };

/// Several products of one shape, and what is wanted after them. Small ones share the calls that
/// compute them, since a call takes as long as some tens of multiply-adds.
template <typename T>
void products(const Repeat& repeat, Next next, int64_t rows, int64_t columns, int64_t inner,
              Left<T> a, Right<T> b, T* c, int64_t c_row, bool accumulate,
              const Upcoming<T>& upcoming = {}) {
  const int64_t size = inner * columns, width = panel_width<T>();
  const bool is_small = repeat.count * size <= kMaxRight<T> && inner <= kMaxInner;
  const bool is_one_vector = columns == lanes<T>();
  if (is_small && rows > 0 && inner > 0 && (is_one_vector || columns % width == 0)) {
    const int64_t panels = is_one_vector ? 1 : columns / width;
    Fetch<T> fetch(upcoming, repeat.count * panels * block_count(rows));
    return (is_one_vector
                ? panel_products<1, Elements::kNumbers, T>
                : panel_products<kBlockVectors, Elements::kNumbers, T>)(repeat, rows, panels, inner,
                                                                        a, b, c, c_row, accumulate,
                                                                        fetch);
  }
  for (int64_t number = 1; number <= repeat.count; ++number) {
    const Upcoming<T> here = next == Next::kRight ? Upcoming<T>{b.data + repeat.b, 1, size, size}
                                                  : Upcoming<T>{c + repeat.c, rows, c_row, columns};
    product<T>(rows, columns, inner, a, b, c, c_row, accumulate,
               number < repeat.count ? here : upcoming);
    a.data += repeat.a;
    b.data += repeat.b;
    c += repeat.c;
  }
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
