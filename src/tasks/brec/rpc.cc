#include "tasks/brec/rpc.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace floydnet::brec {

double hotelling_t2(const torch::Tensor& differences) {
  if (differences.dim() != 2 || differences.size(0) < 2 ||
      differences.scalar_type() != torch::kFloat64) {
    throw std::invalid_argument(
        fmt::format("hotelling_t2: differences are [{}] of {}, wanted [2 or more, width] of Double",
                    fmt::join(differences.sizes(), ", "), toString(differences.scalar_type())));
  }
  if (!differences.isfinite().all().item<bool>()) return std::numeric_limits<double>::quiet_NaN();
  // T2 does not depend on the unit of D; rounding is of the order of 1e-16, and its covariance is
  // better not near the smallest numbers.
  const double unit = differences.abs().max().item<double>();
  if (unit == 0) return 0;
  const torch::Tensor d = differences / unit;
  const torch::Tensor mean = d.mean(0);
  const torch::Tensor centred = d - mean;
  const torch::Tensor covariance = centred.t().matmul(centred) / static_cast<double>(d.size(0) - 1);
  return mean.dot(torch::linalg_pinv(covariance, 1e-15, true).mv(mean)).item<double>();
}

RpcVerdict rpc_verdict(double test, double reliability) {
  RpcVerdict verdict;
  verdict.test = test;
  verdict.reliability = reliability;
  verdict.reliable = reliability < kThreshold && std::isfinite(test);
  verdict.distinguished =
      verdict.reliable && test > kThreshold && std::abs(test - reliability) > kSameStatistic;
  return verdict;
}

}  // namespace floydnet::brec
