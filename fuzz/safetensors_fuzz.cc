#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "fuzz.h"
#include "weights_round_trip.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    require_round_trip(parse_safetensors(fuzz_text(data, size)));
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  TensorFile file;
  file.tensors["a"] = {DType::kF32, {2, 1}, "12345678"};
  file.tensors["b"] = {DType::kBF16, {0}, ""};
  file.tensors["c"] = {DType::kU8, {}, "x"};
  file.metadata["format"] = "pt";
  return {format_safetensors({}), format_safetensors(file)};
}
