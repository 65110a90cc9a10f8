// What is measured: work on data that are the same on every machine and in every run.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace floydnet::bench {

enum class Direction { kForward, kForwardBackward };
/// Ours, the published formula with libtorch's einsum, and the one that composes all keys first.
enum class Side { kFused, kEinsum, kNaive };

constexpr Side kSides[] = {Side::kFused, Side::kEinsum, Side::kNaive};

const char* name_of(Direction direction);  // "forward", "forward+backward"
const char* name_of(Side side);            // "fused", "einsum", "naive"

/// Does something on inputs that it holds and returns all results: outputs, then gradients.
using Work = std::function<std::vector<at::Tensor>()>;

/// Runs `forward` without autograd, or with it and back from `dout` to `leaves`.
Work make_work(Direction direction, std::function<at::Tensor()> forward,
               std::vector<at::Tensor> leaves, at::Tensor dout);

/// Looks random, with mean 0 and variance 1, but depends on the seed and the place alone.
at::Tensor filled(const std::vector<int64_t>& shape, uint64_t seed,
                  at::ScalarType type = at::kFloat);

int64_t bytes_of(const std::vector<at::Tensor>& tensors);

/// Of all bytes, in order.
uint64_t checksum(const std::vector<at::Tensor>& tensors);

}  // namespace floydnet::bench
