#include "tasks/brec/data/lanes.h"

#include <array>
#include <cstring>

#include "base/simd_target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tasks/brec/data/lanes.cc"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

// Vectors are passed between functions of this file only, all of them inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

HWY_BEFORE_NAMESPACE();
namespace floydnet::brec::HWY_NAMESPACE {

// The compiler's own vectors: four numbers on every target, whatever its registers hold.
using Lanes [[gnu::vector_size(kLanes * 8)]] = double;
using LaneBits [[gnu::vector_size(kLanes * 8)]] = int64_t;

[[gnu::always_inline]] inline Lanes load(const double* from) {
  Lanes x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

[[gnu::always_inline]] inline void store(const Lanes& x, double* to) {
  std::memcpy(to, &x, sizeof x);
}

/// e^x for x <= 0; e^-708 for what is below. x = n log 2 + f, e^f by its power series, which errs
/// by 2e-16 at most for |f| <= log(2) / 2, and n is added to the exponent.
[[gnu::always_inline]] inline Lanes exp_of(const Lanes& argument) {
  constexpr double kToBits = 0x1.8p52;  // n comes to stand in the lowest bits
  constexpr std::array<double, 14> kInverseFactorials = {1.0,
                                                         1.0,
                                                         1.0 / 2,
                                                         1.0 / 6,
                                                         1.0 / 24,
                                                         1.0 / 120,
                                                         1.0 / 720,
                                                         1.0 / 5040,
                                                         1.0 / 40320,
                                                         1.0 / 362880,
                                                         1.0 / 3628800,
                                                         1.0 / 39916800,
                                                         1.0 / 479001600,
                                                         1.0 / 6227020800};
  const Lanes least = Lanes{} - 708.0;
  const Lanes x = argument > least ? argument : least;
  const Lanes shifted = x * 1.4426950408889634 + kToBits;
  const Lanes n = shifted - kToBits;
  const Lanes f = (x - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
  Lanes p = Lanes{} + kInverseFactorials[13];
  for (int i = 12; i >= 0; --i) p = p * f + kInverseFactorials[static_cast<size_t>(i)];
  LaneBits bits, exponent;
  std::memcpy(&bits, &p, sizeof p);
  std::memcpy(&exponent, &shifted, sizeof shifted);
  bits += exponent << 52;
  std::memcpy(&p, &bits, sizeof p);
  return p;
}

/// logits[p] = sum over roles and channels of queries * states, for one head; returns the largest.
/// kDim 0: known at run time only.
template <int kOrder, int kDim>
[[gnu::always_inline]] inline Lanes find_logits(const LaneAttention& its, const double* queries,
                                                const double* states, const uint32_t* sources,
                                                double* logits) {
  const int64_t dim = kDim > 0 ? kDim : its.dim;
  Lanes most = Lanes{} - 1e300;
  for (int64_t p = 0; p < its.pivots; ++p, sources += kOrder) {
    std::array<Lanes, kOrder> by_role;  // one sum would wait for itself
    for (int r = 0; r < kOrder; ++r) {
      const double* state = states + sources[r] * its.stride;
      const double* query = queries + r * dim * kLanes;
      Lanes sum = load(query) * load(state);
      for (int64_t c = 1; c < dim; ++c) sum += load(query + c * kLanes) * load(state + c * kLanes);
      by_role[r] = sum;
    }
    Lanes logit = by_role[0];
    for (int r = 1; r < kOrder; ++r) logit += by_role[r];
    most = logit > most ? logit : most;
    store(logit, logits + p * kLanes);
  }
  return most;
}

/// out[r, c] = sum over pivots of weights * states, for one head.
template <int kOrder, int kDim>
[[gnu::always_inline]] inline void add_states(const LaneAttention& its, const double* states,
                                              const uint32_t* sources, const double* weights,
                                              const Lanes& factor, double* out) {
  if constexpr (kDim > 0) {
    std::array<Lanes, kOrder * kDim> sums{};
    for (int64_t i = 0; i < its.pivots; ++i) {
      const int64_t p = its.in_order[i];
      const Lanes weight = load(weights + p * kLanes);
      for (int r = 0; r < kOrder; ++r) {
        const double* state = states + sources[p * kOrder + r] * its.stride;
        for (int c = 0; c < kDim; ++c) sums[r * kDim + c] += weight * load(state + c * kLanes);
      }
    }
    for (int i = 0; i < kOrder * kDim; ++i) store(sums[i] * factor, out + i * kLanes);
  } else {
    for (int64_t i = 0; i < kOrder * its.dim; ++i) {
      const int64_t r = i / its.dim, c = i % its.dim;
      Lanes sum{};
      for (int64_t at = 0; at < its.pivots; ++at) {
        const int64_t p = its.in_order[at];
        sum += load(weights + p * kLanes) *
               load(states + sources[p * kOrder + r] * its.stride + c * kLanes);
      }
      store(sum * factor, out + i * kLanes);
    }
  }
}

/// Has cells brought into the second-level cache.
template <int kCount>
[[gnu::always_inline]] inline void fetch(const double* states, int64_t stride,
                                         const uint32_t* cells) {
  constexpr int64_t kLine = 8;  // numbers
  for (int i = 0; i < kCount; ++i) {
    const double* state = states + cells[i] * stride;
    for (int64_t at = 0; at < stride; at += kLine) __builtin_prefetch(state + at, 0, 2);
  }
}

template <int kOrder, int kDim>
[[gnu::always_inline]] inline void attend_dim(const LaneAttention& its, const double* queries,
                                              const double* states, const uint32_t* sources,
                                              const uint32_t* coming, double* weights,
                                              double* out) {
  for (int64_t head = 0; head < its.heads; ++head) {
    const Lanes most = find_logits<kOrder, kDim>(its, queries + head * kOrder * its.dim * kLanes,
                                                 states, sources, weights);
    Lanes total{};
    for (int64_t i = 0; i < its.pivots; ++i) {
      const int64_t p = its.in_order[i];
      const Lanes weight = exp_of(load(weights + p * kLanes) - most);
      total += weight;
      store(weight, weights + p * kLanes);
      if (head == 0 && coming != nullptr) fetch<kOrder>(states, its.stride, coming + i * kOrder);
    }
    add_states<kOrder, kDim>(its, states, sources, weights, 1 / total,
                             out + head * kOrder * its.dim * kLanes);
  }
}

template <int kOrder>
[[gnu::always_inline]] inline void attend_order(const LaneAttention& its, const double* queries,
                                                const double* states, const uint32_t* sources,
                                                const uint32_t* coming, double* weights,
                                                double* out) {
  switch (its.dim) {
    case 2:
      return attend_dim<kOrder, 2>(its, queries, states, sources, coming, weights, out);
    case 4:
      return attend_dim<kOrder, 4>(its, queries, states, sources, coming, weights, out);
    case 8:
      return attend_dim<kOrder, 8>(its, queries, states, sources, coming, weights, out);
    default:
      return attend_dim<kOrder, 0>(its, queries, states, sources, coming, weights, out);
  }
}

void Attend(const LaneAttention& its, const double* queries, const double* states,
            const uint32_t* sources, const uint32_t* coming, double* weights, double* out) {
  switch (its.order) {
    case 2:
      return attend_order<2>(its, queries, states, sources, coming, weights, out);
    case 3:
      return attend_order<3>(its, queries, states, sources, coming, weights, out);
    default:
      return attend_order<4>(its, queries, states, sources, coming, weights, out);
  }
}

void Multiply(const double* w, int64_t in, int64_t out, const double* x, double* y, bool add) {
  for (int64_t o = 0; o < out; ++o) {
    Lanes sum = add ? load(y + o * kLanes) : Lanes{};
    for (int64_t i = 0; i < in; ++i) sum += w[o * in + i] * load(x + i * kLanes);
    store(sum, y + o * kLanes);
  }
}

void AddPower(const double* x, const double* centre, int64_t width, double weight, int power,
              double* sum, double* rest) {
  for (int64_t i = 0; i < width * kLanes; i += kLanes) {
    const Lanes distance = load(x + i) - load(centre + i);
    const Lanes term = weight * (power == 2 ? distance * distance : distance);
    const Lanes before = load(sum + i), after = before + term;
    const Lanes added = after - before;
    store(load(rest + i) + ((before - (after - added)) + (term - added)), rest + i);
    store(after, sum + i);
  }
}

}  // namespace floydnet::brec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace floydnet::brec {

HWY_EXPORT(Attend);
HWY_EXPORT(Multiply);
HWY_EXPORT(AddPower);

void LaneAttention::attend(const double* queries, const double* states, const uint32_t* sources,
                           const uint32_t* coming, double* weights, double* out) const {
  choose_simd_target();
  HWY_DYNAMIC_DISPATCH(Attend)(*this, queries, states, sources, coming, weights, out);
}

void multiply_lanes(const double* w, int64_t in, int64_t out, const double* x, double* y,
                    bool add) {
  choose_simd_target();
  HWY_DYNAMIC_DISPATCH(Multiply)(w, in, out, x, y, add);
}

void add_power_lanes(const double* x, const double* centre, int64_t width, double weight, int power,
                     double* sum, double* rest) {
  choose_simd_target();
  HWY_DYNAMIC_DISPATCH(AddPower)(x, centre, width, weight, power, sum, rest);
}

}  // namespace floydnet::brec
#endif
