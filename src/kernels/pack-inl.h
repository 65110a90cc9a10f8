// Copies of matrices as the products of gemm-inl.h want them. For the SIMD target that is being
// compiled, as gemm-inl.h.
#if defined(FLOYDNET_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_PACK_INL_H_
#undef FLOYDNET_PACK_INL_H_
#else
#define FLOYDNET_PACK_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernels/gemm-inl.h"
#include "kernels/view.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

inline int64_t round_up(int64_t n, int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// The matrix [p, d] of one role: row p is at data + p * stride. Pivots whose bias is -inf are
/// excluded for every target, so their rows are packed as zeros: what they hold must not matter.
template <typename T>
struct PivotRows {
  const T* data;
  int64_t stride;
  const T* bias;  // may be null
  int64_t bias_stride;
  int64_t count;

  bool is_excluded(int64_t p) const {
    return bias && bias[p * bias_stride] == -std::numeric_limits<T>::infinity();
  }
  /// Row p, or `zeros` where it is excluded or there is none.
  const T* row_or(int64_t p, const T* zeros) const {
    return p < count && !is_excluded(p) ? data + p * stride : zeros;
  }
};

/// The matrices of several lines.
template <typename T>
struct LineRows {
  PivotRows<T> first;
  int64_t lines;
  int64_t stride, bias_stride;  // from one line to the next
};

/// Elements of a 128-bit block, the unit within which shuffles are cheap.
template <typename T>
constexpr int64_t kBlockLanes = 16 / static_cast<int64_t>(sizeof(T));

/// Rows of as many pivots as a vector has lanes. The array is spelled out, so that the pointers
/// stay in registers.
template <typename T>
struct RowVector {
  static constexpr int kRows = hn::MaxLanes(hn::ScalableTag<T>());
  const T* row[kRows];

  HWY_INLINE RowVector(const PivotRows<T>& in, int64_t p, const T* zeros) {
    const bool are_plain = !in.bias && p + kRows <= in.count;
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      row[r] = are_plain ? in.data + (p + r) * in.stride : in.row_or(p + r, zeros);
    }
  }
  HWY_INLINE const T* at(int r) const { return row[r]; }
};

#if HWY_TARGET == HWY_SCALAR

/// out[e * out_row + p] = rows.at(p)[offset + e] for the rows of a vector and the first kBlockLanes
/// elements.
template <class VectorRows, typename T>
HWY_INLINE void transpose_block(const VectorRows& rows, int64_t offset, T* out, int64_t out_row) {
  for (int64_t e = 0; e < kBlockLanes<T>; ++e) out[e * out_row] = rows.at(0)[offset + e];
}

#else

/// Block b of the vector is at rows.at(kFirst + b * kBlockLanes) + offset.
template <int kFirst, class D, class VectorRows>
HWY_INLINE hn::Vec<D> load_blocks(D tag, const VectorRows& rows, int64_t offset) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) <= 16) {
    return hn::LoadU(tag, rows.at(kFirst) + offset);
  } else {
    const hn::Half<D> half;
    constexpr int kHalf = hn::MaxLanes(half);
    return hn::Combine(tag, load_blocks<kFirst + kHalf>(half, rows, offset),
                       load_blocks<kFirst>(half, rows, offset));
  }
}

/// As above, by shuffles within blocks.
template <class VectorRows>
HWY_INLINE void transpose_block(const VectorRows& rows, int64_t offset, float* out,
                                int64_t out_row) {
  const hn::ScalableTag<float> tag;
  const hn::RepartitionToWide<decltype(tag)> wide;
  const auto a = load_blocks<0>(tag, rows, offset), b = load_blocks<1>(tag, rows, offset);
  const auto c = load_blocks<2>(tag, rows, offset), d = load_blocks<3>(tag, rows, offset);
  const auto ab_low = hn::BitCast(wide, hn::InterleaveLower(tag, a, b));
  const auto cd_low = hn::BitCast(wide, hn::InterleaveLower(tag, c, d));
  const auto ab_high = hn::BitCast(wide, hn::InterleaveUpper(tag, a, b));
  const auto cd_high = hn::BitCast(wide, hn::InterleaveUpper(tag, c, d));
  const auto store = [&](auto pairs, int64_t e) {
    hn::StoreU(hn::BitCast(tag, pairs), tag, out + e * out_row);
  };
  store(hn::InterleaveLower(wide, ab_low, cd_low), 0);
  store(hn::InterleaveUpper(wide, ab_low, cd_low), 1);
  store(hn::InterleaveLower(wide, ab_high, cd_high), 2);
  store(hn::InterleaveUpper(wide, ab_high, cd_high), 3);
}
template <class VectorRows>
HWY_INLINE void transpose_block(const VectorRows& rows, int64_t offset, double* out,
                                int64_t out_row) {
  const hn::ScalableTag<double> tag;
  const auto a = load_blocks<0>(tag, rows, offset), b = load_blocks<1>(tag, rows, offset);
  hn::StoreU(hn::InterleaveLower(tag, a, b), tag, out);
  hn::StoreU(hn::InterleaveUpper(tag, a, b), tag, out + out_row);
}

#endif

/// out[d] = row[d]. Faster than memcpy for the short rows here.
template <typename T>
HWY_INLINE void copy_elements(const T* HWY_RESTRICT row, int64_t dim, T* HWY_RESTRICT out) {
  const hn::ScalableTag<T> tag;
  int64_t d = 0;
  for (; d + lanes<T>() <= dim; d += lanes<T>()) {
    hn::StoreU(hn::LoadU(tag, row + d), tag, out + d);
  }
  for (; d < dim; ++d) out[d] = row[d];
}

/// out[d] += row[d]
template <typename T>
HWY_INLINE void add_elements(const T* HWY_RESTRICT row, int64_t dim, T* HWY_RESTRICT out) {
  const hn::ScalableTag<T> tag;
  int64_t d = 0;
  for (; d + lanes<T>() <= dim; d += lanes<T>()) {
    hn::StoreU(hn::Add(hn::LoadU(tag, out + d), hn::LoadU(tag, row + d)), tag, out + d);
  }
  for (; d < dim; ++d) out[d] += row[d];
}

/// As copy_elements, with zeros from dim to the next whole vector.
template <typename T>
HWY_INLINE void copy_row(const T* HWY_RESTRICT row, int64_t dim, T* HWY_RESTRICT out) {
  const int64_t whole = dim / lanes<T>() * lanes<T>();
  if (whole < dim) hn::StoreU(hn::Zero(hn::ScalableTag<T>()), hn::ScalableTag<T>(), out + whole);
  copy_elements(row, dim, out);
}

/// A row of the next line, whose rows may be far from each other.
template <typename T>
HWY_INLINE void fetch_row(const T* row, int64_t dim) {
  for (int64_t d = 0; d < dim; d += kLine<T>) hwy::Prefetch(row + d);
}

/// Panels out: [p / width][d][p % width] of so many lines, each from the pivot `begin` on, a whole
/// number of vectors. Zeros beyond the last pivot; `zeros` are `dim` zeros.
template <typename T>
HWY_NOINLINE void pack_panels(const LineRows<T>& in, Range pivots, int64_t dim, int64_t width,
                              const T* zeros, T* out, int64_t out_line) {
  PivotRows<T> line = in.first;
  for (int64_t i = 0; i < in.lines;
       ++i, line.data += in.stride, line.bias += in.bias_stride, out += out_line) {
    for (int64_t p = pivots.begin; p < pivots.end; p += lanes<T>()) {
      const RowVector<T> rows(line, p, zeros);
      T* panel = out + p / width * width * dim + p % width;
      for (int r = 0; r < RowVector<T>::kRows && i + 1 < in.lines; ++r) {
        fetch_row(rows.row[r] + in.stride, dim);
      }
      int64_t d = 0;
      for (; d + kBlockLanes<T> <= dim; d += kBlockLanes<T>) {
        transpose_block(rows, d, panel + d * width, width);
      }
      for (; d < dim; ++d) {
        for (int r = 0; r < RowVector<T>::kRows; ++r) panel[d * width + r] = rows.row[r][d];
      }
    }
  }
}

/// Rows out: element (p, d) is at out + d / lanes * panel + p * row + d % lanes, dim padded to
/// whole vectors; of so many lines, for some pivots of each.
template <typename T>
HWY_NOINLINE void pack_rows(const LineRows<T>& in, Range pivots, int64_t dim, const T* zeros,
                            T* out, int64_t row, int64_t panel, int64_t out_line) {
  const hn::ScalableTag<T> tag;
  const int64_t whole = dim / lanes<T>() * lanes<T>();
  PivotRows<T> line = in.first;
  for (int64_t i = 0; i < in.lines;
       ++i, line.data += in.stride, line.bias += in.bias_stride, out += out_line) {
    for (int64_t p = pivots.begin; p < pivots.end; ++p) {
      const T* from = line.row_or(p, zeros);
      T* to = out + p * row;
      if (i + 1 < in.lines) fetch_row(from + in.stride, dim);
      for (int64_t d = 0; d < whole; d += lanes<T>(), to += panel) {
        hn::StoreU(hn::LoadU(tag, from + d), tag, to);
      }
      if (whole < dim) copy_row(from + whole, dim - whole, to);
    }
  }
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
