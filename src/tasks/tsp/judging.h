// A model's tours of given instances, judged.
#pragma once

#include <atomic>
#include <vector>

#include "tasks/tsp/data/problem.h"
#include "tasks/tsp/edges/judge.h"
#include "tasks/tsp/sampler.h"

namespace floydnet::tsp {

/// How far the parts of the work have come; read by another thread.
struct JudgingProgress {
  std::atomic<int64_t> sampled{0};  ///< samples
  std::atomic<int64_t> judged{0};   ///< instances, with their baselines
};

/// Optimal tours are those that come with the problems, or else the exact solver's. Instances of
/// one size are sampled at a time, so that the time of a sample is that of its size. By size; fewer
/// than asked for if `stop` ends it.
std::vector<JudgedInstance> judge_model(EdgeModel& model, const std::vector<Problem>& problems,
                                        const SampleOptions& options, const std::atomic<bool>& stop,
                                        JudgingProgress* progress);

}  // namespace floydnet::tsp
