// Activation recomputation: keep a function's input instead of what it computes on the way.
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

namespace floydnet {

/// function(x), remembering only x; backward evaluates it again, with the same random numbers, so
/// the function must be the same then (a module must not change between training and evaluation
/// mode). `parameters` are all other tensors that the function uses and that may want gradients.
torch::Tensor recomputed(const std::function<torch::Tensor(const torch::Tensor&)>& function,
                         const torch::Tensor& x, const std::vector<torch::Tensor>& parameters);

}  // namespace floydnet
