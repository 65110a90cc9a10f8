#include "tasks/tsp/diffusion.h"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>

namespace floydnet::tsp {

using torch::Tensor;

Tensor alpha_bar(const Tensor& times) {
  constexpr double kEnd = 4;
  return torch::sigmoid(kEnd - 2 * kEnd * times);
}

Tensor draw_times(int64_t count) {
  // By rejection from under the density's maximum, 9; the loop ends in one or two rounds.
  constexpr double kHighest = 9, kMean = 1 + 8.0 / 9;
  Tensor times = torch::empty({0});
  while (times.numel() < count) {
    const auto tries =
        static_cast<int64_t>(std::ceil(1.5 * static_cast<double>(count) * kHighest / kMean));
    const Tensor x = torch::rand({tries});
    times = torch::cat({times, x.index({torch::rand({tries}) * kHighest < 1 + 8 * x.pow(8)})});
  }
  return times.narrow(0, 0, count);
}

Posterior posterior(const Tensor& x_t, const Tensor& x_0, const Tensor& alpha_t,
                    const Tensor& alpha_s, double eta) {
  const Tensor noise = (x_t - alpha_t.sqrt() * x_0) / (1 - alpha_t).sqrt();
  const Tensor deviation =
      eta * ((1 - alpha_s) / (1 - alpha_t)).sqrt() * (1 - alpha_t / alpha_s).sqrt();
  const Tensor direction = (1 - alpha_s - deviation.square()).clamp_min(0).sqrt();
  return {alpha_s.sqrt() * x_0 + direction * noise, deviation};
}

Tensor sample_diffusion(const Denoise& denoise, const Noise& noise, int64_t steps, double eta) {
  const Tensor times = torch::linspace(1, 0, steps + 1);
  Tensor x = noise(0), estimate;
  for (int64_t step = 0; step < steps; ++step) {
    const Tensor alpha_t = alpha_bar(times.narrow(0, step, 1));
    estimate = denoise(x, alpha_t);
    if (step + 1 == steps) break;
    const Posterior next =
        posterior(x, estimate, alpha_t, alpha_bar(times.narrow(0, step + 1, 1)), eta);
    x = next.mean;
    if (eta > 0) x = x + next.deviation * noise(step + 1);
  }
  return estimate;
}

}  // namespace floydnet::tsp
