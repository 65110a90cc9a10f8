// Between stored tensors and libtorch's.
#pragma once

#include <torch/types.h>

#include "floydnet/weights.h"

namespace floydnet {

torch::Tensor to_torch(const StoredTensor& stored);
/// Any strides and device; the type must be one that StoredTensor has.
StoredTensor to_stored(const torch::Tensor& tensor);

}  // namespace floydnet
