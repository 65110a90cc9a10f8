#include "bench/task_step.h"

#include <fmt/format.h>
#include <torch/types.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/part_times.h"
#include "base/stopwatch.h"
#include "floydnet/memory.h"
#include "train/optimizer.h"
#include "train/parameters.h"

namespace floydnet::bench {
namespace {

using train::Task;

void run_step(Task& task, const train::FlatParameters& parameters, train::AdamW& optimizer,
              const train::TrainConfig& config, int64_t step) {
  std::shared_ptr<const train::Batch> batch;
  {
    const TimedPart part("data");
    batch = task.batch(step, {});
  }
  parameters.gradients().zero_();
  torch::manual_seed(static_cast<uint64_t>(step));
  for (const train::Batch* piece : train::pieces_of(*batch)) {
    torch::Tensor loss;
    {
      const TimedPart part("forward, the rest");
      loss = train::mean_loss(task.loss_sums(*piece), batch->weights);
    }
    const TimedPart part("backward, the rest");
    loss.backward();
  }
  const TimedPart part("optimiser");
  const double norm = parameters.gradients().norm().item<double>();
  if (config.clip > 0 && norm > config.clip) parameters.gradients().mul_(config.clip / norm);
  optimizer.step(config.learning_rate);
}

}  // namespace

TaskStep run_task_step(const train::TaskConfig& config, double seconds) {
  constexpr int64_t kWarmUp = 2, kFewest = 2;
  reuse_tensor_memory();
  const std::unique_ptr<Task> task = config.make_task();
  task->model().train();
  const train::FlatParameters parameters(task->model());
  train::AdamW optimizer(parameters, config.train);
  int64_t step = 0;
  for (; step < kWarmUp; ++step) run_step(*task, parameters, optimizer, config.train, step);
  TaskStep result;
  result.examples = config.train.batch;
  result.seconds = std::numeric_limits<double>::infinity();
  start_part_times();
  const auto start = std::chrono::steady_clock::now();
  while (result.steps < kFewest || seconds_since(start) < seconds) {
    const auto began = std::chrono::steady_clock::now();
    run_step(*task, parameters, optimizer, config.train, step++);
    result.seconds = std::min(result.seconds, seconds_since(began));
    ++result.steps;
  }
  const auto count = static_cast<double>(result.steps);
  result.mean_seconds = seconds_since(start) / count;
  for (const auto& [name, all] : stop_part_times()) result.parts[name] = all / count;
  return result;
}

void print_parts(const TaskStep& step) {
  std::vector<std::pair<std::string, double>> parts(step.parts.begin(), step.parts.end());
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  double all = 0;
  for (const auto& [name, seconds] : parts) all += seconds;
  for (const auto& [name, seconds] : parts) {
    fmt::print("{:<36}{:>9.2f} ms{:>7.1f} %\n", name, 1e3 * seconds, 100 * seconds / all);
  }
}

}  // namespace floydnet::bench
