// The operator's memory stays O(N^k d).
#include <gtest/gtest.h>
#include <malloc.h>
#include <torch/torch.h>

#include <fstream>
#include <string>

#include "floydnet/attention.h"

namespace floydnet {
namespace {

/// A line of /proc/self/status, such as VmRSS.
double status_megabytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(key + ":", 0) == 0) return std::stod(line.substr(key.size() + 1)) / 1024;
  }
  return 0;
}

/// Makes VmHWM, the peak, begin anew.
bool forget_peak() { return static_cast<bool>(std::ofstream("/proc/self/clear_refs") << "5\n"); }

TEST(AttentionMemory, ForwardAndBackwardAt512NodesStayBelow550Megabytes) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own memory would be counted";
#endif
  malloc_trim(0);  // what other tests have freed
  const double before = status_megabytes("VmRSS");
  if (!forget_peak()) GTEST_SKIP() << "the peak of this process cannot be reset";
  const int64_t n = 512, dim = 32;
  const TupleLayout layout(2, {n});
  const auto options = torch::TensorOptions(torch::kFloat32).requires_grad(true);
  const auto q = torch::randn({1, n * n, dim}, options);
  const auto k = torch::randn({2, 1, n * n, dim}, options);
  const auto v = torch::randn({2, 1, n * n, dim}, options);
  const auto out = pivotal_attention(q, k, v, layout);
  const auto grads = torch::autograd::grad({out}, {q, k, v}, {torch::ones_like(out)});
  EXPECT_TRUE(grads[0].isfinite().all().item<bool>());
  // Inputs, output and gradients, which are 402 MB, and all else.
  EXPECT_LT(status_megabytes("VmHWM") - before, 550);
}

}  // namespace
}  // namespace floydnet
