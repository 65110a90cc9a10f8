// Tiles of targets (i, k) for the pair kernels: packing, the matrix products that a tile is made
// of, and the walk over all tiles. For the SIMD target that is being compiled, as gemm-inl.h.
#if defined(FLOYDNET_PAIR_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_PAIR_TILES_INL_H_
#undef FLOYDNET_PAIR_TILES_INL_H_
#else
#define FLOYDNET_PAIR_TILES_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "attention/kernels/pair_kernel.h"
#include "attention/kernels/view.h"

// clang-format off
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "attention/kernels/gemm-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

// Which role is which relation.
constexpr int kRight = 0;  // (j, k)
constexpr int kLeft = 1;   // (i, j)

inline int64_t round_up(int64_t n, int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// Lengths of one problem, padded for vectors.
template <typename T>
struct Shape {
  explicit Shape(const HeadView<T>& view)
      : pivots(view.pivots),
        dim(view.dim),
        pivots_padded(round_up(view.pivots, lanes<T>())),
        dim_padded(round_up(view.dim, lanes<T>())),
        panels(round_up(view.pivots, panel_width<T>()) * view.dim),
        rows(view.pivots * round_up(view.dim, lanes<T>())),
        // One vector more, since rows a power of two apart would share sets of the cache.
        score_row(round_up(view.pivots, lanes<T>()) + lanes<T>()) {}

  int64_t pivots, dim;
  int64_t pivots_padded, dim_padded;
  int64_t panels;     // elements of one relation's matrix [j, d], transposed to panels of pivots
  int64_t rows;       // the same, as rows of dim_padded
  int64_t score_row;  // from one target's scores to the next one's
};

/// The matrix [j, d] of one relation: row j is at data + j * stride. Pivots whose bias is -inf are
/// excluded for every target, so their rows are packed as zeros: what they hold must not matter.
template <typename T>
struct PivotRows {
  const T* data;
  int64_t stride;
  const T* bias;  // may be null
  int64_t bias_stride;

  bool is_excluded(int64_t j) const {
    return bias && bias[j * bias_stride] == -std::numeric_limits<T>::infinity();
  }
};

/// out: [j / width][d][j % width], zeros beyond the pivots.
template <typename T>
void pack_panels(const PivotRows<T>& in, const Shape<T>& shape, T* out) {
  const int64_t width = panel_width<T>();
  for (int64_t begin = 0; begin < shape.pivots; begin += width, out += width * shape.dim) {
    const int64_t count = std::min(width, shape.pivots - begin);
    if (count < width) std::fill_n(out, width * shape.dim, T(0));
    for (int64_t j = 0; j < count; ++j) {
      const T* row = in.data + (begin + j) * in.stride;
      const bool excluded = in.is_excluded(begin + j);
      for (int64_t d = 0; d < shape.dim; ++d) out[d * width + j] = excluded ? T(0) : row[d];
    }
  }
}

/// out: [j][dim_padded], zeros beyond d.
template <typename T>
void pack_rows(const PivotRows<T>& in, const Shape<T>& shape, T* out) {
  for (int64_t j = 0; j < shape.pivots; ++j, out += shape.dim_padded) {
    if (in.is_excluded(j)) {
      std::fill_n(out, shape.dim_padded, T(0));
      continue;
    }
    std::copy_n(in.data + j * in.stride, shape.dim, out);
    std::fill(out + shape.dim, out + shape.dim_padded, T(0));
  }
}

/// A block of first coordinates i and of second coordinates k.
struct Tile {
  Range i, k;

  int64_t height() const { return i.end - i.begin; }
  int64_t width() const { return k.end - k.begin; }
};

template <typename T>
HWY_INLINE T* at(const Strided<T>& array, int64_t i, int64_t k) {
  return array.data + i * array.stride[0] + k * array.stride[1];
}

/// out: [i][k][dim_padded] = factor * rows.
template <typename T>
void pack_targets(const Strided<const T>& in, const Tile& tile, const Shape<T>& shape, T factor,
                  T* out) {
  for (int64_t i = tile.i.begin; i < tile.i.end; ++i) {
    for (int64_t k = tile.k.begin; k < tile.k.end; ++k, out += shape.dim_padded) {
      const T* row = at(in, i, k);
      for (int64_t d = 0; d < shape.dim; ++d) out[d] = factor * row[d];
      std::fill(out + shape.dim, out + shape.dim_padded, T(0));
    }
  }
}

template <typename T>
PivotRows<T> left_rows(const Strided<const T>& values, const Strided<const T>& bias, int64_t i) {
  return {values.data + i * values.stride[0], values.stride[1],
          bias.data ? bias.data + i * bias.stride[0] : nullptr, bias.stride[1]};
}

template <typename T>
PivotRows<T> right_rows(const Strided<const T>& values, const Strided<const T>& bias, int64_t k) {
  return {values.data + k * values.stride[1], values.stride[0],
          bias.data ? bias.data + k * bias.stride[1] : nullptr, bias.stride[0]};
}

/// A matrix for each i or k of a block, one after the other.
template <typename T>
struct Packed {
  T* data = nullptr;
  int64_t size = 0;  // of one matrix

  T* operator[](int64_t index) const { return data + index * size; }
  Packed from(int64_t index) const { return {(*this)[index], size}; }
};

/// Cuts the workspace into arrays, in two goes: first counting, then handing out.
template <typename T>
class Arena {
 public:
  explicit Arena(T* memory = nullptr) : memory_(memory) {}

  T* take(int64_t size) {
    T* taken = memory_ ? memory_ + used_ : nullptr;
    used_ += round_up(size, panel_width<T>());
    return taken;
  }
  Packed<T> take(int64_t count, int64_t size) { return {take(count * size), size}; }
  int64_t used() const { return used_; }

 private:
  T* memory_;
  int64_t used_ = 0;
};

/// Calls take_arrays with an arena that has room for all that it takes: memory that the thread
/// keeps from call to call, so that no call faults pages in anew.
template <typename T, typename Take>
void with_workspace(const Take& take_arrays) {
  thread_local std::vector<T> memory;
  Arena<T> counting;
  take_arrays(counting);
  if (static_cast<int64_t>(memory.size()) < counting.used()) memory.resize(counting.used());
  Arena<T> arena(memory.data());
  take_arrays(arena);
}

/// scores[i][k][j] = x_ik . left_i j + x_ik . right_k j, for targets x: [i][k][dim_padded].
template <typename T>
void score_products(const Tile& tile, const Shape<T>& s, const T* x, const Packed<T>& left,
                    const Packed<T>& right, T* scores) {
  const int64_t height = tile.height(), width = tile.width(), panel = panel_width<T>();
  for (int64_t i = 0; i < height; ++i) {
    product<T>(width, s.pivots_padded, s.dim, {x + i * width * s.dim_padded, s.dim_padded, 1},
               {left[i], panel, panel * s.dim}, scores + i * width * s.score_row, s.score_row,
               false);
  }
  for (int64_t k = 0; k < width; ++k) {
    product<T>(height, s.pivots_padded, s.dim, {x + k * s.dim_padded, width * s.dim_padded, 1},
               {right[k], panel, panel * s.dim}, scores + k * s.score_row, width * s.score_row,
               true);
  }
}

/// out[i][k][d] = sum_j weights[i][k][j] (left_i j + right_k j).
template <typename T>
void pivot_sums(const Tile& tile, const Shape<T>& s, const T* weights, const Packed<T>& left,
                const Packed<T>& right, T* out) {
  const int64_t height = tile.height(), width = tile.width(), panel = panel_width<T>();
  for (int64_t i = 0; i < height; ++i) {
    product<T>(width, s.dim_padded, s.pivots, {weights + i * width * s.score_row, s.score_row, 1},
               {left[i], s.dim_padded, panel}, out + i * width * s.dim_padded, s.dim_padded, false);
  }
  for (int64_t k = 0; k < width; ++k) {
    product<T>(height, s.dim_padded, s.pivots, {weights + k * s.score_row, width * s.score_row, 1},
               {right[k], s.dim_padded, panel}, out + k * s.dim_padded, width * s.dim_padded, true);
  }
}

/// left_i[j][d] (or right_k) += sum over the other coordinate of weights[i][k][j] x_ik[d].
template <typename T>
void add_left_gradients(const Tile& tile, const Shape<T>& s, const T* weights, const T* x,
                        const Packed<T>& left) {
  const int64_t width = tile.width();
  for (int64_t i = 0; i < tile.height(); ++i) {
    product<T>(s.pivots, s.dim_padded, width, {weights + i * width * s.score_row, 1, s.score_row},
               {x + i * width * s.dim_padded, s.dim_padded, panel_width<T>()}, left[i],
               s.dim_padded, true);
  }
}

template <typename T>
void add_right_gradients(const Tile& tile, const Shape<T>& s, const T* weights, const T* x,
                         const Packed<T>& right) {
  const int64_t width = tile.width();
  for (int64_t k = 0; k < width; ++k) {
    product<T>(s.pivots, s.dim_padded, tile.height(),
               {weights + k * s.score_row, 1, width * s.score_row},
               {x + k * s.dim_padded, width * s.dim_padded, panel_width<T>()}, right[k],
               s.dim_padded, true);
  }
}

/// e^x for x <= 0, to about one unit in the last place; 0 for -inf, and what is no number stays so.
/// In float32: e^x = 2^n e^r with n = round(x / ln 2), ln 2 in two parts, and e^r by its series.
template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE hn::Vec<D> exp_of(D tag, hn::Vec<D> x) {
  const hn::RebindToSigned<D> int_tag;
  const auto smallest = hn::Set(tag, -87.0f);
  const auto clamped = hn::Max(x, smallest);
  const auto n = hn::NearestInt(hn::Mul(clamped, hn::Set(tag, 1.44269504f)));
  const auto whole = hn::ConvertTo(tag, n);
  auto r = hn::NegMulAdd(whole, hn::Set(tag, 0.693359375f), clamped);
  r = hn::NegMulAdd(whole, hn::Set(tag, -2.12194440e-4f), r);
  auto p = hn::Set(tag, 1.0f / 5040);
  for (const float c : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) {
    p = hn::MulAdd(p, r, hn::Set(tag, c));
  }
  const auto power = hn::BitCast(tag, hn::ShiftLeft<23>(hn::Add(n, hn::Set(int_tag, 127))));
  const auto e = hn::IfThenZeroElse(hn::Lt(x, smallest), hn::Mul(p, power));
  return hn::IfThenElse(hn::IsNaN(x), x, e);
}

template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 8>* = nullptr>
HWY_INLINE hn::Vec<D> exp_of(D tag, hn::Vec<D> x) {
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(tag, x));
}

/// What one side of a block of relations (left: by i; right: by k) needs to have packed.
template <typename T>
struct Relations {
  Packed<T> key_panels, value_panels, key_rows, value_rows;
  Packed<T> bias;  // [j], zeros beyond the pivots; null without biases

  void take(Arena<T>& arena, int64_t count, const Shape<T>& s, bool has_bias, bool backward) {
    key_panels = arena.take(count, s.panels);
    if (backward) {
      value_panels = arena.take(count, s.panels);
      key_rows = arena.take(count, s.rows);
    } else {
      value_rows = arena.take(count, s.rows);
    }
    if (has_bias) bias = arena.take(count, s.pivots_padded);
  }

  /// Fills the matrices number `index`.
  void pack(int64_t index, const PivotRows<T>& keys, const PivotRows<T>& values,
            const Shape<T>& s) const {
    pack_panels(keys, s, key_panels[index]);
    if (value_panels.data) pack_panels(values, s, value_panels[index]);
    if (key_rows.data) pack_rows(keys, s, key_rows[index]);
    if (value_rows.data) pack_rows(values, s, value_rows[index]);
    if (!bias.data) return;
    for (int64_t j = 0; j < s.pivots; ++j) bias[index][j] = keys.bias[j * keys.bias_stride];
    std::fill(bias[index] + s.pivots, bias[index] + s.pivots_padded, T(0));
  }
};

/// Walks over the tiles of a range of i and a range of k, with relations packed. The right ones are
/// packed for a wide band of k at a time, so that the left ones, packed anew for each band, are
/// used many times.
template <typename T>
class TileWalk {
 public:
  TileWalk(const HeadView<T>& view, const Shape<T>& shape) : view_(view), shape_(shape) {
    // Small graphs are one tile.
    block_ =
        std::max(view.lengths[0], view.lengths[1]) <= 2 * kPairTile ? 2 * kPairTile : kPairTile;
    band_ = std::min(round_up(view.lengths[1], block_), kBand);
  }

  int64_t block() const { return block_; }
  int64_t band() const { return band_; }
  const Relations<T>& left() const { return left_; }
  const Relations<T>& right() const { return right_; }

  void take(Arena<T>& arena, bool backward) {
    const bool has_bias = view_.bias[kLeft].data || view_.bias[kRight].data;
    left_.take(arena, block_, shape_, has_bias, backward);
    right_.take(arena, band_, shape_, has_bias, backward);
  }

  /// Visits tiles by band, then by i, then by k, and calls the visitor's begin_band, begin_rows,
  /// visit, end_rows and end_band around them.
  template <typename Visitor>
  void run(Range rows, Range columns, Visitor& visitor) const {
    for (int64_t first = columns.begin; first < columns.end; first += band_) {
      const Range band = {first, std::min(columns.end, first + band_)};
      for (int64_t k = band.begin; k < band.end; ++k) {
        right_.pack(k - first, right_rows(view_.key[kRight], view_.bias[kRight], k),
                    right_rows(view_.value[kRight], view_.bias[kRight], k), shape_);
      }
      visitor.begin_band();
      for (int64_t i = rows.begin; i < rows.end; i += block_) {
        const Range block_i = {i, std::min(rows.end, i + block_)};
        for (int64_t r = block_i.begin; r < block_i.end; ++r) {
          left_.pack(r - i, left_rows(view_.key[kLeft], view_.bias[kLeft], r),
                     left_rows(view_.value[kLeft], view_.bias[kLeft], r), shape_);
        }
        visitor.begin_rows();
        for (int64_t k = band.begin; k < band.end; k += block_) {
          visitor.visit(Tile{block_i, {k, std::min(band.end, k + block_)}}, k - first);
        }
        visitor.end_rows(block_i);
      }
      visitor.end_band(band);
    }
  }

 private:
  static constexpr int64_t kBand = 64;

  const HeadView<T>& view_;
  const Shape<T>& shape_;
  int64_t block_, band_;
  Relations<T> left_, right_;
};

/// Turns the scores of target (i, k) of a tile to logits in place: cap, biases, -inf beyond the
/// pivots. Where there is a cap, `slopes` gets d logit / d score, if it is not null.
template <typename T>
void to_logits(const HeadView<T>& view, const Shape<T>& s, const T* bias_left, const T* bias_right,
               T* scores, T* slopes) {
  constexpr T kMinusInfinity = -std::numeric_limits<T>::infinity();
  if (view.logit_cap > 0) {
    const T cap = static_cast<T>(view.logit_cap);
    for (int64_t j = 0; j < s.pivots; ++j) {
      const T t = std::tanh(scores[j] / cap);
      scores[j] = cap * t;
      if (slopes) slopes[j] = T(1) - t * t;
    }
  }
  if (bias_left) {
    const hn::ScalableTag<T> tag;
    for (int64_t j = 0; j < s.pivots_padded; j += lanes<T>()) {
      const auto bias = hn::Add(hn::LoadU(tag, bias_left + j), hn::LoadU(tag, bias_right + j));
      const auto logit = hn::Add(hn::LoadU(tag, scores + j), bias);
      // -inf excludes a pivot whatever its score is.
      const auto excluded = hn::Eq(bias, hn::Set(tag, kMinusInfinity));
      hn::StoreU(hn::IfThenElse(excluded, bias, logit), tag, scores + j);
    }
  }
  std::fill(scores + s.pivots, scores + s.pivots_padded, kMinusInfinity);
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
