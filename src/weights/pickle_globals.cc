#include "weights/pickle_globals.h"

#include <algorithm>
#include <array>

namespace floydnet::pickle {
namespace {

struct Known {
  const char* name;
  Value value;
};

const std::array<Known, 19>& known_globals() {
  static const std::array<Known, 19> globals = {{
      {"collections.OrderedDict", Function::kOrderedDict},
      {"torch._utils._rebuild_tensor_v2", Function::kRebuildTensor},
      {"torch._utils._rebuild_parameter", Function::kRebuildParameter},
      {"torch.Size", Function::kSize},
      {"torch.storage._load_from_bytes", Function::kLoadFromBytes},
      {"numpy.core.multiarray._reconstruct", Function::kRebuildArray},
      {"numpy._core.multiarray._reconstruct", Function::kRebuildArray},
      {"numpy.dtype", Function::kArrayType},
      {"numpy.ndarray", Function::kArrayClass},
      {"torch.FloatStorage", StorageClass{DType::kF32}},
      {"torch.DoubleStorage", StorageClass{DType::kF64}},
      {"torch.HalfStorage", StorageClass{DType::kF16}},
      {"torch.BFloat16Storage", StorageClass{DType::kBF16}},
      {"torch.LongStorage", StorageClass{DType::kI64}},
      {"torch.IntStorage", StorageClass{DType::kI32}},
      {"torch.ShortStorage", StorageClass{DType::kI16}},
      {"torch.CharStorage", StorageClass{DType::kI8}},
      {"torch.ByteStorage", StorageClass{DType::kU8}},
      {"torch.BoolStorage", StorageClass{DType::kBool}},
  }};
  return globals;
}

}  // namespace

std::optional<Value> known_global(std::string_view full_name, const Options& options) {
  if (full_name.rfind("numpy", 0) == 0 && !options.arrays) return {};
  const auto& known = known_globals();
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const Known& global) { return full_name == global.name; });
  if (found == known.end()) return {};
  return found->value;
}

}  // namespace floydnet::pickle
