// Which SIMD instruction set the kernels use.
#pragma once

namespace floydnet::kernels {

/// Follows the environment variable FLOYDNET_SIMD (SSE4, AVX2 or AVX3, which is AVX-512), if it is
/// set; else the best that the CPU has is taken. Throws std::invalid_argument if the CPU or this
/// build does not have it. To be called before any kernel; all but the first call do nothing.
void choose_simd_target();

/// The instruction set in use, for example "AVX2".
const char* simd_target();

}  // namespace floydnet::kernels
