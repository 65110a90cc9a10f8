#include "model/gather.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace floydnet {
namespace {

TEST(GatheredSum, EqualsLookUpsInTablesWithARowOfZeros) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const torch::Tensor table = torch::randn({7, 20}, type).requires_grad_(true);
    const torch::Tensor rows = torch::randint(0, 8, {5000}, torch::kInt64);
    const torch::Tensor factors = torch::randn({5000, 20}, type);
    const torch::Tensor longer = torch::cat({table, torch::zeros({1, 20}, type)});
    const torch::Tensor wanted = longer.index_select(0, rows), found = gathered(table, rows);
    EXPECT_TRUE(torch::equal(found, wanted));
    const torch::Tensor wanted_grad = torch::autograd::grad({(wanted * factors).sum()}, {table})[0];
    const torch::Tensor found_grad = torch::autograd::grad({(found * factors).sum()}, {table})[0];
    EXPECT_TRUE(torch::allclose(found_grad, wanted_grad, 1e-4, 1e-3));
  }
  const torch::Tensor a = torch::randn({3, 8}), b = torch::randn({2, 8});
  const torch::Tensor rows = torch::tensor({0, 3, 2, 3}), others = torch::tensor({1, 0, 2, 2});
  const torch::Tensor both = gathered_sum({{a, rows}, {b, others}});
  EXPECT_TRUE(torch::allclose(both, gathered(a, rows) + gathered(b, others)));
  EXPECT_EQ(both[3].abs().sum().item<double>(), 0);
  EXPECT_EQ(gathered(torch::ones({3, 4}), torch::empty({0}, torch::kInt64)).size(0), 0);
}

}  // namespace
}  // namespace floydnet
