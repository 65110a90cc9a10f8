#include "bench/work.h"

#include <fmt/format.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include <cmath>

#include "base/hash.h"

namespace floydnet::bench {
namespace {

/// splitmix64: every place has a number of its own, whatever the order of filling.
uint64_t mixed(uint64_t x) { return well_mixed(x + kGoldenStep); }

template <typename T>
void fill(T* values, int64_t count, uint64_t seed) {
  const uint64_t stream = mixed(seed);
  for (int64_t i = 0; i < count; ++i) {
    // Uniform in +-sqrt(3), which has variance 1.
    const double uniform =
        static_cast<double>(mixed(stream + static_cast<uint64_t>(i)) >> 11) * 0x1p-53;
    values[i] = static_cast<T>((2 * uniform - 1) * std::sqrt(3.0));
  }
}

}  // namespace

const char* name_of(Direction direction) {
  return direction == Direction::kForward ? "forward" : "forward+backward";
}

const char* name_of(Side side) {
  switch (side) {
    case Side::kFused:
      return "fused";
    case Side::kEinsum:
      return "einsum";
    case Side::kNaive:
      break;
  }
  return "naive";
}

Work make_work(Direction direction, std::function<at::Tensor()> forward,
               std::vector<at::Tensor> leaves, at::Tensor dout) {
  if (direction == Direction::kForward) {
    return [forward = std::move(forward)] {
      const torch::NoGradGuard no_grad;
      return std::vector<at::Tensor>{forward()};
    };
  }
  return [forward = std::move(forward), leaves = std::move(leaves), dout = std::move(dout)] {
    const at::Tensor out = forward();
    std::vector<at::Tensor> results = torch::autograd::grad({out}, leaves, {dout});
    results.insert(results.begin(), out.detach());
    return results;
  };
}

at::Tensor filled(const std::vector<int64_t>& shape, uint64_t seed, at::ScalarType type) {
  at::Tensor tensor = torch::empty(shape, type);
  if (type == at::kDouble) {
    fill(tensor.data_ptr<double>(), tensor.numel(), seed);
  } else {
    fill(tensor.data_ptr<float>(), tensor.numel(), seed);
  }
  return tensor;
}

int64_t bytes_of(const std::vector<at::Tensor>& tensors) {
  int64_t bytes = 0;
  for (const at::Tensor& tensor : tensors) bytes += static_cast<int64_t>(tensor.nbytes());
  return bytes;
}

uint64_t checksum(const std::vector<at::Tensor>& tensors) {
  uint64_t hash = fnv1a(nullptr, 0);
  for (const at::Tensor& tensor : tensors) {
    const at::Tensor whole = tensor.contiguous();
    hash = fnv1a(whole.data_ptr(), whole.nbytes(), hash);
  }
  return hash;
}

}  // namespace floydnet::bench
