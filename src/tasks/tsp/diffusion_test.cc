#include "tasks/tsp/diffusion.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

namespace floydnet::tsp {
namespace {

using torch::Tensor;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST(TspDiffusion, NoiseGrowsByASigmoid) {
  const Tensor rates = alpha_bar(torch::tensor({0.0, 0.25, 0.5, 1.0}, torch::kFloat64));
  const double wanted[] = {sigmoid(4), sigmoid(2), 0.5, sigmoid(-4)};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(rates[i].item<double>(), wanted[i], 1e-12);
}

TEST(TspDiffusion, LateTimesAreDrawnMoreOften) {
  torch::manual_seed(1);
  const Tensor times = draw_times(200000);
  ASSERT_EQ(times.numel(), 200000);
  // The density is (1 + 8 x^8) / (17 / 9).
  const double mean = (0.5 + 0.8) / (17.0 / 9);
  EXPECT_NEAR(times.mean().item<double>(), mean, 0.003);
  const double below_half = (0.5 + 8.0 / 9 * std::pow(0.5, 9)) / (17.0 / 9);
  EXPECT_NEAR((times < 0.5).to(torch::kFloat64).mean().item<double>(), below_half, 0.005);
}

TEST(TspDiffusion, ThePosteriorIsThatOfTheForwardProcess) {
  const Tensor alpha_t = torch::tensor({0.3}, torch::kFloat64);
  const Tensor alpha_s = torch::tensor({0.6}, torch::kFloat64);
  const Tensor x_t = torch::tensor({0.7}, torch::kFloat64);
  const Tensor x_0 = torch::tensor({1.0}, torch::kFloat64);
  const Posterior found = posterior(x_t, x_0, alpha_t, alpha_s, 1);
  // Bayes: x_s has mean sqrt(0.6) x_0 and variance 0.4; x_t = r x_s + noise of variance 1 - r^2.
  const double r2 = 0.3 / 0.6, r = std::sqrt(r2);
  const double variance = 1 / (1 / 0.4 + r2 / (1 - r2));
  const double mean = variance * (std::sqrt(0.6) / 0.4 + r * 0.7 / (1 - r2));
  EXPECT_NEAR(found.mean.item<double>(), mean, 1e-12);
  EXPECT_NEAR(found.deviation.item<double>(), std::sqrt(variance), 1e-12);
}

TEST(TspDiffusion, WithoutNewNoiseTheOldOneShrinks) {
  const Tensor alpha_t = torch::tensor({0.3}, torch::kFloat64);
  const Tensor alpha_s = torch::tensor({0.6}, torch::kFloat64);
  const double noise = 1.3;
  const Tensor x_t = torch::tensor({std::sqrt(0.3) + std::sqrt(0.7) * noise}, torch::kFloat64);
  const Posterior found = posterior(x_t, torch::ones({1}, torch::kFloat64), alpha_t, alpha_s, 0);
  EXPECT_EQ(found.deviation.item<double>(), 0);
  EXPECT_NEAR(found.mean.item<double>(), std::sqrt(0.6) + std::sqrt(0.4) * noise, 1e-12);
}

TEST(TspDiffusion, APerfectDenoiserNeedsOneStep) {
  const Tensor truth = torch::tensor({0.F, 1.F, 1.F, 0.F});
  int calls = 0;
  const Denoise perfect = [&](const Tensor&, const Tensor&) {
    ++calls;
    return truth;
  };
  const Noise noise = [](int64_t) { return torch::randn({4}); };
  for (const int64_t steps : {1, 2, 7}) {
    calls = 0;
    EXPECT_TRUE(torch::equal(sample_diffusion(perfect, noise, steps, 1), truth));
    EXPECT_EQ(calls, steps);
  }
}

TEST(TspDiffusion, SamplesHaveTheDistributionOfTheData) {
  // Half of the data are 0, half are 1: the best estimate is the probability of 1.
  torch::manual_seed(2);
  const Denoise best = [](const Tensor& x, const Tensor& alpha) {
    const Tensor signal = alpha.sqrt(), variance = 1 - alpha;
    return torch::sigmoid((2 * x * signal - signal.square()) / (2 * variance));
  };
  const Noise noise = [](int64_t) { return torch::randn({4000}); };
  const Tensor sampled = sample_diffusion(best, noise, 100, 1);
  EXPECT_NEAR((sampled > 0.5).to(torch::kFloat64).mean().item<double>(), 0.5, 0.06);
  EXPECT_GT(((sampled - 0.5).abs() > 0.4).to(torch::kFloat64).mean().item<double>(), 0.75);
}

}  // namespace
}  // namespace floydnet::tsp
