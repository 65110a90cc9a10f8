#include "train/optimizer.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "train/test_task.h"

namespace floydnet::train {
namespace {

TEST(AdamW, DoesWhatLibtorchsDoes) {
  PointsTask ours, theirs;
  TrainConfig config;
  config.weight_decay = 0.1;
  const FlatParameters parameters(ours.model());
  AdamW optimizer(parameters, config);
  std::vector<torch::Tensor> matrices, vectors;
  for (const auto& parameter : theirs.model().parameters()) {
    (parameter.dim() >= 2 ? matrices : vectors).push_back(parameter);
  }
  std::vector<torch::optim::OptimizerParamGroup> groups;
  for (const auto& [list, decay] : {std::pair{matrices, 0.1}, {vectors, 0.0}}) {
    groups.emplace_back(list, std::make_unique<torch::optim::AdamWOptions>(
                                  torch::optim::AdamWOptions(0.01).weight_decay(decay)));
  }
  torch::optim::AdamW reference(groups, torch::optim::AdamWOptions(0.01));
  for (int64_t step = 0; step < 20; ++step) {
    parameters.gradients().zero_();
    ours.loss_sums(*ours.batch(step, {}))[0].backward();
    optimizer.step(0.01);
    reference.zero_grad();
    theirs.loss_sums(*theirs.batch(step, {}))[0].backward();
    reference.step();
  }
  const auto a = ours.model().parameters(), b = theirs.model().parameters();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(torch::allclose(a[i], b[i], 1e-5, 1e-6)) << i;
}

TEST(FlatParameters, AreWhatTheModelComputesWith) {
  PointsTask task;
  const auto before = task.batch(0, {});
  const double loss = task.loss_sums(*before)[0].item<double>();
  const FlatParameters parameters(task.model());
  EXPECT_DOUBLE_EQ(task.loss_sums(*before)[0].item<double>(), loss);
  task.loss_sums(*before)[0].backward();
  EXPECT_GT(parameters.gradients().norm().item<double>(), 0);
  for (const auto& [name, view] : parameters.named(parameters.gradients())) {
    EXPECT_EQ(view.data_ptr(), task.model().named_parameters()[name].grad().data_ptr()) << name;
  }
}

TEST(Schedule, WarmsUpThenFollowsACosine) {
  TrainConfig config;
  config.learning_rate = 2;
  config.warmup = 4;
  config.final_fraction = 0.1;
  const Schedule schedule(config, {"validation", "error", false});
  EXPECT_DOUBLE_EQ(schedule.learning_rate(0, 0), 0.5);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(3, 0), 2);
  EXPECT_NEAR(schedule.learning_rate(50, 0.5), 2 * 0.55, 1e-12);
  EXPECT_NEAR(schedule.learning_rate(100, 1), 0.2, 1e-12);
}

TEST(Schedule, PlateauCutsTheRateWhenEvaluationsGetNoBetter) {
  TrainConfig config;
  config.schedule = ScheduleKind::kPlateau;
  config.learning_rate = 1;
  config.warmup = 0;
  config.plateau_patience = 2;
  Schedule schedule(config, {"validation", "accuracy", true});
  for (const double value : {0.5, 0.4, 0.45}) schedule.evaluated(value);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(9, 0.3), 1);
  Schedule copy(config, {"validation", "accuracy", true});
  copy.set_state(schedule.state());
  copy.evaluated(0.5);
  EXPECT_DOUBLE_EQ(copy.learning_rate(9, 0.3), 0.5);
}

}  // namespace
}  // namespace floydnet::train
