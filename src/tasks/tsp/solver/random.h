// Random numbers that are the same on every machine.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace floydnet::tsp {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(well_mixed(seed + kGoldenStep)) {}

  std::uint64_t operator()() { return well_mixed(state_ += kGoldenStep); }
  /// In [0, n).
  int below(int n) {
    return static_cast<int>(((*this)() >> 32) * static_cast<std::uint64_t>(n) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace floydnet::tsp
