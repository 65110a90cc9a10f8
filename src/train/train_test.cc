#include "floydnet/train.h"

#include <gmock/gmock.h>
#include <torch/torch.h>

#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "train/test_task.h"

namespace floydnet::train {
namespace {

using ::testing::HasSubstr;

TrainConfig short_run(int64_t steps) {
  TrainConfig config;
  config.steps = steps;
  config.batch = 8;
  config.warmup = 5;
  config.learning_rate = 0.01;
  config.evaluate_every = 20;
  config.checkpoint_every = 20;
  config.schedule = ScheduleKind::kConstant;
  return config;
}

TEST(Train, LeavesTheBestWeightsInTheModelAndInAFile) {
  const TemporaryFolder folder;
  PointsTask task;
  const double before = task.metrics("", task.tally("validation", {}))[0].second;
  const Outcome outcome = train(task, short_run(80), folder.file("run"));
  EXPECT_EQ(outcome.step, 80);
  EXPECT_LT(outcome.finals[0].second[0].second, 0.5 * before);
  PointsTask other(8, /*seed=*/7);
  load_weights(other.model(), folder.file("run") + "/best.safetensors");
  EXPECT_EQ(other.tally("validation", {}), task.tally("validation", {}));
}

TEST(Train, GoesOnWithAnUnfinishedRun) {
  const TemporaryFolder folder;
  struct Steps final : Observer {
    void stepped(const StepReport& report) override { first = std::min(first, report.step); }
    int64_t first = 1000;
  };
  PointsTask one;
  train(one, short_run(40), folder.file("run"));
  PointsTask two;
  Steps steps;
  EXPECT_EQ(train(two, short_run(60), folder.file("run"), &steps).step, 60);
  EXPECT_EQ(steps.first, 41);
  PointsTask whole;
  train(whole, short_run(60), folder.file("whole"));
  EXPECT_EQ(two.tally("validation", {}), whole.tally("validation", {}));
}

TEST(Train, RefusesBadConfigurations) {
  const TemporaryFolder folder;
  PointsTask task;
  TrainConfig config = short_run(10);
  config.batch = 1;
  config.accumulate = 4;
  EXPECT_THAT(refusal([&] { train(task, config, folder.file("run")); }), HasSubstr("train.batch"));
  config = short_run(10);
  config.learning_rate = -1;
  EXPECT_THAT(refusal([&] { train(task, config, folder.file("run")); }),
              HasSubstr("learning_rate"));
  EXPECT_THAT(refusal([&] { train(task, short_run(1), "/proc/none/run"); }), HasSubstr("/proc"));
}

}  // namespace
}  // namespace floydnet::train
