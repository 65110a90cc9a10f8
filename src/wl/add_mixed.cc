#include "wl/add_mixed.h"

#include "base/simd_target.h"
#include "wl/mix.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "wl/add_mixed.cc"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace floydnet::wl::HWY_NAMESPACE {

/// Plain code, which the compiler turns into vectors: with AVX2 it is three times as fast.
template <int kOrder>
void AddMixedOf(const Operands& operands, uint32_t own, int64_t count, uint64_t* low,
                uint64_t* high) {
  const uint32_t* first = operands[0];
  const uint32_t* second = operands[1];
  const uint32_t* third = operands[2];
  const uint64_t own_spread = spread(own);
  for (int64_t i = 0; i < count; ++i) {
    Key key;
    if constexpr (kOrder <= 2) {
      key = mix(pack(first[i], own), kOfPair);
    } else if constexpr (kOrder == 3) {
      key = mix(pack(first[i], second[i]), own_spread);
    } else {
      key = mix(pack(first[i], second[i]), spread(pack(third[i], own)));
    }
    low[i] += key.low;
    high[i] += key.high;
  }
}

AddMixed Choose(int order) {
  if (order <= 2) return AddMixedOf<2>;
  return order == 3 ? AddMixedOf<3> : AddMixedOf<4>;
}

}  // namespace floydnet::wl::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace floydnet::wl {

HWY_EXPORT(Choose);

AddMixed best_add_mixed(int order) {
  choose_simd_target();
  return HWY_DYNAMIC_DISPATCH(Choose)(order);
}

}  // namespace floydnet::wl
#endif
