// The operator's memory stays O(N^k d).
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <torch/torch.h>

#include "floydnet/attention.h"

namespace floydnet {
namespace {

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

TEST(AttentionMemory, ForwardAndBackwardAt512NodesStayBelow700Megabytes) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own memory would be counted";
#endif
  const int64_t n = 512, dim = 32;
  const TupleLayout layout(2, {n});
  const auto options = torch::TensorOptions(torch::kFloat32).requires_grad(true);
  const auto q = torch::randn({1, n * n, dim}, options);
  const auto k = torch::randn({2, 1, n * n, dim}, options);
  const auto v = torch::randn({2, 1, n * n, dim}, options);
  const auto out = pivotal_attention(q, k, v, layout);
  const auto grads = torch::autograd::grad({out}, {q, k, v}, {torch::ones_like(out)});
  EXPECT_TRUE(grads[0].isfinite().all().item<bool>());
  // All of the process: inputs, output, gradients and libtorch itself.
  EXPECT_LT(peak_megabytes(), 700);
}

}  // namespace
}  // namespace floydnet
