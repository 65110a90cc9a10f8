// Pivotal Attention as libtorch's operators say it, for graphs of one size: what the fused kernel
// is compared with.
//
//   q                     [x, y, n, ..., n, d], where x and y are batch and head in any order
//   keys[r], values[r]    as q; the pivot stands at coordinate r
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "floydnet/attention.h"

namespace floydnet::bench {

/// The published form: an einsum a role gives scores of N^{k+1}; their sum, a softmax, and an
/// einsum a role for the values. Products of roles are one einsum with all of them.
at::Tensor einsum_attention(const at::Tensor& q, const std::vector<at::Tensor>& keys,
                            const std::vector<at::Tensor>& values, Composition composition);

/// The formula word by word: the keys, then the values of all targets and pivots as tensors of
/// N^{k+1} d.
at::Tensor naive_attention(const at::Tensor& q, const std::vector<at::Tensor>& keys,
                           const std::vector<at::Tensor>& values, Composition composition);

}  // namespace floydnet::bench
