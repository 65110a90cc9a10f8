// Arrays and products in which a vector holds one element of as many heads as it has lanes. For the
// SIMD target that is being compiled, as gemm-inl.h.
#if defined(FLOYDNET_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_LANES_INL_H_
#undef FLOYDNET_LANES_INL_H_
#else
#define FLOYDNET_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "kernels/gemm-inl.h"
#include "kernels/pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

template <typename T>
constexpr int kLanes = hn::MaxLanes(hn::ScalableTag<T>());

template <typename T>
using LaneVec = hn::Vec<hn::ScalableTag<T>>;

template <typename T>
HWY_INLINE LaneVec<T> load_lanes(const T* from) {
  return hn::Load(hn::ScalableTag<T>(), from);
}

/// Keeps a loaded vector in its register. The compiler would rather load it again wherever it is
/// used, and products are bound by loads.
template <class V>
HWY_INLINE V held(V v) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  asm("" : "+v"(v.raw));
#endif
  return v;
}

// --- from rows of heads to lanes and back ---

/// Lanes of a block: those that shuffles exchange at no cost.
template <typename T>
constexpr int kLanesPerBlock = std::min(kLanes<T>, static_cast<int>(kBlockLanes<T>));

template <typename T>
constexpr int kLaneBlocks = kLanes<T> / kLanesPerBlock<T>;

/// A line of rows of every lane: row x of lane l is at row[l] + x * step[l], for x < count[l].
template <typename T>
struct LaneRows {
  T* row[kLanes<T>];
  int64_t step[kLanes<T>];
  int64_t count[kLanes<T>];
};

/// Row x of every lane, where the lanes of a block are heads of one graph at equal distances: all
/// addresses follow from those of the blocks.
template <typename T>
struct BlockRows {
  T* block[kLaneBlocks<T>];
  int64_t distance;

  HWY_INLINE T* at(int lane) const {
    return block[lane / kLanesPerBlock<T>] + lane % kLanesPerBlock<T> * distance;
  }
};

/// The lines of rows that BlockRows suit, for as many rows as all lanes have.
template <typename T>
struct LaneBlocks {
  static constexpr int kBlock = kLanesPerBlock<T>;

  explicit LaneBlocks(const LaneRows<T>& lanes) : length(lanes.count[0]) {
    rows.distance = lanes.row[kBlock > 1 ? 1 : 0] - lanes.row[0];
    for (int l = 0; l < kLanes<T>; ++l) {
      const int first = l / kBlock * kBlock;
      const bool fits = lanes.row[l] == lanes.row[first] + l % kBlock * rows.distance &&
                        lanes.step[l] == lanes.step[first];
      length = fits ? std::min(length, lanes.count[l]) : 0;
    }
    for (int b = 0; b < kLaneBlocks<T>; ++b) {
      rows.block[b] = lanes.row[b * kBlock];
      step[b] = lanes.step[b * kBlock];
    }
  }

  /// On to the next row; the one after it is fetched.
  HWY_INLINE void advance() {
    for (int b = 0; b < kLaneBlocks<T>; ++b) {
      rows.block[b] += step[b];
      for (int r = 0; r < kBlock; ++r) hwy::Prefetch(rows.block[b] + step[b] + r * rows.distance);
    }
  }

  BlockRows<T> rows;
  int64_t step[kLaneBlocks<T>];
  int64_t length;  // 0 where the lanes of a block are not at equal distances
};

/// A row of every lane, wherever it is.
template <typename T>
struct ApartRows {
  T* row[kLanes<T>];

  ApartRows(const LaneRows<T>& lanes, int64_t x, T* absent) {
    for (int l = 0; l < kLanes<T>; ++l) {
      row[l] = x < lanes.count[l] ? lanes.row[l] + x * lanes.step[l] : absent;
    }
  }
  HWY_INLINE T* at(int lane) const { return row[lane]; }
};

/// out[d][lane] of one row of each lane.
template <class VectorRows, typename T>
HWY_INLINE void pack_row(const VectorRows& rows, int64_t dim, T* HWY_RESTRICT out) {
  int64_t d = 0;
  for (; d + kBlockLanes<T> <= dim; d += kBlockLanes<T>) {
    transpose_block(rows, d, out + d * kLanes<T>, kLanes<T>);
  }
  for (; d < dim; ++d) {
    for (int l = 0; l < kLanes<T>; ++l) out[d * kLanes<T> + l] = rows.at(l)[d];
  }
}

/// out[x][d][lane] for x < length; zeros where a lane has no such row. `zeros` are `dim` zeros.
template <typename T>
HWY_NOINLINE void pack_lanes(const LaneRows<const T>& in, int64_t length, int64_t dim,
                             const T* zeros, T* HWY_RESTRICT out) {
  LaneBlocks<const T> blocks(in);
  int64_t x = 0;
  for (; x < blocks.length; ++x, out += dim * kLanes<T>, blocks.advance()) {
    pack_row(blocks.rows, dim, out);
  }
  for (; x < length; ++x, out += dim * kLanes<T>) {
    pack_row(ApartRows<const T>(in, x, zeros), dim, out);
  }
}

#if HWY_TARGET == HWY_SCALAR

template <class VectorRows, typename T>
HWY_INLINE void store_block(const T* in, const VectorRows& rows, int64_t offset) {
  for (int64_t e = 0; e < kBlockLanes<T>; ++e) rows.at(0)[offset + e] = in[e];
}

#else

/// Block b of the vector goes to rows.at(kFirst + b * kBlockLanes) + offset.
template <int kFirst, class D, class VectorRows>
HWY_INLINE void store_blocks(D tag, hn::Vec<D> v, const VectorRows& rows, int64_t offset) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) <= 16) {
    hn::StoreU(v, tag, rows.at(kFirst) + offset);
  } else {
    const hn::Half<D> half;
    store_blocks<kFirst>(half, hn::LowerHalf(half, v), rows, offset);
    store_blocks<kFirst + static_cast<int>(hn::MaxLanes(half))>(half, hn::UpperHalf(half, v), rows,
                                                                offset);
  }
}

/// rows.at(lane)[offset + e] = in[e][lane] for kBlockLanes elements.
template <class VectorRows>
HWY_INLINE void store_block(const float* in, const VectorRows& rows, int64_t offset) {
  const hn::ScalableTag<float> tag;
  const hn::RepartitionToWide<decltype(tag)> wide;
  constexpr int64_t kStep = kLanes<float>;
  const auto a = hn::Load(tag, in), b = hn::Load(tag, in + kStep);
  const auto c = hn::Load(tag, in + 2 * kStep), d = hn::Load(tag, in + 3 * kStep);
  const auto ab_low = hn::BitCast(wide, hn::InterleaveLower(tag, a, b));
  const auto cd_low = hn::BitCast(wide, hn::InterleaveLower(tag, c, d));
  const auto ab_high = hn::BitCast(wide, hn::InterleaveUpper(tag, a, b));
  const auto cd_high = hn::BitCast(wide, hn::InterleaveUpper(tag, c, d));
  store_blocks<0>(tag, hn::BitCast(tag, hn::InterleaveLower(wide, ab_low, cd_low)), rows, offset);
  store_blocks<1>(tag, hn::BitCast(tag, hn::InterleaveUpper(wide, ab_low, cd_low)), rows, offset);
  store_blocks<2>(tag, hn::BitCast(tag, hn::InterleaveLower(wide, ab_high, cd_high)), rows, offset);
  store_blocks<3>(tag, hn::BitCast(tag, hn::InterleaveUpper(wide, ab_high, cd_high)), rows, offset);
}
template <class VectorRows>
HWY_INLINE void store_block(const double* in, const VectorRows& rows, int64_t offset) {
  const hn::ScalableTag<double> tag;
  const auto a = hn::Load(tag, in), b = hn::Load(tag, in + kLanes<double>);
  store_blocks<0>(tag, hn::InterleaveLower(tag, a, b), rows, offset);
  store_blocks<1>(tag, hn::InterleaveUpper(tag, a, b), rows, offset);
}

#endif

/// The reverse of pack_row.
template <class VectorRows, typename T>
HWY_INLINE void unpack_row(const T* HWY_RESTRICT in, int64_t dim, const VectorRows& rows) {
  int64_t d = 0;
  for (; d + kBlockLanes<T> <= dim; d += kBlockLanes<T>) {
    store_block(in + d * kLanes<T>, rows, d);
  }
  for (; d < dim; ++d) {
    for (int l = 0; l < kLanes<T>; ++l) rows.at(l)[d] = in[d * kLanes<T> + l];
  }
}

/// The reverse of pack_lanes: rows that a lane does not have are left out. `waste` has room for a
/// row.
template <typename T>
HWY_NOINLINE void unpack_lanes(const T* HWY_RESTRICT in, int64_t length, int64_t dim,
                               const LaneRows<T>& out, T* waste) {
  LaneBlocks<T> blocks(out);
  int64_t x = 0;
  for (; x < blocks.length; ++x, in += dim * kLanes<T>, blocks.advance()) {
    unpack_row(in, dim, blocks.rows);
  }
  for (; x < length; ++x, in += dim * kLanes<T>) {
    unpack_row(in, dim, ApartRows<T>(out, x, waste));
  }
}

// --- products ---

/// What stands in two roles of a pivot together.
template <bool kMultiply, class V>
HWY_INLINE V compose(V left, V right) {
  return kMultiply ? hn::Mul(left, right) : hn::Add(left, right);
}

/// Calls visit(begin, std::integral_constant<int, count>) so that blocks of at most kMax cover a
/// length.
template <int kMax, typename Visit>
HWY_INLINE void for_each_lane_block(int64_t length, const Visit& visit) {
  int64_t begin = 0;
  for (; begin + kMax <= length; begin += kMax) {
    visit(begin, std::integral_constant<int, kMax>());
  }
  if constexpr (kMax > 1) {
    switch (length - begin) {
      case 3:
        if constexpr (kMax > 3) visit(begin, std::integral_constant<int, 3>());
        break;
      case 2:
        if constexpr (kMax > 2) visit(begin, std::integral_constant<int, 2>());
        break;
      case 1:
        visit(begin, std::integral_constant<int, 1>());
        break;
      default:
        break;
    }
  }
}

/// Operands of out[i][k][o] = sum over c of x[i][k][c] compose(left[i][o][c], right[k][o][c]), for
/// which all strides are in elements, and those of x along c and of out along o are one vector.
template <typename T>
struct ComposedProduct {
  const T *x, *left, *right;
  T* out;
  int64_t x_i, x_k;
  int64_t left_i, right_k;
  int64_t relation_o, relation_c;  // of left and right
  int64_t out_i, out_k;
};

/// For kI x kK targets and kO elements of each.
template <bool kMultiply, int kI, int kK, int kO, typename T>
HWY_INLINE void composed_block(const ComposedProduct<T>& a, int64_t o_begin, int64_t inner) {
  const hn::ScalableTag<T> tag;
  const T* x = a.x;
  const T *left = a.left + o_begin * a.relation_o, *right = a.right + o_begin * a.relation_o;
  LaneVec<T> sum[kI][kK][kO];
#pragma GCC unroll 16
  for (int s = 0; s < kI * kK * kO; ++s) sum[s / (kK * kO)][s / kO % kK][s % kO] = hn::Zero(tag);
  for (int64_t c = 0; c < inner; ++c) {
    LaneVec<T> l[kI][kO];
#pragma GCC unroll 16
    for (int s = 0; s < kI * kO; ++s) {
      l[s / kO][s % kO] = held(load_lanes(left + s / kO * a.left_i + s % kO * a.relation_o));
    }
#pragma GCC unroll 16
    for (int k = 0; k < kK; ++k) {
      LaneVec<T> x_k[kI];
#pragma GCC unroll 16
      for (int i = 0; i < kI; ++i) x_k[i] = held(load_lanes(x + i * a.x_i + k * a.x_k));
#pragma GCC unroll 16
      for (int o = 0; o < kO; ++o) {
        const LaneVec<T> r = held(load_lanes(right + k * a.right_k + o * a.relation_o));
#pragma GCC unroll 16
        for (int i = 0; i < kI; ++i) {
          sum[i][k][o] = hn::MulAdd(x_k[i], compose<kMultiply>(l[i][o], r), sum[i][k][o]);
        }
      }
    }
    x += kLanes<T>;
    left += a.relation_c;
    right += a.relation_c;
  }
  T* out = a.out + o_begin * kLanes<T>;
#pragma GCC unroll 16
  for (int s = 0; s < kI * kK * kO; ++s) {
    const int i = s / (kK * kO), k = s / kO % kK, o = s % kO;
    hn::Store(sum[i][k][o], tag, out + i * a.out_i + k * a.out_k + o * kLanes<T>);
  }
}

/// All elements of kI x kK targets.
template <bool kMultiply, int kI, int kK, typename T>
HWY_NOINLINE void composed_product(const ComposedProduct<T>& a, int64_t outer, int64_t inner) {
  int64_t o = 0;
  for (; o + 2 <= outer; o += 2) composed_block<kMultiply, kI, kK, 2>(a, o, inner);
  if (o < outer) composed_block<kMultiply, kI, kK, 1>(a, o, inner);
}

/// Operands of out[j][d] (+)= sum over c of weight[c][j] x[c][d] (times other[c][j][d]). Elements
/// of a row are side by side.
template <typename T>
struct OuterProduct {
  const T *weight, *x, *other;
  T* out;
  int64_t weight_c, x_c, other_c;
  int64_t row;  // of out and other: from j to j + 1
};

template <bool kMultiply, int kJ, int kD, typename T>
HWY_INLINE void outer_block(const OuterProduct<T>& a, int64_t j, int64_t d, int64_t inner,
                            bool accumulate) {
  const hn::ScalableTag<T> tag;
  T* out = a.out + j * a.row + d * kLanes<T>;
  LaneVec<T> sum[kJ][kD];
#pragma GCC unroll 16
  for (int s = 0; s < kJ * kD; ++s) {
    const T* before = out + s / kD * a.row + s % kD * kLanes<T>;
    sum[s / kD][s % kD] = accumulate ? load_lanes(before) : hn::Zero(tag);
  }
  const T *weight = a.weight + j * kLanes<T>, *x = a.x + d * kLanes<T>;
  const T* other = kMultiply ? a.other + j * a.row + d * kLanes<T> : nullptr;
  for (int64_t c = 0; c < inner; ++c) {
    LaneVec<T> w[kJ];
#pragma GCC unroll 16
    for (int r = 0; r < kJ; ++r) w[r] = load_lanes(weight + r * kLanes<T>);
#pragma GCC unroll 16
    for (int e = 0; e < kD; ++e) {
      const LaneVec<T> x_e = load_lanes(x + e * kLanes<T>);
#pragma GCC unroll 16
      for (int r = 0; r < kJ; ++r) {
        if constexpr (kMultiply) {
          const LaneVec<T> factor = load_lanes(other + r * a.row + e * kLanes<T>);
          sum[r][e] = hn::MulAdd(hn::Mul(w[r], x_e), factor, sum[r][e]);
        } else {
          sum[r][e] = hn::MulAdd(w[r], x_e, sum[r][e]);
        }
      }
    }
    weight += a.weight_c;
    x += a.x_c;
    if constexpr (kMultiply) other += a.other_c;
  }
#pragma GCC unroll 16
  for (int s = 0; s < kJ * kD; ++s) {
    hn::Store(sum[s / kD][s % kD], tag, out + s / kD * a.row + s % kD * kLanes<T>);
  }
}

template <bool kMultiply, typename T>
HWY_NOINLINE void outer_product(const OuterProduct<T>& a, int64_t rows, int64_t dim, int64_t inner,
                                bool accumulate) {
  for_each_lane_block<3>(rows, [&](int64_t j, auto height) HWY_ATTR {
    for_each_lane_block<4>(dim, [&](int64_t d, auto width) HWY_ATTR {
      outer_block<kMultiply, decltype(height)::value, decltype(width)::value>(a, j, d, inner,
                                                                              accumulate);
    });
  });
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
