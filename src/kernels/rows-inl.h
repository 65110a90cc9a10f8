// Normalisation and activation of rows. For the SIMD target that is being compiled, as gemm-inl.h.
#if defined(FLOYDNET_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_ROWS_INL_H_
#undef FLOYDNET_ROWS_INL_H_
#else
#define FLOYDNET_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstdint>

#include "kernels/block_kernel.h"
#include "kernels/gemm-inl.h"
#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

/// sum of term(tag, d) over whole vectors of [0, dim).
template <typename T, typename Term>
HWY_INLINE T sum_over(int64_t dim, const Term& term) {
  const hn::ScalableTag<T> tag;
  // Two sums, since one would wait for itself.
  auto even = hn::Zero(tag), odd = hn::Zero(tag);
  int64_t d = 0;
  for (; d + 2 * lanes<T>() <= dim; d += 2 * lanes<T>()) {
    even = hn::Add(even, term(tag, d));
    odd = hn::Add(odd, term(tag, d + lanes<T>()));
  }
  if (d < dim) even = hn::Add(even, term(tag, d));
  return hn::GetLane(hn::SumOfLanes(tag, hn::Add(even, odd)));
}

/// Mean and 1 / deviation of a row; a mean of 0 where there is no bias, for the root mean square.
template <typename T>
HWY_INLINE void row_statistics(const T* x, int64_t dim, double eps, bool is_rms, T* stats) {
  T mean = 0;
  if (!is_rms) {
    mean = sum_over<T>(dim, [&](auto tag, int64_t d) { return hn::LoadU(tag, x + d); }) / dim;
  }
  const T square = sum_over<T>(dim, [&](auto tag, int64_t d) {
    const auto centred = hn::Sub(hn::LoadU(tag, x + d), hn::Set(tag, mean));
    return hn::Mul(centred, centred);
  });
  stats[0] = mean;
  stats[1] = T(1) / std::sqrt(square / dim + static_cast<T>(eps));
}

/// out = (x - mean) / deviation * weight + bias
template <typename T>
HWY_INLINE void normalise(const T* x, int64_t dim, const T* stats, const NormWeights<T>& norm,
                          T* out) {
  const hn::ScalableTag<T> tag;
  const auto mean = hn::Set(tag, stats[0]), factor = hn::Set(tag, stats[1]);
  for (int64_t d = 0; d < dim; d += lanes<T>()) {
    const auto unit = hn::Mul(hn::Sub(hn::LoadU(tag, x + d), mean), factor);
    const auto scaled = hn::Mul(unit, hn::LoadU(tag, norm.weight + d));
    hn::StoreU(norm.bias ? hn::Add(scaled, hn::LoadU(tag, norm.bias + d)) : scaled, tag, out + d);
  }
}

/// out = through + the gradient of x, given that of the normalised row, dz; adds to the gradients
/// [2, dim] of weight and bias.
template <typename T>
HWY_INLINE void normalise_backward(const T* x, const T* dz, const T* through, int64_t dim,
                                   const T* stats, const NormWeights<T>& norm, T* dnorm, T* out) {
  const hn::ScalableTag<T> tag;
  const auto mean = hn::Set(tag, stats[0]), factor = hn::Set(tag, stats[1]);
  const auto unit_at = [&](auto t, int64_t d) {
    return hn::Mul(hn::Sub(hn::LoadU(t, x + d), mean), factor);
  };
  const auto dunit_at = [&](auto t, int64_t d) {
    return hn::Mul(hn::LoadU(t, dz + d), hn::LoadU(t, norm.weight + d));
  };
  const T along_unit =
      sum_over<T>(dim, [&](auto t, int64_t d) { return hn::Mul(unit_at(t, d), dunit_at(t, d)); }) /
      dim;
  const T along_mean = norm.bias ? sum_over<T>(dim, dunit_at) / dim : T(0);
  for (int64_t d = 0; d < dim; d += lanes<T>()) {
    const auto unit = unit_at(tag, d), dz_d = hn::LoadU(tag, dz + d);
    const auto rest = hn::Sub(hn::Sub(dunit_at(tag, d), hn::Set(tag, along_mean)),
                              hn::Mul(unit, hn::Set(tag, along_unit)));
    hn::StoreU(hn::MulAdd(rest, factor, hn::LoadU(tag, through + d)), tag, out + d);
    hn::StoreU(hn::MulAdd(dz_d, unit, hn::LoadU(tag, dnorm + d)), tag, dnorm + d);
    hn::StoreU(hn::Add(dz_d, hn::LoadU(tag, dnorm + dim + d)), tag, dnorm + dim + d);
  }
}

/// The normal distribution's function and density.
template <class V>
struct Normal {
  V below;
  V density;
};

/// Abramowitz and Stegun 7.1.26: an error below 8e-8 of the function.
template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE Normal<hn::Vec<D>> normal_at(D tag, hn::Vec<D> x) {
  const auto z = hn::Mul(hn::Abs(x), hn::Set(tag, 0.70710678f));
  const auto t =
      hn::Div(hn::Set(tag, 1.0f), hn::MulAdd(z, hn::Set(tag, 0.3275911f), hn::Set(tag, 1.0f)));
  auto p = hn::Set(tag, 1.061405429f);
  p = hn::MulAdd(p, t, hn::Set(tag, -1.453152027f));
  p = hn::MulAdd(p, t, hn::Set(tag, 1.421413741f));
  p = hn::MulAdd(p, t, hn::Set(tag, -0.284496736f));
  p = hn::MulAdd(p, t, hn::Set(tag, 0.254829592f));
  const auto e = exp_units(tag, hn::Mul(hn::Mul(z, z), hn::Set(tag, -kExpUnit<float>)));
  const auto tail = hn::Mul(hn::Mul(hn::Mul(p, t), e), hn::Set(tag, 0.5f));
  const auto is_below = hn::Lt(x, hn::Zero(tag));
  return {hn::IfThenElse(is_below, tail, hn::Sub(hn::Set(tag, 1.0f), tail)),
          hn::Mul(e, hn::Set(tag, 0.39894228f))};
}

template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 8>* = nullptr>
HWY_INLINE Normal<hn::Vec<D>> normal_at(D tag, hn::Vec<D> x) {
  HWY_ALIGN double in[hn::MaxLanes(D())], below[hn::MaxLanes(D())], density[hn::MaxLanes(D())];
  hn::Store(x, tag, in);
  for (size_t i = 0; i < hn::Lanes(tag); ++i) {
    below[i] = 0.5 * std::erfc(-in[i] * 0.70710678118654752440);
    density[i] = std::exp(-0.5 * in[i] * in[i]) * 0.39894228040143267794;
  }
  return {hn::Load(tag, below), hn::Load(tag, density)};
}

/// 1 / (1 + e^-x)
template <class D>
HWY_INLINE hn::Vec<D> sigmoid(D tag, hn::Vec<D> x) {
  using T = hn::TFromD<D>;
  const auto one = hn::Set(tag, T(1));
  const auto e = exp_units(tag, hn::Mul(hn::Abs(x), hn::Set(tag, -kExpUnit<T>)));
  const auto above = hn::Div(one, hn::Add(one, e));
  return hn::IfThenElse(hn::Lt(x, hn::Zero(tag)), hn::Sub(one, above), above);
}

template <class V>
struct Activated {
  V value;
  V slope;
};

template <BlockActivation kActivation, class D>
HWY_INLINE Activated<hn::Vec<D>> activate(D tag, hn::Vec<D> x) {
  if constexpr (kActivation == BlockActivation::kGelu) {
    const auto normal = normal_at(tag, x);
    return {hn::Mul(x, normal.below), hn::MulAdd(x, normal.density, normal.below)};
  } else if constexpr (kActivation == BlockActivation::kSilu) {
    const auto s = sigmoid(tag, x);
    const auto one = hn::Set(tag, hn::TFromD<D>(1));
    return {hn::Mul(x, s), hn::Mul(s, hn::MulAdd(x, hn::Sub(one, s), one))};
  } else {
    // What is no number stays so, as does its gradient in libtorch.
    const auto is_off = hn::Le(x, hn::Zero(tag));
    return {hn::IfThenZeroElse(is_off, x),
            hn::IfThenZeroElse(is_off, hn::Set(tag, hn::TFromD<D>(1)))};
  }
}

/// out = activation(in)
template <BlockActivation kActivation, typename T>
void activate_elements(const T* in, int64_t count, T* out) {
  const hn::ScalableTag<T> tag;
  for (int64_t i = 0; i < count; i += lanes<T>()) {
    hn::StoreU(activate<kActivation>(tag, hn::LoadU(tag, in + i)).value, tag, out + i);
  }
}

/// out = activation(in); gradient is multiplied by the slopes.
template <BlockActivation kActivation, typename T>
void activate_backward(const T* in, int64_t count, T* out, T* gradient) {
  const hn::ScalableTag<T> tag;
  for (int64_t i = 0; i < count; i += lanes<T>()) {
    const auto activated = activate<kActivation>(tag, hn::LoadU(tag, in + i));
    hn::StoreU(activated.value, tag, out + i);
    hn::StoreU(hn::Mul(activated.slope, hn::LoadU(tag, gradient + i)), tag, gradient + i);
  }
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
