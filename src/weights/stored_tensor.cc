#include "weights/stored_tensor.h"

#include <array>
#include <stdexcept>

namespace floydnet {
namespace {

struct DTypeInfo {
  DType type;
  const char* name;
  int64_t size;
};

// In the order of the enumeration.
constexpr std::array<DTypeInfo, 10> kDTypes = {{{DType::kBool, "BOOL", 1},
                                                {DType::kU8, "U8", 1},
                                                {DType::kI8, "I8", 1},
                                                {DType::kI16, "I16", 2},
                                                {DType::kI32, "I32", 4},
                                                {DType::kI64, "I64", 8},
                                                {DType::kF16, "F16", 2},
                                                {DType::kBF16, "BF16", 2},
                                                {DType::kF32, "F32", 4},
                                                {DType::kF64, "F64", 8}}};

const DTypeInfo& info(DType type) { return kDTypes.at(static_cast<size_t>(type)); }

std::optional<int64_t> product(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

}  // namespace

int64_t item_size(DType type) { return info(type).size; }

const char* name(DType type) { return info(type).name; }

std::optional<DType> dtype_named(std::string_view name) {
  for (const DTypeInfo& candidate : kDTypes) {
    if (name == candidate.name) return candidate.type;
  }
  return std::nullopt;
}

std::optional<int64_t> byte_size(DType type, const std::vector<int64_t>& shape) {
  const std::optional<int64_t> count = count_elements(shape);
  return count ? product(*count, item_size(type)) : std::nullopt;
}

int64_t StoredTensor::elements() const {
  const std::optional<int64_t> count = count_elements(shape);
  if (!count) throw std::invalid_argument("no tensor has the shape " + shape_text(shape));
  return *count;
}

bool operator==(const StoredTensor& a, const StoredTensor& b) {
  return a.type == b.type && a.shape == b.shape && a.bytes == b.bytes;
}

bool operator==(const TensorFile& a, const TensorFile& b) {
  return a.tensors == b.tensors && a.metadata == b.metadata;
}

}  // namespace floydnet
