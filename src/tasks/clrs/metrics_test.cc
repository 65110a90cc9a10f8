#include "tasks/clrs/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

namespace floydnet::clrs {
namespace {

using torch::Tensor;

Spec outputs_of(std::vector<Probe> probes) {
  for (Probe& probe : probes) probe.stage = Stage::kOutput;
  return {std::move(probes)};
}

Spec output_of(Location location, Type type, int64_t classes = 0) {
  return outputs_of({{"x", Stage::kOutput, location, type, classes, Dtype::kFloat64}});
}

BatchTensors batch_of(std::vector<Tensor> truths) {
  BatchTensors batch;
  batch.samples = truths[0].size(0);
  batch.values = std::move(truths);
  return batch;
}

double score(const Spec& spec, const Tensor& prediction, const Tensor& truth) {
  Scores scores(spec);
  scores.add({prediction}, batch_of({truth}));
  return scores.mean();
}

TEST(ClrsMetrics, MasksByF1OfJudgedEntries) {
  const Spec spec = output_of(Location::kNode, Type::kMask);
  const Tensor logits = torch::tensor({{1.0, 1.0, 1.0, -1.0, 1.0}});
  // Two of three positives are right, one of three is missed; the last is not judged.
  const Tensor truth = torch::tensor({{1.0, 1.0, 0.0, 1.0, -1.0}});
  EXPECT_NEAR(score(spec, logits, truth), 2.0 / 3, 1e-9);
}

TEST(ClrsMetrics, F1WithoutPositives) {
  const Spec spec = output_of(Location::kEdge, Type::kMask);
  const Tensor none = torch::full({1, 2, 2}, -3.0), some = torch::full({1, 2, 2}, 3.0);
  const Tensor zeros = torch::zeros({1, 2, 2}), ones = torch::ones({1, 2, 2});
  EXPECT_EQ(score(spec, none, zeros), 1);
  EXPECT_EQ(score(spec, none, ones), 0);   // precision 1, recall 0
  EXPECT_EQ(score(spec, some, zeros), 0);  // precision 0, recall 1
}

TEST(ClrsMetrics, F1IsOfAllBatchesTogether) {
  Scores scores(output_of(Location::kGraph, Type::kMask));
  scores.add({torch::tensor({1.0, 1.0})}, batch_of({torch::tensor({1.0, 1.0})}));
  scores.add({torch::tensor({-1.0, -1.0})}, batch_of({torch::tensor({1.0, 0.0})}));
  // Precision 2/2, recall 2/3. The mean over batches would be 1/2.
  EXPECT_NEAR(scores.mean(), 0.8, 1e-9);
}

TEST(ClrsMetrics, SumsOfPartsAddUp) {
  const Spec spec = output_of(Location::kGraph, Type::kMask);
  Scores whole(spec), first(spec), second(spec), joined(spec);
  for (Scores* scores : {&whole, &first}) {
    scores->add({torch::tensor({1.0, 1.0})}, batch_of({torch::tensor({1.0, 0.0})}));
  }
  for (Scores* scores : {&whole, &second}) {
    scores->add({torch::tensor({-1.0, -1.0})}, batch_of({torch::tensor({1.0, 0.0})}));
  }
  joined.add(first.sums());
  joined.add(second.sums());
  EXPECT_EQ(joined.mean(), whole.mean());
  EXPECT_NEAR(whole.mean(), 0.5, 1e-9);
}

TEST(ClrsMetrics, SingleOnesByTheirPlace) {
  const Spec spec = output_of(Location::kNode, Type::kMaskOne);
  const Tensor logits = torch::tensor({{1.0, 3.0, 2.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}});
  const Tensor truth = torch::tensor({{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}});
  EXPECT_NEAR(score(spec, logits, truth), 2.0 / 3, 1e-9);
}

TEST(ClrsMetrics, ClassesWithoutMaskedRows) {
  const Spec spec = output_of(Location::kEdge, Type::kCategorical, 2);
  const Tensor logits = torch::tensor({{{{1.0, 0.0}, {1.0, 0.0}}, {{0.0, 1.0}, {5.0, 0.0}}}});
  const Tensor truth = torch::tensor({{{{1.0, 0.0}, {0.0, 1.0}}, {{0.0, 1.0}, {0.0, -1.0}}}});
  EXPECT_NEAR(score(spec, logits, truth), 2.0 / 3, 1e-9);
}

TEST(ClrsMetrics, PointersByEquality) {
  const Tensor logits = torch::tensor({{{0.0, 1.0}, {2.0, 1.0}}});
  EXPECT_EQ(score(output_of(Location::kNode, Type::kPointer), logits,
                  torch::tensor({{1, 1}}, torch::kInt64)),
            0.5);
  const Tensor of_edges = logits.unsqueeze(1).expand({1, 2, 2, 2});
  EXPECT_EQ(score(output_of(Location::kEdge, Type::kPointer), of_edges,
                  torch::tensor({{{1, 0}, {1, 1}}}, torch::kInt64)),
            0.75);
}

TEST(ClrsMetrics, ScalarsByMeanSquaredError) {
  EXPECT_EQ(score(output_of(Location::kNode, Type::kScalar), torch::tensor({{1.0, 2.0}}),
                  torch::tensor({{1.0, 4.0}})),
            2);
}

// The cycle 0 -> 2 -> 1 -> 0 with 0 first: the array is 0, 1, 2 by their predecessors.
TEST(ClrsMetrics, APermutationAndItsMaskAreOneOutput) {
  const Spec spec = outputs_of(
      {{"pred", Stage::kOutput, Location::kNode, Type::kPermutationPointer, 0, Dtype::kFloat32},
       {"pred_mask", Stage::kOutput, Location::kNode, Type::kMaskOne, 0, Dtype::kFloat32}});
  const Tensor cycle = torch::tensor({{{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}});
  const Tensor first = torch::tensor({{1.0, 0.0, 0.0}}), second = torch::tensor({{0.0, 1.0, 0.0}});
  const BatchTensors batch = batch_of({cycle, first});
  Scores right(spec), wrong_first(spec), wrong_cycle(spec);
  right.add({cycle, first}, batch);
  wrong_first.add({cycle, second}, batch);
  wrong_cycle.add({cycle.transpose(1, 2), first}, batch);
  EXPECT_THAT(right.by_output(), testing::ElementsAre(std::make_pair("pred", 1.0)));
  EXPECT_NEAR(wrong_first.mean(), 1.0 / 3, 1e-9);  // node 2's pointer alone is right
  EXPECT_NEAR(wrong_cycle.mean(), 1.0 / 3, 1e-9);  // the first points to itself in any case
}

TEST(ClrsMetrics, AnAlgorithmsScoreIsTheMeanOfItsOutputs) {
  const Probe one = {"a", Stage::kOutput, Location::kNode, Type::kMaskOne, 0, Dtype::kFloat64};
  Probe other = one;
  other.name = "b";
  Scores scores(outputs_of({one, other}));
  const Tensor truth = torch::tensor({{0.0, 1.0}});
  scores.add({torch::tensor({{0.0, 1.0}}), torch::tensor({{1.0, 0.0}})}, batch_of({truth, truth}));
  EXPECT_EQ(scores.mean(), 0.5);
}

TEST(ClrsMetrics, ASampleIsRightIfAllOfItIs) {
  const Probe mask = {"m", Stage::kOutput, Location::kNode, Type::kMask, 0, Dtype::kFloat64};
  Probe pointer = mask, number = mask;
  pointer.type = Type::kPointer;
  number.type = Type::kScalar;
  Scores scores(outputs_of({mask, pointer, number}));
  // The first is right but for an entry that is not judged; the second has a wrong pointer, the
  // third a wrong mask. Numbers are never exactly right, and not asked for.
  const Tensor truth = torch::tensor({{1.0, 0.0, -1.0}, {1.0, 0.0, 0.0}, {1.0, 1.0, 0.0}});
  const Tensor logits = torch::tensor({{2.0, -2.0, 2.0}, {2.0, -2.0, -2.0}, {2.0, -2.0, -2.0}});
  const Tensor pointers = torch::tensor({{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}, torch::kInt64);
  Tensor pointing = torch::eye(3).repeat({3, 1, 1});
  pointing.index_put_({1, 2}, torch::tensor({5.0, 0.0, 0.0}));
  scores.add({logits, pointing, torch::ones({3, 3})},
             batch_of({truth, pointers, torch::zeros({3, 3})}));
  EXPECT_EQ(scores.samples(), 3);
  EXPECT_NEAR(scores.whole(), 1.0 / 3, 1e-9);
  Scores again(outputs_of({mask, pointer, number}));
  again.add(scores.sums());
  again.add(scores.sums());
  EXPECT_EQ(again.samples(), 6);
  EXPECT_EQ(again.whole(), scores.whole());
}

}  // namespace
}  // namespace floydnet::clrs
