#include "tasks/clrs/rollout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "tasks/clrs/batches.h"
#include "tasks/clrs/data/test_samples.h"
#include "tasks/clrs/loss.h"
#include "tasks/clrs/metrics.h"
#include "tasks/clrs/model.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

Tensor selected(const Tensor& values, const Tensor& samples) {
  return values.index_select(0, samples);
}

/// Logits that say what is true.
Tensor certain(const Probe& probe, const Tensor& truth, int64_t nodes) {
  if (probe.type == Type::kScalar) return truth;
  return 20 * with_one_hot_pointers(probe, truth, nodes) - 10;
}

/// All snapshots of a few samples, and what a model sees of them in evaluation.
struct Trajectories {
  Spec spec;
  BatchTensors whole, seen;
};

Trajectories drawn(const std::string& algorithm, NumberHints numbers, int64_t samples = 4) {
  const Recipe recipe = recipe_for(algorithm, 7, /*seed=*/3, samples);
  const Postprocessor postprocessor(*recipe.algorithm, {/*random_positions=*/false});
  const TransitionCutter cutter(postprocessor.spec(), numbers);
  Stream stream(recipe);
  RandomState unused(0);
  std::vector<Sample> all(static_cast<size_t>(samples)), first;
  for (Sample& sample : all) {
    stream.next(sample);
    postprocessor.apply(sample, unused);
    first.push_back(sample);
    cutter.cut(sample, 0, sample.steps);
    cutter.cut(first.back(), 0, 1);
  }
  return {cutter.spec(), to_tensors(cutter.spec(), stack(cutter.spec(), all)),
          to_tensors(cutter.spec(), stack(cutter.spec(), first))};
}

class ClrsRollouts : public testing::TestWithParam<std::string> {
 protected:
  /// A model that is never wrong, and sees that it is fed what it said.
  static void expect_perfect(const std::string& algorithm, NumberHints numbers) {
    const Trajectories of = drawn(algorithm, numbers);
    const std::vector<Probe> probes = of.spec.of(Stage::kHint),
                             outputs = of.spec.of(Stage::kOutput);
    int64_t step = 0;
    const auto oracle = [&](const Tensors& inputs, const Tensors& hints, const Tensor& samples) {
      const Tensors all_inputs = inputs_of(of.spec, of.whole);
      for (size_t p = 0; p < inputs.size(); ++p) {
        EXPECT_TRUE(torch::equal(inputs[p], selected(all_inputs[p], samples)));
      }
      const Tensors true_hints = hints_at(of.spec, of.whole, step);
      const int64_t next = std::min(step + 1, of.whole.steps - 1);
      StepPrediction prediction;
      for (size_t h = 0; h < hints.size(); ++h) {
        EXPECT_TRUE(torch::equal(hints[h], selected(true_hints[h], samples)))
            << probes[h].name << " at step " << step;
        const Tensor& truth = of.whole.values[of.spec.first(Stage::kHint) + h];
        prediction.hints.push_back(
            certain(probes[h], selected(truth.select(0, next), samples), of.whole.nodes));
      }
      // Outputs are right after a sample's last step alone.
      for (size_t p = 0; p < outputs.size(); ++p) {
        const Tensor truth = of.whole.values[of.spec.first(Stage::kOutput) + p];
        const Tensor right = certain(outputs[p], selected(truth, samples), of.whole.nodes);
        std::vector<int64_t> shape(right.dim(), 1);
        shape[0] = samples.size(0);
        const Tensor last = (selected(of.whole.sample_steps, samples) - 2).clamp_min(0) == step;
        prediction.outputs.push_back(torch::where(last.view(shape), right, -right));
      }
      ++step;
      return prediction;
    };
    Scores scores(of.spec);
    scores.add(rollout(of.spec, of.seen, oracle), of.seen);
    for (const auto& [name, score] : scores.by_output()) EXPECT_EQ(score, 1) << name;
    EXPECT_EQ(step, std::max<int64_t>(1, of.whole.steps - 1));
  }
};

TEST_P(ClrsRollouts, OfPerfectStepsArePerfect) {
  expect_perfect(GetParam(), NumberHints::kOrder);
  expect_perfect(GetParam(), NumberHints::kValues);
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, ClrsRollouts, testing::ValuesIn(all_names()),
                         [](const auto& tested) { return tested.param; });

ClrsModel random_model(const Spec& spec) {
  ClrsModelConfig config;
  config.block.dim = 8;
  config.block.heads = 2;
  config.block.depth = 2;
  config.hints = HintMode::kTransitions;
  torch::manual_seed(2);
  ClrsModel model(spec, config);
  torch::NoGradGuard no_grad;
  for (Tensor& parameter : model->parameters()) parameter.add_(0.3 * torch::randn_like(parameter));
  model->eval();
  return model;
}

TEST(ClrsRollout, OfABatchAreThoseOfItsSamples) {
  for (const char* algorithm : {"dfs", "naive_string_matcher", "strongly_connected_components"}) {
    const Trajectories of = drawn(algorithm, NumberHints::kOrder);
    ClrsModel model = random_model(of.spec);
    torch::NoGradGuard no_grad;
    const Tensors together = model->forward(of.seen).outputs;
    for (int64_t i = 0; i < of.seen.samples; ++i) {
      BatchTensors one = of.seen;
      one.samples = 1;
      one.sample_steps = one.sample_steps.narrow(0, i, 1);
      one.steps = one.sample_steps.item<int64_t>();
      for (size_t p = 0; p < one.values.size(); ++p) {
        one.values[p] = one.values[p].narrow(of.spec.probes[p].stage == Stage::kHint ? 1 : 0, i, 1);
      }
      const Tensors alone = model->forward(one).outputs;
      for (size_t p = 0; p < alone.size(); ++p) {
        EXPECT_TRUE(torch::allclose(alone[p][0], together[p][i], 1e-4, 1e-5))
            << algorithm << " sample " << i;
      }
    }
  }
}

TEST(ClrsRollout, WhatAStepDoesNotTouchStays) {
  const Trajectories of = drawn("dfs", NumberHints::kOrder);
  ClrsModel model = random_model(of.spec);
  torch::NoGradGuard no_grad;
  for (auto& parameter : model->named_parameters()) {
    if (parameter.key().rfind("hints.", 0) == 0) parameter.value().zero_();
    if (parameter.key() == "keep") parameter.value().fill_(3);
  }
  const std::vector<Probe> probes = of.spec.of(Stage::kHint);
  const Tensors fed = hints_at(of.spec, of.whole, 5);
  const StepPrediction next =
      model->transition(inputs_of(of.spec, of.whole), fed, of.whole.samples, of.whole.nodes);
  for (size_t h = 0; h < probes.size(); ++h) {
    const Tensor hard =
        with_one_hot_pointers(probes[h], hard_prediction(probes[h], next.hints[h]), of.whole.nodes);
    EXPECT_TRUE(torch::equal(hard.to(fed[h].dtype()), fed[h])) << probes[h].name;
  }
}

TEST(ClrsRollout, NoiseKeepsTheFormOfHints) {
  torch::manual_seed(5);
  const Trajectories of = drawn("kmp_matcher", NumberHints::kOrder, 64);
  const std::vector<Probe> probes = of.spec.of(Stage::kHint);
  const Tensors hints = hints_at(of.spec, of.whole, 0);
  const Tensors same = with_noise(probes, hints, 0), noisy = with_noise(probes, hints, 0.5);
  for (size_t h = 0; h < probes.size(); ++h) {
    EXPECT_TRUE(torch::equal(same[h], hints[h])) << probes[h].name;
    EXPECT_FALSE(torch::equal(noisy[h], hints[h])) << probes[h].name;
    EXPECT_EQ(noisy[h].sizes(), hints[h].sizes());
    EXPECT_TRUE(((noisy[h] == 0) | (noisy[h] == 1)).all().item<bool>()) << probes[h].name;
    if (probes[h].type == Type::kMask) continue;
    EXPECT_TRUE((noisy[h].sum(-1) == 1).all().item<bool>()) << probes[h].name;
  }
}

TEST(ClrsRollout, RenamingNodesRenamesPredictions) {
  const Trajectories of = drawn("dfs", NumberHints::kOrder);
  ClrsModel model = random_model(of.spec);
  torch::NoGradGuard no_grad;
  const Tensor order = torch::tensor({3, 0, 6, 4, 1, 5, 2}, torch::kInt64);
  BatchTensors renamed = of.seen;
  for (size_t p = 0; p < renamed.values.size(); ++p) {
    const Probe& probe = of.spec.probes[p];
    Tensor& values = renamed.values[p];
    const int64_t axis = probe.stage == Stage::kHint ? 2 : 1;
    if (probe.location != Location::kGraph) values = values.index_select(axis, order);
    if (probe.location == Location::kEdge) values = values.index_select(axis + 1, order);
    if (probe.type == Type::kPointer) values = order.argsort().index({values});
  }
  const Tensor plain = model->forward(of.seen).outputs[0];
  const Tensor moved = model->forward(renamed).outputs[0];  // pointers: [samples, n, n]
  EXPECT_TRUE(
      torch::allclose(moved, plain.index_select(1, order).index_select(2, order), 1e-3, 1e-4));
}

// What happened before a step is not known to it, so a batch of steps is the sum of its steps.
TEST(ClrsRollout, TheLossOfABatchIsThatOfItsTransitions) {
  ClrsDataConfig data;
  data.train_lengths = {6};
  data.last_steps = 0.5;
  const TrainingBatches batches(find_algorithm("mst_prim"), data, Hints::kTransitions, 5);
  ClrsModel model = random_model(batches.spec());
  torch::NoGradGuard no_grad;
  const BatchTensors whole = batches.batch(1, 6);
  EXPECT_GT(whole.ends.sum().item<double>(), 0);
  EXPECT_LT(whole.ends.sum().item<double>(), 6);
  EXPECT_EQ(whole.steps, 2);
  std::vector<double> sums(model->loss_sums(whole).size()), weights(sums.size());
  for (int64_t part = 0; part < 6; ++part) {
    const BatchTensors one = batches.batch(1, 6, part, 6);
    const auto losses = model->loss_sums(one);
    const auto counts = loss_weights(batches.spec(), true, one);
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i] += losses[i].item<double>();
      weights[i] += counts[i];
    }
  }
  const auto losses = model->loss_sums(whole);
  for (size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(losses[i].item<double>(), sums[i], 1e-3);
  EXPECT_EQ(loss_weights(batches.spec(), true, whole), weights);
}

TEST(ClrsRollout, TransitionsAreDrawnFromAllOfATrajectory) {
  ClrsDataConfig data;
  data.train_lengths = {6};
  data.last_steps = 0;
  const TrainingBatches batches(find_algorithm("minimum"), data, Hints::kTransitions, 5);
  const BatchTensors batch = batches.batch(0, 400);
  // The place i of the algorithm's loop goes over all nodes but the first.
  const int64_t place = batches.spec().find(Stage::kHint, "i");
  const Tensor seen = batch.values[place].select(0, 1).sum(0);
  EXPECT_EQ(seen[0].item<double>(), 0);
  for (int64_t node = 1; node < 6; ++node) EXPECT_GT(seen[node].item<double>(), 40) << node;
  EXPECT_NEAR(batch.ends.mean().item<double>(), 0.2, 0.08);
}

}  // namespace
}  // namespace floydnet::clrs
