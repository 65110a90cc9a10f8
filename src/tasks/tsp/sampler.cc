#include "tasks/tsp/sampler.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/torch.h>

#include "base/hash.h"

namespace floydnet::tsp {
namespace {

using torch::Tensor;

/// One sample of one instance.
struct Draw {
  size_t instance;
  int64_t sample;
  uint64_t number;  // of the instance
};

uint64_t noise_seed(uint64_t seed, const Draw& draw, int64_t step) {
  const uint64_t words[] = {seed, draw.number, static_cast<uint64_t>(draw.sample),
                            static_cast<uint64_t>(step)};
  return fnv1a(words, sizeof(words));
}

Tensor step_noise(const EdgeModel& model, const EdgeBatch& batch, const std::vector<Draw>& draws,
                  uint64_t seed, int64_t step) {
  std::vector<Tensor> parts;
  for (size_t d = 0; d < draws.size(); ++d) {
    const int64_t n = batch.graphs.sizes[d];
    parts.push_back(
        torch::randn({n * n}, at::detail::createCPUGenerator(noise_seed(seed, draws[d], step))));
  }
  return model->noise_like(batch, torch::cat(parts));
}

Tensor run(EdgeModel& model, const EdgeBatch& batch, const std::vector<Draw>& draws,
           const SampleOptions& options) {
  if (model->options().mode == Mode::kOneShot) return model->estimate(batch, {}, {});
  const auto count = static_cast<int64_t>(draws.size());
  const Denoise denoise = [&](const Tensor& x, const Tensor& alpha) {
    return model->estimate(batch, x, alpha.expand({count}));
  };
  const Noise noise = [&](int64_t step) {
    return step_noise(model, batch, draws, options.seed, step);
  };
  return sample_diffusion(denoise, noise, options.steps, options.eta);
}

/// The draws from `begin` on that are computed at once.
std::vector<Draw> next_draws(const std::vector<Draw>& draws, size_t begin,
                             const std::vector<const Instance*>& instances) {
  constexpr int64_t kPairs = 32 << 10;
  std::vector<Draw> some;
  int64_t pairs = 0;
  for (size_t d = begin; d < draws.size(); ++d) {
    const int64_t n = instances[draws[d].instance]->cities();
    if (!some.empty() && pairs + n * n > kPairs) break;
    pairs += n * n;
    some.push_back(draws[d]);
  }
  return some;
}

}  // namespace

std::vector<SampledEdges> sample_edges(EdgeModel& model,
                                       const std::vector<const Instance*>& instances,
                                       const SampleOptions& options, const SampleHooks& hooks) {
  const torch::NoGradGuard no_grad;
  model->eval();
  const int64_t samples = model->options().mode == Mode::kOneShot ? 1 : options.samples;
  std::vector<Draw> draws;
  for (size_t i = 0; i < instances.size(); ++i) {
    for (int64_t s = 0; s < samples; ++s)
      draws.push_back({i, s, static_cast<uint64_t>(options.first) + i});
  }
  std::vector<SampledEdges> all(instances.size());
  for (size_t done = 0; done < draws.size();) {
    if (hooks.stop && hooks.stop()) break;
    const std::vector<Draw> some = next_draws(draws, done, instances);
    std::vector<const Instance*> of_draws;
    for (const Draw& draw : some) of_draws.push_back(instances[draw.instance]);
    const EdgeBatch batch = model->batch(of_draws);
    const Tensor edges = run(model, batch, some, options).contiguous();
    const float* data = edges.data_ptr<float>();
    for (size_t d = 0; d < some.size(); ++d) {
      const int64_t n = of_draws[d]->cities();
      all[some[d].instance].emplace_back(data, data + n * n);
      data += n * n;
    }
    done += some.size();
    if (hooks.finished) hooks.finished(static_cast<int64_t>(done));
  }
  while (!all.empty() && static_cast<int64_t>(all.back().size()) < samples) all.pop_back();
  return all;
}

}  // namespace floydnet::tsp
