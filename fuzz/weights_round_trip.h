// What must hold of any weights that a reader accepted.
#pragma once

#include "floydnet/weights.h"
#include "fuzz.h"

namespace floydnet {

/// Aborts unless safetensors keeps every tensor and text; what was read once must not be refused.
inline void require_round_trip(const TensorFile& file) noexcept {
  // The one name that safetensors cannot give to a tensor.
  if (file.tensors.count("__metadata__") > 0) return;
  fuzz_require(parse_safetensors(format_safetensors(file)) == file);
}

}  // namespace floydnet
