// The normalisations that a block may use, behind one interface.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/batchnorm.h>

#include "floydnet/model.h"

namespace floydnet {

/// Normalises the last dimension of its input (batchnorm: every channel over all rows).
class NormImpl : public torch::nn::Module {
 public:
  NormImpl(NormKind kind, int64_t dim, double eps);

  torch::Tensor forward(const torch::Tensor& x);

  /// Undefined where the kind has none.
  const torch::Tensor& weight() const { return weight_; }
  const torch::Tensor& bias() const { return bias_; }

 private:
  NormKind kind_;
  double eps_;
  torch::Tensor weight_, bias_;
  torch::nn::BatchNorm1d batch_{nullptr};
};

}  // namespace floydnet
