// Between stored tensors and libtorch's.
#pragma once

#include <torch/types.h>

#include <map>
#include <string>

#include "floydnet/weights.h"

namespace floydnet {

torch::Tensor to_torch(const StoredTensor& stored);
/// Any strides and device; the type must be one that StoredTensor has.
StoredTensor to_stored(const torch::Tensor& tensor);

/// By name.
using Tensors = std::map<std::string, torch::Tensor>;

Tensors to_torch(const std::map<std::string, StoredTensor>& stored);
std::map<std::string, StoredTensor> to_stored(const Tensors& tensors);

/// Fills each tensor of `into` from the one of `from` that has its name behind `prefix`.
/// InputError, and nothing is changed, if one is missing or has another shape, or if only one of
/// the two is of floating numbers.
void copy_tensors(const Tensors& from, const std::string& prefix, const Tensors& into,
                  const std::string& source);

}  // namespace floydnet
