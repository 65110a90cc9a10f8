// Rows of scores to weights, and back again for gradients. For the SIMD target that is being
// compiled, as gemm-inl.h.
#if defined(FLOYDNET_SOFTMAX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_SOFTMAX_INL_H_
#undef FLOYDNET_SOFTMAX_INL_H_
#else
#define FLOYDNET_SOFTMAX_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

// clang-format off
#include <hwy/contrib/math/math-inl.h>
#include "kernels/gemm-inl.h"
#include "kernels/pack-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

template <typename T>
constexpr T kMinusInfinity = -std::numeric_limits<T>::infinity();

/// exp_units(kExpUnit * x) = e^x for x <= 0 (and a little above): 0 for -inf, and what is no number
/// stays so. Powers of two are cheaper than those of e, and the change of base is free where x is
/// multiplied by something anyway.
template <typename T>
constexpr T kExpUnit = T(1);
template <>
constexpr float kExpUnit<float> = 1.44269504f;

/// 2^x = 2^n 2^f, n the nearest integer to x; a polynomial that is 1 at 0 (relative error 9e-8) for
/// 2^f, and n is added to its exponent. At the smallest x that is let through, f is 0 and the
/// exponent becomes 0: the result is 0 to the bit.
template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE hn::Vec<D> exp_units(D tag, hn::Vec<D> x) {
  const hn::RebindToSigned<D> int_tag;
  // In this order, since of two operands of which one is no number x86 takes the second.
  const auto clamped = hn::Max(hn::Set(tag, -127.0f), x);
  // Adding 1.5 * 2^23 rounds to n and leaves it in the lowest bits: cheaper than instructions that
  // round and convert.
  const auto magic = hn::Set(tag, 12582912.0f);
  const auto shifted = hn::Add(clamped, magic);
  const auto f = hn::Sub(clamped, hn::Sub(shifted, magic));
  // By pairs of terms, which do not wait for each other.
  const auto f2 = hn::Mul(f, f);
  const auto p01 = hn::MulAdd(f, hn::Set(tag, 0.6931470036506653f), hn::Set(tag, 1.0f));
  const auto p23 =
      hn::MulAdd(f, hn::Set(tag, 0.05550733581185341f), hn::Set(tag, 0.24022242426872253f));
  const auto p45 =
      hn::MulAdd(f, hn::Set(tag, 0.001326472731307149f), hn::Set(tag, 0.009671512991189957f));
  const auto p = hn::MulAdd(hn::MulAdd(p45, f2, p23), f2, p01);
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(int_tag, shifted));
  return hn::BitCast(tag, hn::Add(hn::BitCast(int_tag, p), exponent));
}

template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 8>* = nullptr>
HWY_INLINE hn::Vec<D> exp_units(D tag, hn::Vec<D> x) {
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(tag, x));
}

/// Rows of several targets.
template <typename T>
struct Rows {
  T* data;
  int64_t stride;
  int64_t count;

  T* operator[](int64_t i) const { return data + i * stride; }
};

/// How the scores <q, key> of a target become logits.
template <typename T>
struct LogitRule {
  T scale;
  T cap;  // 0: none
  bool has_bias;

  /// Scores are used as they stand, and the scale is applied on the way to the exponential.
  bool is_plain() const { return cap == T(0) && !has_bias && scale > T(0); }
  /// From the row's values to exp_units.
  T exponent_scale() const { return is_plain() ? scale * kExpUnit<T> : kExpUnit<T>; }
};

/// Turns the scores of one target to logits in place. Where there is a cap, `slopes` gets
/// d logit / d (scale * score), if it is not null. `biases` are one for each role, or none.
template <typename T>
void to_logits(const LogitRule<T>& rule, const T* const* biases, int bias_count, int64_t pivots,
               T* row, T* slopes) {
  const hn::ScalableTag<T> tag;
  const auto scale = hn::Set(tag, rule.scale);
  for (int64_t p = 0; p < pivots; p += lanes<T>()) {
    hn::StoreU(hn::Mul(hn::LoadU(tag, row + p), scale), tag, row + p);
  }
  if (rule.cap > T(0)) {
    for (int64_t p = 0; p < pivots; ++p) {
      const T t = std::tanh(row[p] / rule.cap);
      row[p] = rule.cap * t;
      if (slopes) slopes[p] = T(1) - t * t;
    }
  }
  const auto excluded = hn::Set(tag, kMinusInfinity<T>);
  for (int r = 0; r < bias_count; ++r) {
    for (int64_t p = 0; p < pivots; p += lanes<T>()) {
      const auto bias = hn::LoadU(tag, biases[r] + p);
      const auto before = hn::LoadU(tag, row + p);
      // -inf excludes a pivot whatever else is said of it.
      const auto is_excluded = hn::Or(hn::Eq(bias, excluded), hn::Eq(before, excluded));
      hn::StoreU(hn::IfThenElse(is_excluded, excluded, hn::Add(before, bias)), tag, row + p);
    }
  }
}

// Max may pass over what is no number, which must not be taken for a row of -inf.
template <typename T>
bool has_nan(const T* row, int64_t pivots) {
  return std::any_of(row, row + pivots, [](T x) { return std::isnan(x); });
}

#if HWY_TARGET == HWY_SCALAR

template <class D, class Combine>
HWY_INLINE hn::Vec<D> reduce_lanes(D /*tag*/, const hn::Vec<D>* vectors, const Combine&) {
  return vectors[0];
}

#else

/// The blocks of a vector combined.
template <class D, class Combine>
HWY_INLINE auto combine_blocks(D /*tag*/, hn::Vec<D> v, const Combine& combine) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) <= 16) {
    return v;
  } else {
    const hn::Half<D> half;
    return combine_blocks(half, combine(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), combine);
  }
}

/// Lane i of the result is all lanes of vectors[i] combined, for as many vectors as a block has
/// lanes. Interleaved, they are reduced together, in half the instructions that one at a time would
/// take.
template <class D, class Combine, typename T = hn::TFromD<D>>
HWY_INLINE auto reduce_lanes(D tag, const hn::Vec<D>* vectors, const Combine& combine) {
  const auto halve = [&](auto of, hn::Vec<D> a, hn::Vec<D> b) HWY_ATTR {
    const auto x = hn::BitCast(of, a), y = hn::BitCast(of, b);
    return combine(hn::BitCast(tag, hn::InterleaveLower(of, x, y)),
                   hn::BitCast(tag, hn::InterleaveUpper(of, x, y)));
  };
  auto all = halve(tag, vectors[0], vectors[1]);
  if constexpr (sizeof(T) == 4) {
    all = halve(hn::RepartitionToWide<D>(), all, halve(tag, vectors[2], vectors[3]));
  }
  return combine_blocks(tag, all, combine);
}

#endif

/// Rows that are exponentiated together: as many as a block has lanes.
template <typename T>
constexpr int kRowGroup = HWY_TARGET == HWY_SCALAR ? 1 : static_cast<int>(kBlockLanes<T>);

/// The rows of a group, from `begin` on; where there are fewer, the last one stands for the rest.
template <typename T>
struct RowGroup {
  T* row[kRowGroup<T>];
  int64_t count;

  RowGroup(const Rows<T>& rows, int64_t begin) : count(rows.count - begin) {
    T* next = rows[begin];
#pragma GCC unroll 4
    for (int i = 0; i < kRowGroup<T>; ++i) {
      row[i] = next;
      if (i + 1 < count) next += rows.stride;
    }
  }
};

/// The largest of each row of a group.
template <typename T>
HWY_INLINE auto group_maxima(const RowGroup<T>& group, int64_t pivots_padded) {
  const hn::ScalableTag<T> tag;
  hn::Vec<decltype(tag)> max[kRowGroup<T>];
#pragma GCC unroll 4
  for (int i = 0; i < kRowGroup<T>; ++i) max[i] = hn::LoadU(tag, group.row[i]);
  for (int64_t p = lanes<T>(); p < pivots_padded; p += lanes<T>()) {
#pragma GCC unroll 4
    for (int i = 0; i < kRowGroup<T>; ++i) {
      max[i] = hn::Max(max[i], hn::LoadU(tag, group.row[i] + p));
    }
  }
  return reduce_lanes(tag, max, [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); });
}

/// The rows of a group exponentiated, and their sums.
template <bool kKeep, typename T>
HWY_INLINE auto exponentiate_group(const RowGroup<T>& group, int64_t pivots_padded,
                                   T exponent_scale, const RowGroup<T>& kept, const T* maxima) {
  const hn::ScalableTag<T> tag;
  using V = hn::Vec<decltype(tag)>;
  const V scale = hn::Set(tag, exponent_scale);
  V sum[kRowGroup<T>];
#pragma GCC unroll 4
  for (int i = 0; i < kRowGroup<T>; ++i) {
    const V shift = hn::Mul(hn::Set(tag, maxima[i]), scale);
    T* row = group.row[i];
    sum[i] = hn::Zero(tag);
    if (i >= group.count) continue;
    for (int64_t p = 0; p < pivots_padded; p += lanes<T>()) {
      const V e = exp_units(tag, hn::MulSub(hn::LoadU(tag, row + p), scale, shift));
      hn::StoreU(e, tag, row + p);
      if (kKeep) hn::StoreU(e, tag, kept.row[i] + p);
      sum[i] = hn::Add(sum[i], e);
    }
  }
  return reduce_lanes(tag, sum, [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); });
}

/// rows[i] = exp(rows[i] - maxima[i]), in place and, if kKeep, to kept[i]; factors[i] makes the sum
/// 1. Where no pivot is admissible, all logits being -inf, the row and its factor become 0. maxima
/// and factors have room for whole groups.
template <bool kKeep, typename T>
void exponentiate(const Rows<T>& rows, int64_t pivots_padded, T exponent_scale, const Rows<T>& kept,
                  T* maxima, T* factors) {
  const hn::CappedTag<T, kRowGroup<T>> tag;
  for (int64_t begin = 0; begin < rows.count; begin += kRowGroup<T>) {
    const RowGroup<T> group(rows, begin);
    const auto max = group_maxima(group, pivots_padded);
    hn::StoreU(max, tag, maxima + begin);
    if (hn::AllFalse(tag, hn::Eq(max, hn::Set(tag, kMinusInfinity<T>)))) continue;
    for (int i = 0; i < kRowGroup<T>; ++i) {
      T& max_i = maxima[begin + i];
      if (max_i == kMinusInfinity<T> && !has_nan(group.row[i], pivots_padded)) max_i = T(0);
    }
  }
  for (int64_t begin = 0; begin < rows.count; begin += kRowGroup<T>) {
    const RowGroup<T> group(rows, begin), kept_group(kKeep ? kept : rows, begin);
    const auto sum =
        exponentiate_group<kKeep>(group, pivots_padded, exponent_scale, kept_group, maxima + begin);
    const auto factor = hn::Div(hn::Set(tag, T(1)), sum);
    hn::StoreU(hn::IfThenZeroElse(hn::Eq(sum, hn::Zero(tag)), factor), tag, factors + begin);
  }
}

/// The softmax of one target over some pivots, but for the exponentials.
template <typename T>
struct Normaliser {
  T max;
  T factor;  // 0: no pivot is admissible
};

/// The softmax over two sets of pivots: `all`, and what is left in it of the normalised sums of the
/// first set and of the plain sums of the second.
template <typename T>
struct Merged {
  Normaliser<T> all;
  T first_share, second_share;
};

template <typename T>
Merged<T> merge_softmax(T exponent_scale, Normaliser<T> first, Normaliser<T> second) {
  if (second.factor == T(0)) return {first, T(1), T(0)};
  if (first.factor == T(0)) return {second, T(0), second.factor};
  const T max = std::max(first.max, second.max), scale = exponent_scale / kExpUnit<T>;
  const T first_weight = std::exp((first.max - max) * scale);
  const T second_weight = std::exp((second.max - max) * scale);
  const T factor = T(1) / (first_weight / first.factor + second_weight / second.factor);
  return {{max, factor}, first_weight / first.factor * factor, second_weight * factor};
}

/// What backward knows of one target's softmax.
template <typename T>
struct RowState {
  T max;
  T factor;  // 0: no pivot is admissible
  T delta;   // <out, dout>
};

/// The weights of one target, from its logits or from what exponentiate left in `kept`, if that is
/// not null: weight(p) is the vector of those from pivot p on.
template <typename T>
struct WeightSource {
  const T* logits;
  const T* kept;
  RowState<T> state;
  T exponent_scale;

  template <class D>
  HWY_INLINE hn::Vec<D> weight(D tag, int64_t p) const {
    const auto factor = hn::Set(tag, state.factor);
    if (kept) return hn::Mul(hn::LoadU(tag, kept + p), factor);
    const auto scale = hn::Set(tag, exponent_scale);
    const auto shift = hn::Set(tag, state.max * exponent_scale);
    return hn::Mul(exp_units(tag, hn::MulSub(hn::LoadU(tag, logits + p), scale, shift)), factor);
  }
};

/// weights = the softmax; gradients, of its outputs, become those of the scores:
/// dscore = scale * weight * (dweight - delta).
template <typename T>
HWY_INLINE void plain_gradients(const WeightSource<T>& source, T scale, int64_t pivots_padded,
                                T* weights, T* gradients) {
  const hn::ScalableTag<T> tag;
  const auto delta = hn::Set(tag, source.state.delta), factor = hn::Set(tag, scale);
  for (int64_t p = 0; p < pivots_padded; p += lanes<T>()) {
    const auto weight = source.weight(tag, p);
    const auto centred = hn::Mul(hn::Sub(hn::LoadU(tag, gradients + p), delta), factor);
    hn::StoreU(weight, tag, weights + p);
    hn::StoreU(hn::Mul(weight, centred), tag, gradients + p);
  }
}

/// As plain_gradients, but weights are multiplied by `keep` (dropout), and the gradients are those
/// of the logits.
template <typename T>
void logit_gradients(const WeightSource<T>& source, const T* keep, int64_t pivots_padded,
                     T* weights, T* gradients) {
  const hn::ScalableTag<T> tag;
  const auto delta = hn::Set(tag, source.state.delta);
  for (int64_t p = 0; p < pivots_padded; p += lanes<T>()) {
    const auto weight = source.weight(tag, p), kept = hn::LoadU(tag, keep + p);
    const auto dweight = hn::Mul(hn::LoadU(tag, gradients + p), kept);
    hn::StoreU(hn::Mul(weight, kept), tag, weights + p);
    hn::StoreU(hn::Mul(weight, hn::Sub(dweight, delta)), tag, gradients + p);
  }
}

/// Gradients of logits become those of scores.
template <typename T>
void through_cap(const T* slopes, T scale, int64_t pivots_padded, T* gradients) {
  const hn::ScalableTag<T> tag;
  for (int64_t p = 0; p < pivots_padded; p += lanes<T>()) {
    const auto dlogit = hn::LoadU(tag, gradients + p);
    const auto slope = hn::Mul(hn::LoadU(tag, slopes + p), hn::Set(tag, scale));
    // Where a pivot is excluded or beyond the last, the slope may be no number.
    const auto is_zero = hn::Eq(dlogit, hn::Zero(tag));
    hn::StoreU(hn::IfThenZeroElse(is_zero, hn::Mul(dlogit, slope)), tag, gradients + p);
  }
}

/// out[d] = factor * row[d] for d < dim; both have room for whole vectors if dim is such.
template <typename T>
HWY_INLINE void scale_row(T factor, const T* row, int64_t dim, T* out) {
  const hn::ScalableTag<T> tag;
  int64_t d = 0;
  for (; d + lanes<T>() <= dim; d += lanes<T>()) {
    hn::StoreU(hn::Mul(hn::LoadU(tag, row + d), hn::Set(tag, factor)), tag, out + d);
  }
  for (; d < dim; ++d) out[d] = factor * row[d];
}

/// out[d] = factor * row[d] + out_factor * out[d]
template <typename T>
HWY_INLINE void mix_rows(T factor, const T* row, int64_t dim, T out_factor, T* out) {
  const hn::ScalableTag<T> tag;
  int64_t d = 0;
  for (; d + lanes<T>() <= dim; d += lanes<T>()) {
    const auto before = hn::Mul(hn::LoadU(tag, out + d), hn::Set(tag, out_factor));
    hn::StoreU(hn::MulAdd(hn::LoadU(tag, row + d), hn::Set(tag, factor), before), tag, out + d);
  }
  for (; d < dim; ++d) out[d] = factor * row[d] + out_factor * out[d];
}

/// out[i] = <a[i], b[i]> for all rows; there is room for whole groups.
template <typename T>
void dot_rows(const Rows<T>& a, const Rows<T>& b, int64_t dim, T* out) {
  const hn::ScalableTag<T> tag;
  const int64_t whole = dim / lanes<T>() * lanes<T>();
  for (int64_t begin = 0; begin < a.count; begin += kRowGroup<T>) {
    const RowGroup<T> x(a, begin), y(b, begin);
    hn::Vec<decltype(tag)> sum[kRowGroup<T>];
#pragma GCC unroll 4
    for (int i = 0; i < kRowGroup<T>; ++i) {
      sum[i] = hn::Zero(tag);
      for (int64_t d = 0; d < whole; d += lanes<T>()) {
        sum[i] = hn::MulAdd(hn::LoadU(tag, x.row[i] + d), hn::LoadU(tag, y.row[i] + d), sum[i]);
      }
    }
    const auto sums = reduce_lanes(tag, sum, [](auto u, auto v) HWY_ATTR { return hn::Add(u, v); });
    hn::StoreU(sums, hn::CappedTag<T, kRowGroup<T>>(), out + begin);
    for (int i = 0; i < kRowGroup<T> && whole < dim; ++i) {
      for (int64_t d = whole; d < dim; ++d) out[begin + i] += x.row[i][d] * y.row[i][d];
    }
  }
}

/// sums[p] += terms[p]
template <typename T>
HWY_INLINE void add_row(const T* terms, int64_t length_padded, T* sums) {
  const hn::ScalableTag<T> tag;
  for (int64_t p = 0; p < length_padded; p += lanes<T>()) {
    hn::StoreU(hn::Add(hn::LoadU(tag, sums + p), hn::LoadU(tag, terms + p)), tag, sums + p);
  }
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
