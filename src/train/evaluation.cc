#include "train/evaluation.h"

#include <torch/torch.h>

namespace floydnet::train {

namespace {

std::vector<double> sums_of(Task& task, const std::string& split, World& world) {
  torch::NoGradGuard no_grad;
  const bool was_training = task.model().is_training();
  task.model().eval();
  const torch::Tensor sums =
      torch::tensor(task.tally(split, {world.rank(), world.size()}), torch::kFloat64);
  task.model().train(was_training);
  world.sum(sums);
  const double* begin = sums.data_ptr<double>();
  return {begin, begin + sums.numel()};
}

}  // namespace

Metrics evaluate(Task& task, const std::string& split, World& world) {
  return task.metrics(split, sums_of(task, split, world));
}

SplitSums sum_finals(Task& task, World& world, const std::function<void(int64_t)>& done) {
  SplitSums sums;
  for (const std::string& split : task.final_splits()) {
    sums.emplace_back(split, sums_of(task, split, world));
    if (done) done(static_cast<int64_t>(sums.size()));
  }
  return sums;
}

SplitMetrics metrics_of(const Task& task, const SplitSums& sums) {
  SplitMetrics found;
  for (const auto& [split, of_split] : sums) {
    found.emplace_back(split, task.metrics(split, of_split));
  }
  return found;
}

SplitMetrics evaluate_finals(Task& task, World& world, const std::function<void(int64_t)>& done) {
  return metrics_of(task, sum_finals(task, world, done));
}

}  // namespace floydnet::train
