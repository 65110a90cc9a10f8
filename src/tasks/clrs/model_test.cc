#include "tasks/clrs/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "base/test_refusal.h"
#include "tasks/clrs/batches.h"
#include "tasks/clrs/loss.h"
#include "tasks/clrs/metrics.h"
#include "train/task.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

ClrsModelConfig small_config(HintMode hints = HintMode::kNone) {
  ClrsModelConfig config;
  config.block.dim = 8;
  config.block.heads = 2;
  config.block.depth = 2;
  config.hints = hints;
  config.steps = hints == HintMode::kNone ? 1 : 0;
  return config;
}

BatchTensors small_batch(const std::string& algorithm, int64_t samples = 3, int64_t length = 5) {
  ClrsDataConfig data;
  data.train_lengths = {length};
  return TrainingBatches(find_algorithm(algorithm), data, Hints::kAll, /*seed=*/7)
      .batch(0, samples);
}

Spec spec_of(const std::string& algorithm) {
  return Postprocessor(find_algorithm(algorithm), {}).spec();
}

ClrsModel small_model(const std::string& algorithm, const ClrsModelConfig& config) {
  torch::manual_seed(1);
  return ClrsModel(spec_of(algorithm), config);
}

/// Blocks start as the identity, so that nothing would depend on them.
void randomize(ClrsModel& model, double size = 0.3) {
  torch::NoGradGuard no_grad;
  for (Tensor& parameter : model->parameters()) parameter.add_(size * torch::randn_like(parameter));
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Algorithm& algorithm : algorithms()) result.push_back(algorithm.name);
  return result;
}

class ClrsAlgorithms : public testing::TestWithParam<std::string> {
 protected:
  // With larger weights a long trajectory is chaotic: gradients of 1e6 and more, which say nothing
  // of any step that can be told from rounding.
  static constexpr double kSmall = 0.03;

  /// Every parameter gets a gradient, and a small enough step against it lowers the loss.
  void expect_learning(const ClrsModelConfig& config) {
    ClrsModel model = small_model(GetParam(), config);
    randomize(model, kSmall);
    // Long enough that every algorithm takes more than one step.
    const BatchTensors batch = small_batch(GetParam(), 3, 8);
    model->eval();  // without noise in permutations
    const std::vector<double> weights =
        loss_weights(model->spec(), config.hints != HintMode::kNone, batch);
    const auto loss = [&] { return train::mean_loss(model->loss_sums(batch), weights); };
    const Tensor before = loss();
    before.backward();
    double norm = 0;
    for (const auto& item : model->named_parameters()) {
      const Tensor gradient = item.value().grad();
      ASSERT_TRUE(gradient.defined()) << item.key();
      ASSERT_TRUE(gradient.isfinite().all().item<bool>()) << item.key();
      norm += gradient.square().sum().item<double>();
    }
    ASSERT_GT(norm, 0);
    // Along a long trajectory the loss bends soon, so smaller steps are tried as well.
    torch::NoGradGuard no_grad;
    double taken = 0, after = before.item<double>();
    for (double step = 1e-3; step > 1e-6 && after >= before.item<double>(); step /= 10) {
      for (Tensor& parameter : model->parameters()) {
        parameter.sub_(parameter.grad(), (step - taken) / std::sqrt(norm));
      }
      taken = step;
      after = loss().item<double>();
    }
    EXPECT_LT(after, before.item<double>());
  }
};

TEST_P(ClrsAlgorithms, LearnWithoutHints) { expect_learning(small_config()); }

TEST_P(ClrsAlgorithms, LearnWithHints) { expect_learning(small_config(HintMode::kEncoded)); }

TEST_P(ClrsAlgorithms, ScorePerfectPredictions) {
  const Spec spec = spec_of(GetParam());
  const BatchTensors batch = small_batch(GetParam(), 8);
  std::vector<Tensor> logits;
  const int64_t first = spec.first(Stage::kOutput);
  for (int64_t p = first; p < first + spec.count(Stage::kOutput); ++p) {
    logits.push_back(20 * with_one_hot_pointers(spec.probes[p], batch.values[p], batch.nodes) - 10);
  }
  Scores scores(spec);
  scores.add(logits, batch);
  for (const auto& [name, score] : scores.by_output()) EXPECT_EQ(score, 1) << name;
}

INSTANTIATE_TEST_SUITE_P(All, ClrsAlgorithms, testing::ValuesIn(names()),
                         [](const auto& tested) { return tested.param; });

/// The batch with its nodes renamed: the node that is called i now was order[i].
BatchTensors renamed(const Spec& spec, const BatchTensors& batch, const Tensor& order) {
  BatchTensors result = batch;
  for (int64_t p = 0; p < spec.count(Stage::kInput); ++p) {
    Tensor& values = result.values[p];
    if (spec.probes[p].location != Location::kGraph) values = values.index_select(1, order);
    if (spec.probes[p].location == Location::kEdge) values = values.index_select(2, order);
    if (spec.probes[p].type == Type::kPointer) values = order.argsort().index({values});
  }
  return result;
}

void expect_equivariance(const std::string& algorithm, NodeReadout readout) {
  ClrsModelConfig config = small_config();
  config.readout = readout;
  ClrsModel model = small_model(algorithm, config);
  model->eval();
  randomize(model);
  const BatchTensors batch = small_batch(algorithm);
  const Tensor order = torch::tensor({3, 0, 4, 1, 2}, torch::kInt64);
  const auto plain = model->forward(batch).outputs;
  const auto moved = model->forward(renamed(model->spec(), batch, order)).outputs;
  for (size_t p = 0; p < plain.size(); ++p) {
    Tensor wanted = plain[p];
    for (int64_t axis = 1; axis < wanted.dim(); ++axis) wanted = wanted.index_select(axis, order);
    EXPECT_TRUE(torch::allclose(moved[p], wanted, 1e-4, 1e-4)) << algorithm;
  }
}

TEST(ClrsModel, RenamingNodesRenamesPredictions) {
  for (const NodeReadout readout : {NodeReadout::kSuperNode, NodeReadout::kPool}) {
    expect_equivariance("bfs", readout);             // pointers of nodes
    expect_equivariance("mst_kruskal", readout);     // masks of edges
    expect_equivariance("floyd_warshall", readout);  // pointers of edges
    expect_equivariance("minimum", readout);         // an input pointer; one node
    expect_equivariance("insertion_sort", readout);  // a permutation
  }
}

TEST(ClrsModel, GraphOutputsDoNotDependOnNames) {
  for (const NodeReadout readout : {NodeReadout::kSuperNode, NodeReadout::kPool}) {
    ClrsModelConfig config = small_config();
    config.readout = readout;
    ClrsModel model = small_model("segments_intersect", config);
    randomize(model);
    const BatchTensors batch = small_batch("segments_intersect");
    const Tensor order = torch::tensor({3, 0, 2, 1}, torch::kInt64);
    const Tensor plain = model->forward(batch).outputs[0];
    const Tensor moved = model->forward(renamed(model->spec(), batch, order)).outputs[0];
    EXPECT_TRUE(torch::allclose(plain, moved, 1e-4, 1e-5));
    EXPECT_EQ(plain.sizes(), torch::IntArrayRef({3}));
  }
}

TEST(ClrsModel, TrueHintsBeyondTheFirstAreNotSeen) {
  ClrsModel model = small_model("dijkstra", small_config(HintMode::kEncoded));
  randomize(model);
  const BatchTensors batch = small_batch("dijkstra");
  BatchTensors spoilt = batch;
  for (size_t p = model->spec().first(Stage::kHint); p < batch.values.size(); ++p) {
    spoilt.values[p] = batch.values[p].clone();
    spoilt.values[p].narrow(0, 1, batch.steps - 1).zero_();
  }
  for (const bool training : {false, true}) {
    model->train(training);
    EXPECT_TRUE(torch::equal(model->forward(batch).outputs[0], model->forward(spoilt).outputs[0]));
  }
}

TEST(ClrsModel, TeacherForcingShowsTrueHintsInTrainingAlone) {
  ClrsModelConfig config = small_config(HintMode::kEncoded);
  config.teacher_forcing = 1;
  ClrsModel model = small_model("dijkstra", config);
  randomize(model);
  const BatchTensors batch = small_batch("dijkstra");
  const Tensor forced = model->forward(batch).outputs[0];
  model->eval();
  EXPECT_FALSE(torch::allclose(forced, model->forward(batch).outputs[0]));
}

TEST(ClrsModel, ASamplesOutputsAreThoseOfItsOwnLastStep) {
  ClrsModel model = small_model("bfs", small_config(HintMode::kEncoded));
  model->eval();
  randomize(model);
  ClrsDataConfig data;
  data.train_lengths = {8};
  const TrainingBatches batches(find_algorithm("bfs"), data, Hints::kAll, 3);
  const BatchTensors all = batches.batch(0, 6);
  ASSERT_NE(all.sample_steps.min().item<int64_t>(), all.sample_steps.max().item<int64_t>());
  const Tensor together = model->forward(all).outputs[0];
  for (int64_t i = 0; i < 6; ++i) {
    const BatchTensors alone = batches.batch(0, 6, i, 6);
    EXPECT_TRUE(torch::allclose(model->forward(alone).outputs[0][0], together[i], 1e-4, 1e-5)) << i;
  }
}

TEST(ClrsModel, OutputsAreDecodedAfterEachBlock) {
  ClrsModel model = small_model("bfs", small_config());
  randomize(model);
  const BatchTensors batch = small_batch("bfs");
  const auto by_block = model->outputs_by_block(batch);
  ASSERT_EQ(by_block.size(), 2u);
  EXPECT_TRUE(torch::equal(by_block[1][0], model->forward(batch).outputs[0]));
  EXPECT_FALSE(torch::equal(by_block[0][0], by_block[1][0]));
}

TEST(ClrsModel, SharedBlocksHaveTheWeightsOfOne) {
  ClrsModelConfig config = small_config();
  const size_t distinct = small_model("bfs", config)->parameters().size();
  config.block.depth = 1;
  const size_t one = small_model("bfs", config)->parameters().size();
  config.block.depth = 2;
  config.share_blocks = true;
  EXPECT_EQ(small_model("bfs", config)->parameters().size(), one);
  EXPECT_GT(distinct, one);
}

TEST(ClrsModel, StepsGrowWithTheGraph) {
  ClrsModelConfig config = small_config();
  config.steps = 2;
  ClrsModel fixed = small_model("bfs", config);
  config.step_growth = 1;
  ClrsModel growing = small_model("bfs", config);
  randomize(fixed);
  const auto from = fixed->named_parameters();
  {
    torch::NoGradGuard no_grad;
    for (auto& item : growing->named_parameters()) item.value().copy_(from[item.key()]);
  }
  const BatchTensors small = small_batch("bfs"), large = small_batch("bfs", 1, 32);
  EXPECT_TRUE(torch::equal(fixed->forward(small).outputs[0], growing->forward(small).outputs[0]));
  EXPECT_FALSE(torch::equal(fixed->forward(large).outputs[0], growing->forward(large).outputs[0]));
}

TEST(ClrsConfig, RoundTripsAndRefuses) {
  ClrsModelConfig config;
  config.steps = 0;
  config.hints = HintMode::kDecoded;
  EXPECT_EQ(ClrsModelConfig::from_json(config.to_json()).to_json(), config.to_json());
  const auto refused = [](const char* json) {
    return refusal([&] { ClrsModelConfig::from_json(nlohmann::json::parse(json), "run.json"); });
  };
  EXPECT_THAT(refused(R"({"detph": 3})"), testing::HasSubstr("depth"));
  EXPECT_THAT(refused(R"({"dim": 10, "heads": 4})"), testing::HasSubstr("multiple of"));
  EXPECT_THAT(refused(R"({"hints": "encoded"})"), testing::HasSubstr("\"steps\" 0"));
  EXPECT_THAT(refused(R"({"least_steps": 3})"), testing::HasSubstr("at most"));
  EXPECT_THAT(refused(R"({"teacher_forcing": 0.5})"), testing::HasSubstr("encoded"));
}

}  // namespace
}  // namespace floydnet::clrs
