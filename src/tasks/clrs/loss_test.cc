#include "tasks/clrs/loss.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

namespace floydnet::clrs {
namespace {

using torch::Tensor;

Probe output_probe(Location location, Type type, int64_t classes = 0) {
  return {"x", Stage::kOutput, location, type, classes, Dtype::kFloat64};
}

/// Means over the entries that count.
double loss_of(const Probe& probe, const Tensor& prediction, const Tensor& truth) {
  return output_loss(probe, prediction, truth).item<double>() / output_weight(probe, truth);
}
double hint_loss_of(const Probe& probe, const std::vector<Tensor>& predictions, const Tensor& truth,
                    const Tensor& sample_steps) {
  return hint_loss(probe, predictions, truth, sample_steps).item<double>() /
         hint_weight(probe, truth, sample_steps);
}

double softplus(double x) { return std::log1p(std::exp(x)); }

TEST(ClrsLoss, ScalarsBySquaredError) {
  const Probe probe = output_probe(Location::kNode, Type::kScalar);
  EXPECT_NEAR(loss_of(probe, torch::tensor({{1.0, 2.0}, {0.0, 4.0}}),
                      torch::tensor({{0.0, 2.0}, {3.0, 2.0}})),
              (1 + 0 + 9 + 4) / 4.0, 1e-6);
}

TEST(ClrsLoss, MasksByCrossEntropyOfTheEntriesThatAreJudged) {
  const Probe probe = output_probe(Location::kNode, Type::kMask);
  const Tensor logits = torch::tensor({{2.0, -1.0, 50.0}});
  EXPECT_NEAR(loss_of(probe, logits, torch::tensor({{1.0, 0.0, -1.0}})),
              (softplus(-2) + softplus(-1)) / 2, 1e-6);
  EXPECT_NEAR(loss_of(probe, logits, torch::tensor({{0.0, 1.0, 1.0}})),
              (softplus(2) + softplus(1) + 0) / 3, 1e-6);
  EXPECT_EQ(output_loss(probe, logits, torch::full({1, 3}, -1.0)).item<double>(), 0);
  EXPECT_EQ(output_weight(probe, torch::full({1, 3}, -1.0)), 0);
}

TEST(ClrsLoss, MasksOfGraphsAndEdgesToo) {
  EXPECT_NEAR(loss_of(output_probe(Location::kGraph, Type::kMask), torch::tensor({3.0, 1.0}),
                      torch::tensor({1.0, 0.0})),
              (softplus(-3) + softplus(1)) / 2, 1e-6);
  EXPECT_NEAR(
      loss_of(output_probe(Location::kEdge, Type::kMask), torch::tensor({{{3.0, 1.0}, {0.0, 9.0}}}),
              torch::tensor({{{1.0, 0.0}, {1.0, -1.0}}})),
      (softplus(-3) + softplus(1) + std::log(2)) / 3, 1e-6);
}

TEST(ClrsLoss, SingleOnesByCrossEntropyOverTheNodes) {
  const Probe probe = output_probe(Location::kNode, Type::kMaskOne);
  const Tensor logits = torch::tensor({{0.0, std::log(3.0)}, {0.0, 0.0}});
  const Tensor truth = torch::tensor({{0.0, 1.0}, {1.0, 0.0}});
  EXPECT_NEAR(loss_of(probe, logits, truth), (-std::log(0.75) - std::log(0.5)) / 2, 1e-6);
}

TEST(ClrsLoss, RowsWhoseClassIsMaskedDoNotCount) {
  const Probe probe = output_probe(Location::kNode, Type::kCategorical, 3);
  const Tensor logits = torch::tensor({{{0.0, std::log(2.0), 0.0}, {9.0, 1.0, 2.0}}});
  const Tensor truth = torch::tensor({{{0.0, 1.0, 0.0}, {0.0, 0.0, -1.0}}});
  EXPECT_NEAR(loss_of(probe, logits, truth), -std::log(0.5), 1e-6);
}

TEST(ClrsLoss, PointersByCrossEntropyAtTheTarget) {
  const Probe node = output_probe(Location::kNode, Type::kPointer);
  const Tensor logits = torch::tensor({{{0.0, std::log(4.0)}, {0.0, 0.0}}});
  EXPECT_NEAR(loss_of(node, logits, torch::tensor({{1, 0}}, torch::kInt64)),
              (-std::log(0.8) - std::log(0.5)) / 2, 1e-6);
  const Probe edge = output_probe(Location::kEdge, Type::kPointer);
  EXPECT_NEAR(loss_of(edge, logits.unsqueeze(0).expand({1, 2, 2, 2}),
                      torch::tensor({{{1, 0}, {0, 1}}}, torch::kInt64)),
              (-std::log(0.8) - 2 * std::log(0.5) - std::log(0.2)) / 4, 1e-6);
}

TEST(ClrsLoss, PermutationsByTheirLogProbabilities) {
  const Probe probe = output_probe(Location::kNode, Type::kPermutationPointer);
  const Tensor log_probabilities = torch::tensor({{{-9.0, -0.25}, {-0.75, -9.0}}});
  const Tensor truth = torch::tensor({{{0.0, 1.0}, {1.0, 0.0}}});
  EXPECT_NEAR(loss_of(probe, log_probabilities, truth), 0.5, 1e-6);
}

// Three snapshots, two steps; the second sample ends after its second snapshot.
TEST(ClrsLoss, HintsCountWhileASampleGoesOn) {
  const Probe probe = output_probe(Location::kNode, Type::kScalar);
  const Tensor truth = torch::zeros({3, 2, 1});
  const std::vector<Tensor> predictions = {torch::tensor({{1.0}, {2.0}}),
                                           torch::tensor({{3.0}, {100.0}})};
  const Tensor sample_steps = torch::tensor({3, 2}, torch::kInt64);
  EXPECT_NEAR(hint_loss_of(probe, predictions, truth, sample_steps), (1 + 4 + 9) / 3.0, 1e-5);
}

TEST(ClrsLoss, APredictionIsComparedWithTheNextSnapshot) {
  const Probe probe = output_probe(Location::kGraph, Type::kScalar);
  const Tensor truth = torch::tensor({{5.0}, {6.0}, {8.0}});
  const std::vector<Tensor> predictions = {torch::tensor({6.0}), torch::tensor({8.5})};
  const Tensor sample_steps = torch::tensor({3}, torch::kInt64);
  EXPECT_NEAR(hint_loss_of(probe, predictions, truth, sample_steps), 0.25 / 2, 1e-6);
}

TEST(ClrsLoss, HintsLookAwayFromMaskedEntriesAndRows) {
  const Tensor sample_steps = torch::tensor({2}, torch::kInt64);
  const Tensor masks = torch::tensor({{{0.0, 0.0}}, {{1.0, -1.0}}});
  EXPECT_NEAR(hint_loss_of(output_probe(Location::kNode, Type::kMask),
                           {torch::tensor({{2.0, 7.0}})}, masks, sample_steps),
              softplus(-2), 1e-6);
  const Tensor classes = torch::tensor({{{{0.0, 0.0}, {0.0, 0.0}}}, {{{1.0, 0.0}, {0.0, -1.0}}}});
  EXPECT_NEAR(hint_loss_of(output_probe(Location::kNode, Type::kCategorical, 2),
                           {torch::tensor({{{0.0, 0.0}, {5.0, 1.0}}})}, classes, sample_steps),
              std::log(2), 1e-6);
}

TEST(ClrsLoss, SamplesWithoutASecondSnapshotHaveNoHintLoss) {
  const Probe probe = output_probe(Location::kNode, Type::kPointer);
  const Tensor truth = torch::zeros({2, 1, 2}, torch::kInt64);
  const Tensor sample_steps = torch::tensor({1}, torch::kInt64);
  EXPECT_EQ(hint_loss(probe, {torch::zeros({1, 2, 2})}, truth, sample_steps).item<double>(), 0);
  EXPECT_EQ(hint_weight(probe, truth, sample_steps), 0);
  const Tensor only = truth.narrow(0, 0, 1);
  EXPECT_EQ(hint_loss(probe, {torch::zeros({1, 2, 2})}, only, sample_steps).item<double>(), 0);
  EXPECT_EQ(hint_weight(probe, only, sample_steps), 0);
}

}  // namespace
}  // namespace floydnet::clrs
