#include "model/tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/utils.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "floydnet/error.h"

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

Tensors to_torch(const std::map<std::string, StoredTensor>& stored) {
  Tensors tensors;
  for (const auto& [name, tensor] : stored) tensors[name] = to_torch(tensor);
  return tensors;
}

std::map<std::string, StoredTensor> to_stored(const Tensors& tensors) {
  std::map<std::string, StoredTensor> stored;
  for (const auto& [name, tensor] : tensors) stored[name] = to_stored(tensor);
  return stored;
}

StoredTensor to_stored(const torch::Tensor& tensor) {
  const torch::Tensor contiguous = tensor.detach().cpu().contiguous();
  StoredTensor stored;
  stored.type = stored_type(tensor.scalar_type());
  stored.shape = tensor.sizes().vec();
  stored.bytes.assign(static_cast<const char*>(contiguous.data_ptr()), contiguous.nbytes());
  return stored;
}

void copy_tensors(const Tensors& from, const std::string& prefix, const Tensors& into,
                  const std::string& source) {
  const auto described = [](const torch::Tensor& tensor) {
    return fmt::format("{} [{}]", toString(tensor.scalar_type()), fmt::join(tensor.sizes(), ", "));
  };
  std::vector<std::pair<torch::Tensor, torch::Tensor>> copies;
  for (const auto& [name, tensor] : into) {
    const auto found = from.find(prefix + name);
    if (found == from.end()) {
      throw InputError::in(source, fmt::format("tensor \"{}{}\" is missing", prefix, name));
    }
    if (found->second.sizes() != tensor.sizes() ||
        found->second.is_floating_point() != tensor.is_floating_point()) {
      throw InputError::in(source, fmt::format("tensor \"{}{}\" is {}, wanted {}", prefix, name,
                                               described(found->second), described(tensor)));
    }
    copies.emplace_back(tensor, found->second);
  }
  torch::NoGradGuard no_grad;
  for (auto& [to, value] : copies) to.copy_(value);
}

}  // namespace floydnet
