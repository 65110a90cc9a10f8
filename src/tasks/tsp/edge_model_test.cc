#include "tasks/tsp/edge_model.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "tasks/tsp/dataset/training_set.h"
#include "tasks/tsp/sampler.h"

namespace floydnet::tsp {
namespace {

using torch::Tensor;

ModelConfig small_blocks() {
  ModelConfig config;
  config.dim = 16;
  config.heads = 2;
  config.depth = 2;
  config.zero_residual = false;
  return config;
}

EdgeModel small_model(const EdgeModelOptions& options = {}) {
  torch::manual_seed(3);
  return EdgeModel(small_blocks(), options);
}

TEST(TspEdgeModel, EdgesHaveNoDirection) {
  EdgeModel model = small_model();
  const SolvedInstance a = solved_random(Kind::kExplicit, 6, 1, 0);
  const SolvedInstance b = solved_random(Kind::kExplicit, 8, 1, 1);
  const EdgeBatch batch = model->batch({&a.instance, &b.instance});
  const Tensor noise = model->noise_like(batch, torch::randn({36 + 64}));
  EXPECT_TRUE(torch::equal(noise, noise.index_select(0, batch.transposed)));
  const Tensor out = model->forward(batch, noise, torch::tensor({0.3F, 0.8F}));
  EXPECT_TRUE(torch::equal(out, out.index_select(0, batch.transposed)));
  EXPECT_GT(out.std().item<double>(), 1e-4);
}

TEST(TspEdgeModel, SamplingFollowsTheNamesOfCities) {
  EdgeModel model = small_model();
  const torch::NoGradGuard no_grad;
  const SolvedInstance solved = solved_random(Kind::kExplicit, 7, 1, 0);
  const SolvedInstance renamed = relabelled(solved, 4);
  // Where each city went, by the tour.
  std::vector<int64_t> name(7);
  for (size_t p = 0; p < 7; ++p) name[solved.tour[p]] = renamed.tour[p];
  std::vector<int64_t> moved(49);
  for (int64_t i = 0; i < 7; ++i) {
    for (int64_t j = 0; j < 7; ++j) moved[i * 7 + j] = name[i] * 7 + name[j];
  }
  const Tensor to = torch::tensor(moved, torch::kInt64);
  std::vector<Tensor> noises;
  for (int i = 0; i < 5; ++i) noises.push_back(torch::randn({49}));
  const auto sample = [&](const Instance& instance, bool is_renamed) {
    const EdgeBatch batch = model->batch({&instance});
    const Denoise denoise = [&](const Tensor& x, const Tensor& alpha) {
      return model->estimate(batch, x, alpha);
    };
    const Noise noise = [&](int64_t step) {
      if (!is_renamed) return noises[step];
      return torch::empty({49}).index_copy_(0, to, noises[step]);
    };
    return sample_diffusion(denoise, noise, 5, 1);
  };
  const Tensor plain = sample(solved.instance, false), other = sample(renamed.instance, true);
  EXPECT_TRUE(torch::allclose(plain, other.index_select(0, to), 1e-3, 1e-4));
}

TEST(TspEdgeModel, SamplesDoNotDependOnWhatStandsBesideThem) {
  EdgeModel model = small_model();
  const SolvedInstance a = solved_random(Kind::kExplicit, 6, 1, 0);
  const SolvedInstance b = solved_random(Kind::kExplicit, 9, 1, 1);
  SampleOptions options;
  options.samples = 3;
  options.steps = 4;
  const auto both = sample_edges(model, {&a.instance, &b.instance}, options);
  const auto alone = sample_edges(model, {&a.instance}, options);
  ASSERT_EQ(both.size(), 2);
  ASSERT_EQ(both[1].size(), 3);
  EXPECT_EQ(both[1][0].size(), 81);
  for (size_t s = 0; s < 3; ++s) {
    for (size_t pair = 0; pair < 36; ++pair) {
      EXPECT_NEAR(alone[0][s][pair], both[0][s][pair], 1e-5);  // sums are rounded otherwise
    }
  }
  EXPECT_NE(both[0][0], both[0][1]);
  options.first = 1;  // as if a were left out
  const auto second = sample_edges(model, {&b.instance}, options);
  for (size_t pair = 0; pair < 81; ++pair) {
    EXPECT_NEAR(second[0][2][pair], both[1][2][pair], 1e-5);
  }
  options.first = 0;
  options.seed = 2;
  EXPECT_NE(sample_edges(model, {&a.instance}, options)[0], alone[0]);
}

TEST(TspEdgeModel, CanBeStopped) {
  EdgeModel model = small_model();
  const SolvedInstance a = solved_random(Kind::kExplicit, 6, 1, 0);
  SampleHooks hooks;
  hooks.stop = [] { return true; };
  EXPECT_TRUE(sample_edges(model, {&a.instance}, {}, hooks).empty());
}

TEST(TspEdgeModel, EveryKindLearns) {
  std::vector<SolvedInstance> solved;
  std::vector<const Instance*> instances;
  std::vector<Tour> tours;
  for (uint64_t i = 0; i < 8; ++i) {
    solved.push_back(solved_random(Kind::kExplicit, 6, 1, i));
    tours.push_back(solved.back().tour);
  }
  for (const SolvedInstance& one : solved) instances.push_back(&one.instance);
  for (const Mode mode : {Mode::kOneShot, Mode::kDiffusion}) {
    for (const EdgeLoss loss : {EdgeLoss::kSquared, EdgeLoss::kCrossEntropy}) {
      for (const Encoding encoding : {Encoding::kNumbers, Encoding::kCategories}) {
        EdgeModel model = small_model({mode, encoding, loss, true});
        const EdgeBatch batch = model->batch(instances);
        const Tensor edges = tour_edges(tours);
        EXPECT_EQ(edges.sum().item<double>(), 8 * 12);
        torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(0.01));
        double first = 0, last = 0;
        constexpr int kSteps = 60;
        for (int step = 0; step < kSteps; ++step) {
          optimizer.zero_grad();
          const Tensor sum = model->loss_sum(batch, edges);
          sum.backward();
          optimizer.step();
          if (step < 5) first += sum.item<double>();
          if (step >= kSteps - 5) last += sum.item<double>();
        }
        EXPECT_LT(last, 0.8 * first)
            << static_cast<int>(mode) << static_cast<int>(loss) << static_cast<int>(encoding);
      }
    }
  }
}

}  // namespace
}  // namespace floydnet::tsp
