// Gaussian diffusion on the edges of tours: how noise is added, and how it is taken away again.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace floydnet::tsp {

/// Noise at time t in [0, 1], where 1 is all noise: x_t = sqrt(a) x_0 + sqrt(1 - a) noise, with
/// a = alpha_bar(t), a sigmoid of 4 - 8 t.
torch::Tensor alpha_bar(const torch::Tensor& times);

/// Times with the density 1 + 8 x^8, up to a factor: late ones, where there is much noise, more
/// often.
torch::Tensor draw_times(int64_t count);

/// The mean and the deviation of x_s given x_t and x_0, for s < t. eta = 1 is the posterior of the
/// forward process, eta = 0 goes without new noise. Both rates may be tensors.
struct Posterior {
  torch::Tensor mean;
  torch::Tensor deviation;
};
Posterior posterior(const torch::Tensor& x_t, const torch::Tensor& x_0,
                    const torch::Tensor& alpha_t, const torch::Tensor& alpha_s, double eta);

/// From x_t and alpha_bar(t), [1], to an estimate of x_0.
using Denoise = std::function<torch::Tensor(const torch::Tensor& x_t, const torch::Tensor& alpha)>;
/// The noise of a step, of the shape of x; step 0 is what sampling starts from.
using Noise = std::function<torch::Tensor(int64_t step)>;

/// Goes from noise to x_0 in so many equal steps of time; returns the last estimate.
torch::Tensor sample_diffusion(const Denoise& denoise, const Noise& noise, int64_t steps,
                               double eta);

}  // namespace floydnet::tsp
