// Tours drawn from a model.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tasks/tsp/edge_model.h"

namespace floydnet::tsp {

struct SampleOptions {
  int64_t samples = 1;  // of each instance; a one-shot model has but one
  int64_t steps = 50;   // of diffusion
  double eta = 1;
  uint64_t seed = 1;
  int64_t first = 0;  // the number of the first instance, where they are some of many
};

/// Estimates of edges, [cities, cities], one for each sample of an instance. They depend on the
/// seed and on the instance's number, not on what is computed beside them.
using SampledEdges = std::vector<std::vector<float>>;

struct SampleHooks {
  /// Samples that are finished, of all.
  std::function<void(int64_t finished)> finished = {};
  std::function<bool()> stop = {};
};

/// Of all instances, in their order; fewer if it is stopped.
std::vector<SampledEdges> sample_edges(EdgeModel& model,
                                       const std::vector<const Instance*>& instances,
                                       const SampleOptions& options, const SampleHooks& hooks = {});

}  // namespace floydnet::tsp
