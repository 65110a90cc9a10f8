#include "base/gzip.h"
#include "floydnet/error.h"
#include "fuzz.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr uint64_t kLimit = 1 << 16;
  try {
    fuzz_require(gunzip(fuzz_text(data, size), "fuzz", kLimit).size() <= kLimit);
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  // printf 'hello hello' | gzip -n
  const std::string member(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x57"
      "\xc8\x00\x91\x00\x40\xa6\x2d\x01\x0b\x00\x00\x00",
      28);
  return {member, member + member};
}
