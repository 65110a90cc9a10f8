// The authors' diffusion model of tours, by its checkpoint.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "attention/test_arrays.h"
#include "base/test_data.h"
#include "tasks/tsp/dataset/training_set.h"
#include "tasks/tsp/sampler.h"
#include "tasks/tsp/stored_model.h"

namespace floydnet::tsp {
namespace {

using torch::Tensor;

EdgeModel published_model(const std::string& folder) {
  return import_edge_model(test_data(folder + "/epoch_00004.pt"),
                           test_data(folder + "/model_config.json"))
      .model;
}

TEST(TspPublishedModel, GivesTheSameEstimates) {
  const std::string folder = "reference/tsp_model";
  FLOYDNET_REQUIRE_TEST_DATA(folder);
  EdgeModel model = published_model(folder);
  model->eval();
  const torch::NoGradGuard no_grad;
  const auto io = read_tensors(test_data(folder + "/io.npz"));
  const Tensor weights = io.at("adj_attr").flatten().to(torch::kInt32).contiguous();
  const auto cities = static_cast<int>(io.at("xt").size(1));
  const int32_t* first = weights.data_ptr<int32_t>();
  const Instance instance("golden", cities, {first, first + weights.numel()});
  const Tensor found = model->estimate(model->batch({&instance}), io.at("xt").flatten(),
                                       io.at("alpha_bar_t").to(torch::kFloat32));
  EXPECT_TRUE(torch::allclose(found, io.at("pred_e").flatten().to(torch::kFloat32), 1e-4, 1e-5));
}

TEST(TspPublishedModel, CanBeSampled) {
  const std::string folder = "reference/tsp_model";
  FLOYDNET_REQUIRE_TEST_DATA(folder);
  EdgeModel model = published_model(folder);
  const SolvedInstance solved = solved_random(Kind::kExplicit, 9, 1, 0);
  SampleOptions options;
  options.samples = 2;
  options.steps = 5;
  const auto sampled = sample_edges(model, {&solved.instance}, options);
  ASSERT_EQ(sampled.size(), 1);
  ASSERT_EQ(sampled[0].size(), 2);
  for (const float score : sampled[0][1]) EXPECT_TRUE(std::isfinite(score));
}

}  // namespace
}  // namespace floydnet::tsp
