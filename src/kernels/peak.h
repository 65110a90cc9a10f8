// The machine's arithmetic peak, as a yardstick for kernels.
#pragma once

#include <cstdint>

namespace floydnet::kernels {

/// Runs independent fused multiply-adds on registers and returns how many floating-point operations
/// (two each) it did. The caller takes the time; `iterations` of some millions last milliseconds.
int64_t run_fma_f32(int64_t iterations);

}  // namespace floydnet::kernels
