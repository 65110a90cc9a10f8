#include "train/evaluation.h"

#include <torch/torch.h>

namespace floydnet::train {

Metrics evaluate(Task& task, const std::string& split, World& world) {
  torch::NoGradGuard no_grad;
  const bool was_training = task.model().is_training();
  task.model().eval();
  const torch::Tensor sums =
      torch::tensor(task.tally(split, {world.rank(), world.size()}), torch::kFloat64);
  task.model().train(was_training);
  world.sum(sums);
  const double* begin = sums.data_ptr<double>();
  return task.metrics(split, {begin, begin + sums.numel()});
}

SplitMetrics evaluate_finals(Task& task, World& world, const std::function<void(int64_t)>& done) {
  SplitMetrics found;
  for (const std::string& split : task.final_splits()) {
    found.emplace_back(split, evaluate(task, split, world));
    if (done) done(static_cast<int64_t>(found.size()));
  }
  return found;
}

}  // namespace floydnet::train
