// Numbers rounded to bfloat16, two in an element, for products of Elements::kPairs. For the SIMD
// target that is being compiled, as gemm-inl.h.
#if defined(FLOYDNET_BFLOAT16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_BFLOAT16_INL_H_
#undef FLOYDNET_BFLOAT16_INL_H_
#else
#define FLOYDNET_BFLOAT16_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

/// Whether products of pairs are compiled for numbers of type T.
template <typename T>
constexpr bool kHasPairs = sizeof(T) == 4 && HWY_TARGET <= HWY_AVX3&& HWY_ARCH_X86_64;

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86_64

/// The bits of x rounded to bfloat16, ties to even, in the upper half; what is no number stays so.
template <class D>
HWY_INLINE hn::VFromD<hn::RebindToUnsigned<D>> round_to_upper_half(D tag, hn::Vec<D> x) {
  const hn::RebindToUnsigned<D> bits;
  const auto u = hn::BitCast(bits, x);
  const auto odd = hn::And(hn::ShiftRight<16>(u), hn::Set(bits, 1u));
  const auto rounded = hn::Add(u, hn::Add(odd, hn::Set(bits, 0x7fffu)));
  const auto quiet = hn::BitCast(tag, hn::Or(u, hn::Set(bits, 0x00400000u)));
  return hn::BitCast(bits, hn::IfThenElse(hn::IsNaN(x), quiet, hn::BitCast(tag, rounded)));
}

template <class D>
HWY_INLINE hn::Vec<D> make_pairs(D tag, hn::Vec<D> lower, hn::Vec<D> upper) {
  const hn::RebindToUnsigned<D> bits;
  const auto upper_half = hn::And(round_to_upper_half(tag, upper), hn::Set(bits, 0xffff0000u));
  return hn::BitCast(tag, hn::Or(hn::ShiftRight<16>(round_to_upper_half(tag, lower)), upper_half));
}

/// Neighbours become pairs: out[i] = (in[2 i], in[2 i + 1]); `count` is a multiple of lanes.
inline void pair_neighbours(const float* in, int64_t count, float* out) {
  const hn::ScalableTag<float> tag;
  const hn::Half<decltype(tag)> half;
  for (int64_t i = 0; i < count; i += lanes<float>()) {
    const auto x = hn::LoadU(tag, in + i);
    const auto pairs = make_pairs(tag, hn::ConcatEven(tag, x, x), hn::ConcatOdd(tag, x, x));
    hn::StoreU(hn::LowerHalf(half, pairs), half, out + i / 2);
  }
}

/// Rows become pairs, in place: row i = (row 2 i, row 2 i + 1). Their number is even, `columns` a
/// multiple of lanes.
inline void pair_rows(int64_t rows, int64_t columns, float* data) {
  const hn::ScalableTag<float> tag;
  for (int64_t i = 0; i < rows / 2; ++i) {
    const float* in = data + 2 * i * columns;
    float* out = data + i * columns;
    for (int64_t c = 0; c < columns; c += lanes<float>()) {
      hn::StoreU(make_pairs(tag, hn::LoadU(tag, in + c), hn::LoadU(tag, in + columns + c)), tag,
                 out + c);
    }
  }
}

#endif

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
