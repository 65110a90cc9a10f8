#include "tasks/graphs/loss.h"

#include <gmock/gmock.h>
#include <torch/torch.h>

#include <cmath>

#include "base/test_refusal.h"
#include "tasks/graphs/data/test_sets.h"

namespace floydnet::graphs {
namespace {

using ::testing::HasSubstr;
using torch::Tensor;

Target numbers() {
  Target target;
  target.width = 2;
  target.scale = {{10, -1}, {2, 4}};
  return target;
}

Target yes_or_no() {
  Target target;
  target.width = 2;
  target.kind = TargetKind::kBinary;
  target.counts = {3, 1, 2, 2};
  return target;
}

Target classes() {
  Target target;
  target.kind = TargetKind::kClasses;
  target.classes = {3};
  target.counts = {6, 3, 0};
  return target;
}

double value(const Tensor& tensor) { return tensor.item<double>(); }

TEST(GraphLoss, PredictionsUndoTheStandardisationOfLabels) {
  const Target target = numbers();
  const Tensor labels = torch::tensor({{12.F, 3.F}, {8.F, -5.F}});
  const Tensor standard = torch::tensor({{1.F, 1.F}, {-1.F, -1.F}});
  EXPECT_TRUE(torch::allclose(to_predictions(target, standard), labels));
  for (const LossKind kind : {LossKind::kL1, LossKind::kL2, LossKind::kHuber}) {
    TargetConfig config;
    config.loss = kind;
    EXPECT_NEAR(value(loss_sum(target, config, standard, labels, {}, false)), 0, 1e-6);
  }
}

TEST(GraphLoss, OfNumbersIsInDeviations) {
  const Target target = numbers();
  const Tensor labels = torch::tensor({{12.F, kMissing}}), outputs = torch::tensor({{-2.F, 99.F}});
  TargetConfig config;
  EXPECT_NEAR(value(loss_sum(target, config, outputs, labels, {}, false)), 3, 1e-6);
  config.loss = LossKind::kL2;
  EXPECT_NEAR(value(loss_sum(target, config, outputs, labels, {}, false)), 9, 1e-6);
  config.loss = LossKind::kHuber;
  config.huber = 2;
  EXPECT_NEAR(value(loss_sum(target, config, outputs, labels, {}, false)), 2 * (3 - 1), 1e-6);
}

TEST(GraphLoss, MissingLabelsAddNothingToLossWeightAndGradient) {
  for (const Target& target : {numbers(), yes_or_no(), classes()}) {
    const Tensor labels = torch::full({3, target.width}, kMissing);
    labels.slice(0, 1, 2) = 1;
    for (const ClassWeights kind : {ClassWeights::kNone, ClassWeights::kBalanced}) {
      const Tensor weights = class_weights(target, kind, {});
      const Tensor outputs = torch::randn({3, target.outputs()}).requires_grad_(true);
      const Tensor loss = loss_sum(target, {}, outputs, labels, weights, true);
      const Tensor alone =
          loss_sum(target, {}, outputs.slice(0, 1, 2), labels.slice(0, 1, 2), weights, true);
      EXPECT_NEAR(value(loss), value(alone), 1e-6);
      EXPECT_EQ(value(entry_weights(target, labels, weights).index({0}).sum()), 0);
      loss.backward();
      EXPECT_TRUE(outputs.grad().isfinite().all().item<bool>());
      EXPECT_EQ(value(outputs.grad().index({0}).abs().sum()), 0);
      EXPECT_EQ(value(outputs.grad().index({2}).abs().sum()), 0);
      EXPECT_GT(value(outputs.grad().index({1}).abs().sum()), 0);
    }
  }
}

TEST(GraphLoss, OfClassesAndOfYesOrNoIsTheUsualOne) {
  const Tensor logits = torch::tensor({{1.F, 2.F, -1.F}});
  const double all = std::exp(1.) + std::exp(2.) + std::exp(-1.);
  EXPECT_NEAR(value(loss_sum(classes(), {}, logits, torch::tensor({{2.F}}), {}, false)),
              std::log(all) + 1, 1e-5);
  const Tensor two = torch::tensor({{0.5F, -3.F}}), labels = torch::tensor({{1.F, 0.F}});
  EXPECT_NEAR(value(loss_sum(yes_or_no(), {}, two, labels, {}, false)),
              std::log1p(std::exp(-0.5)) + std::log1p(std::exp(-3.)), 1e-5);
}

TEST(GraphLoss, ClassWeightsAreThoseOfTrainingLabelsOrOfTheBatch) {
  const Tensor balanced = class_weights(classes(), ClassWeights::kBalanced, {});
  EXPECT_TRUE(torch::allclose(balanced, torch::tensor({9.F / 12, 9.F / 6, 0.F})));
  // LRGB: (V - n_c) / V of the classes that are there.
  const Tensor batch = class_weights(classes(), ClassWeights::kBatch, {1, 0, 3});
  EXPECT_TRUE(torch::allclose(batch, torch::tensor({0.75F, 0.F, 0.25F})));
  const Tensor pairs = class_weights(yes_or_no(), ClassWeights::kBalanced, {});
  EXPECT_TRUE(torch::allclose(pairs, torch::tensor({4.F / 6, 4.F / 2, 1.F, 1.F})));
  const Tensor labels = torch::tensor({{1.F, 0.F}, {0.F, kMissing}});
  EXPECT_TRUE(torch::allclose(entry_weights(yes_or_no(), labels, pairs),
                              torch::tensor({{2.F, 1.F}, {4.F / 6, 0.F}})));
}

TEST(GraphLoss, NoiseAndSmoothingAreForTraining) {
  TargetConfig config;
  config.noise = 0.5;
  config.smoothing = 0.2;
  const Tensor labels = torch::ones({4, 2}), outputs = torch::zeros({4, 2});
  for (const Target& target : {numbers(), yes_or_no()}) {
    const double plain = value(loss_sum(target, {}, outputs + 1, labels, {}, true));
    EXPECT_EQ(value(loss_sum(target, config, outputs + 1, labels, {}, false)), plain);
    EXPECT_NE(value(loss_sum(target, config, outputs + 1, labels, {}, true)), plain);
  }
  const Tensor logits = torch::tensor({{1.F, 2.F, -1.F}}), third = torch::tensor({{2.F}});
  EXPECT_NEAR(value(loss_sum(classes(), config, logits, third, {}, true)),
              0.8 * value(loss_sum(classes(), {}, logits, third, {}, false)) -
                  0.2 * value(torch::log_softmax(logits, 1).mean()),
              1e-5);
}

TEST(GraphLoss, OfAnotherKindOfTargetIsRefused) {
  TargetConfig config;
  config.loss = LossKind::kBinaryCrossEntropy;
  EXPECT_THAT(refusal([&] { require_loss(config, {numbers()}); }), HasSubstr("suits no target"));
  EXPECT_NO_THROW(require_loss(config, {numbers(), yes_or_no()}));
}

}  // namespace
}  // namespace floydnet::graphs
