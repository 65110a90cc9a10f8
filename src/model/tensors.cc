#include "model/tensors.h"

#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace floydnet {
namespace {

constexpr std::array<std::pair<DType, torch::Dtype>, 10> kTypes = {{
    {DType::kBool, torch::kBool},
    {DType::kU8, torch::kUInt8},
    {DType::kI8, torch::kInt8},
    {DType::kI16, torch::kInt16},
    {DType::kI32, torch::kInt32},
    {DType::kI64, torch::kInt64},
    {DType::kF16, torch::kFloat16},
    {DType::kBF16, torch::kBFloat16},
    {DType::kF32, torch::kFloat32},
    {DType::kF64, torch::kFloat64},
}};

torch::Dtype torch_type(DType type) {
  for (const auto& [stored, torch] : kTypes) {
    if (stored == type) return torch;
  }
  throw std::invalid_argument("to_torch: unknown element type");
}

DType stored_type(torch::Dtype type) {
  for (const auto& [stored, torch] : kTypes) {
    if (torch == type) return stored;
  }
  throw std::invalid_argument(std::string("to_stored: a tensor of type ") + toString(type) +
                              " cannot be stored");
}

}  // namespace

torch::Tensor to_torch(const StoredTensor& stored) {
  const torch::Tensor tensor = torch::empty(stored.shape, torch_type(stored.type));
  std::memcpy(tensor.data_ptr(), stored.bytes.data(), stored.bytes.size());
  return tensor;
}

StoredTensor to_stored(const torch::Tensor& tensor) {
  const torch::Tensor contiguous = tensor.detach().cpu().contiguous();
  StoredTensor stored;
  stored.type = stored_type(tensor.scalar_type());
  stored.shape = tensor.sizes().vec();
  stored.bytes.assign(static_cast<const char*>(contiguous.data_ptr()), contiguous.nbytes());
  return stored;
}

}  // namespace floydnet
