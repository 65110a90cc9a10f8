#include "base/simd_target.h"

#include <cstdlib>
#include <string>

#include "floydnet/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/simd_target.cc"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace floydnet::HWY_NAMESPACE {

const char* TargetInUse() { return hwy::TargetName(HWY_TARGET); }

}  // namespace floydnet::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace floydnet {
namespace {

HWY_EXPORT(TargetInUse);

void force_target(const std::string& name) {
  std::string usable;
  const int64_t available = hwy::SupportedTargets() & HWY_TARGETS;
  for (int64_t rest = available; rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    if (name == hwy::TargetName(target)) {
      hwy::SetSupportedTargetsForTest(target);
      return;
    }
    usable += std::string(usable.empty() ? "" : ", ") + hwy::TargetName(target);
  }
  throw InputError("FLOYDNET_SIMD is '" + name + "'; this machine has " + usable);
}

}  // namespace

void choose_simd_target() {
  static const bool is_chosen = [] {
    const char* name = std::getenv("FLOYDNET_SIMD");
    if (name && *name) force_target(name);
    return true;
  }();
  static_cast<void>(is_chosen);
}

const char* simd_target() {
  choose_simd_target();
  return HWY_DYNAMIC_DISPATCH(TargetInUse)();
}

}  // namespace floydnet
#endif
