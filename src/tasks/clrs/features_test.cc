#include "tasks/clrs/features.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

namespace floydnet::clrs {
namespace {

using torch::Tensor;

Probe scalar(const std::string& name, Location location) {
  return {name, Stage::kInput, location, Type::kScalar};
}

TEST(ClrsFeatures, NumbersOfBothNodesAndOfTheGraphAreCompared) {
  const PairFeatures features({scalar("key", Location::kNode), scalar("target", Location::kGraph)},
                              {2, 50}, /*supernode=*/true);
  const Tensor keys = torch::tensor({{0.25F, 0.75F}}), target = torch::tensor({0.5F});
  const Tensor columns = features({keys, target}, /*samples=*/1, /*nodes=*/2);
  ASSERT_EQ(columns.sizes(), (std::vector<int64_t>{1, 3, 3, features.columns()}));
  // X_0, X_1, G, then (key, key), (key, target), (target, key), (target, target) for 2 and for 50.
  const Tensor pair = columns[0][0][1];
  const double expected[] = {-0.5, -0.25, -0.25, 0};
  for (int64_t c = 0; c < 4; ++c) {
    EXPECT_NEAR(pair[3 + c].item<double>(), std::tanh(2 * expected[c]), 1e-6) << c;
    EXPECT_NEAR(pair[7 + c].item<double>(), std::tanh(50 * expected[c]), 1e-6) << c;
  }
  EXPECT_EQ(columns[0][2].narrow(1, 3, 8).abs().max().item<double>(), 0) << "the SuperNode";
}

TEST(ClrsFeatures, NumbersOfPairsAreNotCompared) {
  const Probe weights = scalar("A", Location::kEdge);
  EXPECT_EQ(PairFeatures({weights}, {8}, false).columns(),
            PairFeatures({weights}, {}, false).columns());
}

}  // namespace
}  // namespace floydnet::clrs
