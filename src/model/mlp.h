// Activations and small multi-layer perceptrons.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include <vector>

#include "floydnet/model.h"

namespace floydnet {

torch::Tensor activate(const torch::Tensor& x, Activation activation);

/// Linear maps with activations between them; names are "0.weight", "0.bias", "1.weight", ...
class MlpImpl : public torch::nn::Module {
 public:
  /// widths: input, hidden ..., output.
  MlpImpl(const std::vector<int64_t>& widths, Activation activation);

  torch::Tensor forward(torch::Tensor x);

 private:
  Activation activation_;
  std::vector<torch::nn::Linear> layers_;
};

}  // namespace floydnet
