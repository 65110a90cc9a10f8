// NPZ archives as libtorch tensors, for tests.
#pragma once

#include <torch/types.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>

#include "floydnet/graph_io.h"

namespace floydnet {

inline torch::Tensor to_tensor(const NpyArray& array) {
  const std::map<std::string, torch::Dtype> types = {
      {"f4", torch::kFloat32}, {"f8", torch::kFloat64}, {"i4", torch::kInt32},
      {"i8", torch::kInt64},   {"b1", torch::kBool},
  };
  torch::Tensor tensor = torch::empty(array.shape, types.at(array.type()));
  std::memcpy(tensor.data_ptr(), array.bytes.data(), array.bytes.size());
  return tensor;
}

inline std::map<std::string, torch::Tensor> read_tensors(const std::string& path) {
  std::map<std::string, torch::Tensor> tensors;
  for (const auto& [name, array] : read_npz(path)) tensors[name] = to_tensor(array);
  return tensors;
}

/// Relative to the largest entry, as golden values span magnitudes.
inline double golden_error(const torch::Tensor& found, const torch::Tensor& wanted) {
  return ((found - wanted).abs().max() / wanted.abs().max().clamp_min(1e-300)).item<double>();
}

}  // namespace floydnet
