#include "kernels/peak.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/peak.cc"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

int64_t RunFmaF32(int64_t iterations) {
  // Ten chains cover the latency (4 to 5 cycles) of two FMA units.
  constexpr int64_t kChains = 10;
  const hn::ScalableTag<float> tag;
  const auto factor = hn::Set(tag, 0.999f);
  const auto term = hn::Set(tag, 0.001f);
  auto a0 = hn::Set(tag, 0.0f), a1 = hn::Set(tag, 0.1f), a2 = hn::Set(tag, 0.2f);
  auto a3 = hn::Set(tag, 0.3f), a4 = hn::Set(tag, 0.4f), a5 = hn::Set(tag, 0.5f);
  auto a6 = hn::Set(tag, 0.6f), a7 = hn::Set(tag, 0.7f), a8 = hn::Set(tag, 0.8f);
  auto a9 = hn::Set(tag, 0.9f);
  for (int64_t i = 0; i < iterations; ++i) {
    a0 = hn::MulAdd(a0, factor, term);
    a1 = hn::MulAdd(a1, factor, term);
    a2 = hn::MulAdd(a2, factor, term);
    a3 = hn::MulAdd(a3, factor, term);
    a4 = hn::MulAdd(a4, factor, term);
    a5 = hn::MulAdd(a5, factor, term);
    a6 = hn::MulAdd(a6, factor, term);
    a7 = hn::MulAdd(a7, factor, term);
    a8 = hn::MulAdd(a8, factor, term);
    a9 = hn::MulAdd(a9, factor, term);
  }
  const auto sum = hn::Add(hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)),
                           hn::Add(hn::Add(hn::Add(a4, a5), hn::Add(a6, a7)), hn::Add(a8, a9)));
  // Using the result keeps the loop from being optimised away.
  const bool converges = hn::GetLane(hn::SumOfLanes(tag, sum)) >= 0.0f;
  return converges ? 2 * kChains * iterations * static_cast<int64_t>(hn::Lanes(tag)) : 0;
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace floydnet::kernels {

HWY_EXPORT(RunFmaF32);

int64_t run_fma_f32(int64_t iterations) { return HWY_DYNAMIC_DISPATCH(RunFmaF32)(iterations); }

}  // namespace floydnet::kernels
#endif
