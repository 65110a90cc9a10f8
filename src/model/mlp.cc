#include "model/mlp.h"

namespace floydnet {

torch::Tensor activate(const torch::Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::kGelu:
      return torch::gelu(x);
    case Activation::kRelu:
      return torch::relu(x);
    case Activation::kSilu:
      break;
  }
  return torch::silu(x);
}

MlpImpl::MlpImpl(const std::vector<int64_t>& widths, Activation activation)
    : activation_(activation) {
  for (size_t i = 0; i + 1 < widths.size(); ++i) {
    layers_.emplace_back(
        register_module(std::to_string(i), torch::nn::Linear(widths[i], widths[i + 1])));
  }
}

torch::Tensor MlpImpl::forward(torch::Tensor x) {
  for (size_t i = 0; i < layers_.size(); ++i) {
    if (i > 0) x = activate(x, activation_);
    x = layers_[i](x);
  }
  return x;
}

}  // namespace floydnet
