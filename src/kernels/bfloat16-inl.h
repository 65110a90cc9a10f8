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

// Rounding, ties to even, takes the same instructions as products of pairs: has_bfloat16 tells who
// has them. Subnormal numbers become zero.

/// The numbers of `lower`, then those of `upper`, rounded.
HWY_INLINE __m512i round_to_halves(__m512 lower, __m512 upper) {
  __m512i halves;
  __asm__("vcvtne2ps2bf16 %1, %2, %0" : "=v"(halves) : "v"(lower), "v"(upper));
  return halves;
}

/// Neighbours become pairs: out[i] = (in[2 i], in[2 i + 1]); `count` is a multiple of lanes.
inline void pair_neighbours(const float* in, int64_t count, float* out) {
  const hn::ScalableTag<float> tag;
  const hn::ScalableTag<uint16_t> halves;
  const hn::Half<decltype(halves)> some_halves;
  const auto out_halves = reinterpret_cast<uint16_t*>(out);
  const auto load = [&](int64_t i) { return hn::LoadU(tag, in + i); };
  int64_t i = 0;
  for (; i + 2 * lanes<float>() <= count; i += 2 * lanes<float>()) {
    const __m512i pairs = round_to_halves(load(i).raw, load(i + lanes<float>()).raw);
    hn::StoreU(hn::Vec<decltype(halves)>{pairs}, halves, out_halves + i);
  }
  if (i == count) return;
  const __m512i pairs = round_to_halves(load(i).raw, load(i).raw);
  hn::StoreU(hn::LowerHalf(some_halves, hn::Vec<decltype(halves)>{pairs}), some_halves,
             out_halves + i);
}

/// Rows become pairs, in place: row i = (row 2 i, row 2 i + 1). Their number is even, `columns` a
/// multiple of lanes.
inline void pair_rows(int64_t rows, int64_t columns, float* data) {
  const hn::ScalableTag<float> tag;
  const hn::ScalableTag<uint32_t> pairs;
  // Of the halves of a vector, i and 16 + i stand together.
  const auto order = hn::Add(hn::Iota(pairs, 0), hn::ShiftLeft<16>(hn::Iota(pairs, 16)));
  for (int64_t i = 0; i < rows / 2; ++i) {
    const float* in = data + 2 * i * columns;
    const auto out = reinterpret_cast<uint32_t*>(data + i * columns);
    for (int64_t c = 0; c < columns; c += lanes<float>()) {
      const __m512i both =
          round_to_halves(hn::LoadU(tag, in + c).raw, hn::LoadU(tag, in + columns + c).raw);
      const __m512i interleaved = _mm512_permutexvar_epi16(order.raw, both);
      hn::StoreU(hn::Vec<decltype(pairs)>{interleaved}, pairs, out + c);
    }
  }
}

#endif

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
