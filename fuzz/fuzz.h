// What a fuzz target defines. libFuzzer or driver.cc supplies the inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

/// One run; aborts where the input shows a fault. Always 0.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// Sound inputs to start from; driver.cc calls this, libFuzzer takes a folder instead.
std::vector<std::string> fuzz_seeds();

inline std::string_view fuzz_text(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Unlike assert, also in a release build.
inline void fuzz_require(bool holds) {
  if (!holds) std::abort();
}
