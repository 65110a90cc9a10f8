// Short runs of real tasks, for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/test_temporary.h"
#include "train/task_config.h"
#include "train/trainer.h"

namespace floydnet::train {

/// The losses of the steps, each batch computed in so many parts.
inline std::vector<double> losses_of(const TaskConfig& run, int64_t steps, int64_t accumulate) {
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

/// Of batches that are cut in two and in four, no loss of 50 steps differs by more than 1e-5 from
/// that of batches that are not cut.
inline void expect_same_curve_in_parts(const TaskConfig& run) {
  constexpr int64_t kSteps = 50;
  const std::vector<double> whole = losses_of(run, kSteps, 1);
  ASSERT_EQ(whole.size(), static_cast<size_t>(kSteps));
  for (const int64_t accumulate : {2, 4}) {
    const std::vector<double> parts = losses_of(run, kSteps, accumulate);
    ASSERT_EQ(parts.size(), whole.size());
    for (size_t i = 0; i < whole.size(); ++i) {
      ASSERT_NEAR(parts[i], whole[i], 1e-5) << "step " << i << " in " << accumulate;
    }
  }
}

}  // namespace floydnet::train
