// Short runs of real tasks, for tests.
#pragma once

#include <string>
#include <vector>

#include "base/test_temporary.h"
#include "train/task_run.h"
#include "train/trainer.h"

namespace floydnet::train {

/// The losses of the steps, each batch computed in so many parts.
inline std::vector<double> losses_of(const TaskRun& run, int64_t steps, int64_t accumulate) {
  struct Losses final : Observer {
    void stepped(const StepReport& report) override { found.push_back(report.loss); }
    std::vector<double> found;
  };
  const TemporaryFolder folder;
  TrainConfig config = run.train;
  config.steps = steps;
  config.accumulate = accumulate;
  config.evaluate_every = steps + 1;
  const std::unique_ptr<Task> task = run.make_task();
  World world;
  Losses losses;
  Trainer(*task, config, RunFolder(folder.path()), world, losses, {}).run();
  return losses.found;
}

/// How far the worst loss is from that of batches that are not cut.
inline double worst_difference(const TaskRun& run, int64_t steps, int64_t accumulate) {
  const std::vector<double> whole = losses_of(run, steps, 1);
  const std::vector<double> parts = losses_of(run, steps, accumulate);
  double worst = whole.size() == parts.size() && whole.size() == static_cast<size_t>(steps) ? 0 : 1;
  for (size_t i = 0; i < std::min(whole.size(), parts.size()); ++i) {
    worst = std::max(worst, std::abs(whole[i] - parts[i]));
  }
  return worst;
}

}  // namespace floydnet::train
