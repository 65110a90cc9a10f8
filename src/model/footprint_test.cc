#include "model/footprint.h"

#include <gtest/gtest.h>

namespace floydnet {
namespace {

TEST(Footprint, ParametersAreBoundedFromBelowAndNotFarOff) {
  ModelConfig config;
  config.dim = 48;
  config.heads = 3;
  config.pair_outputs = 2;
  FloydNet model(config);
  double parameters = 0;
  for (const auto& parameter : model->parameters()) {
    parameters += static_cast<double>(parameter.numel());
  }
  EXPECT_LE(least_parameters(config), parameters);
  EXPECT_GE(least_parameters(config), 0.9 * parameters);
}

TEST(Footprint, StatesOfGraphsCountTheSuperNode) {
  ModelConfig config;
  EXPECT_EQ(StateSize::of_graphs(config, 3, 10).rows, 300);
  config.supernode = true;
  EXPECT_EQ(StateSize::of_graphs(config, 3, 10).rows, 363);
  config.order = 3;
  EXPECT_EQ(StateSize::of_graphs(config, 1, 9).rows, 1000);
}

TEST(Footprint, GrowsWithWhatIsKept) {
  ModelConfig config;
  const StateSize size = StateSize::of_graphs(config, 32, 16);
  EXPECT_GT(training_bytes(config, size, 1), 3 * evaluation_bytes(config, size));
  EXPECT_GT(training_bytes(config, size, 10), 5 * training_bytes(config, size, 1));
  ModelConfig recomputed = config;
  recomputed.recompute = true;
  EXPECT_LT(training_bytes(recomputed, size, 1), training_bytes(config, size, 1));
}

}  // namespace
}  // namespace floydnet
