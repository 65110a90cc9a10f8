#include "model/norm.h"

namespace floydnet {

NormImpl::NormImpl(NormKind kind, int64_t dim, double eps) : kind_(kind), eps_(eps) {
  if (kind == NormKind::kNone) return;
  if (kind == NormKind::kBatch) {
    batch_ = register_module("batch",
                             torch::nn::BatchNorm1d(torch::nn::BatchNorm1dOptions(dim).eps(eps)));
    return;
  }
  weight_ = register_parameter("weight", torch::ones({dim}));
  if (kind != NormKind::kRms) bias_ = register_parameter("bias", torch::zeros({dim}));
}

torch::Tensor NormImpl::forward(const torch::Tensor& x) {
  switch (kind_) {
    case NormKind::kLayer:
      return torch::layer_norm(x, weight_.sizes(), weight_, bias_, eps_);
    case NormKind::kRms:
      return x * torch::rsqrt(x.square().mean(-1, true) + eps_) * weight_;
    case NormKind::kBatch:
      return batch_->forward(x);
    case NormKind::kAffine:
      return torch::addcmul(bias_, x, weight_);
    case NormKind::kNone:
      break;
  }
  return x;
}

}  // namespace floydnet
