// Which SIMD instruction set is used. All SIMD code is compiled once for each, by Highway.
#pragma once

#include "floydnet/export.h"

namespace floydnet {

/// Follows the environment variable FLOYDNET_SIMD (SSE4, AVX2 or AVX3, which is AVX-512), if it is
/// set; else the best that the CPU has is taken. Throws InputError if the CPU or this build does
/// not have it. To be called before any SIMD code; all but the first call do nothing.
void choose_simd_target();

/// The instruction set in use, for example "AVX2"; part of the public API (floydnet/attention.h).
FLOYDNET_EXPORT const char* simd_target();

}  // namespace floydnet
