// Counter-based dropout: the fate of a (target, pivot) depends on the seed and on nothing else, so
// forward, backward and any number of threads agree.
#pragma once

#include <Random123/philox.h>

#include <cstdint>

namespace floydnet::kernels {

/// Multiplies weights[p - pivots.begin] by 0 or by 1 / (1 - rate) for every p in the range.
template <typename T>
void apply_dropout(T* weights, int64_t pivot_begin, int64_t pivot_end, double rate, uint64_t seed,
                   uint64_t target) {
  const T keep_factor = static_cast<T>(1.0 / (1.0 - rate));
  const uint64_t threshold = static_cast<uint64_t>(rate * 4294967296.0);
  const r123::Philox4x32 philox;
  const r123::Philox4x32::key_type key = {
      {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}};
  r123::Philox4x32::ctr_type random;
  int64_t drawn_block = -1;  // one draw serves four pivots
  for (int64_t p = pivot_begin; p < pivot_end; ++p) {
    const int64_t block = p / 4;
    if (block != drawn_block) {
      random = philox({{static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
                        static_cast<uint32_t>(target), static_cast<uint32_t>(target >> 32)}},
                      key);
      drawn_block = block;
    }
    weights[p - pivot_begin] =
        random[p % 4] < threshold ? T(0) : weights[p - pivot_begin] * keep_factor;
  }
}

}  // namespace floydnet::kernels
