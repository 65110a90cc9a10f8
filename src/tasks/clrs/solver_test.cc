#include <gmock/gmock.h>
#include <torch/torch.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/clrs.h"
#include "floydnet/model.h"
#include "floydnet/weights.h"
#include "model/model_file.h"
#include "model/tensors.h"
#include "tasks/clrs/batches.h"
#include "tasks/clrs/metrics.h"
#include "tasks/clrs/model.h"
#include "tasks/clrs/task.h"

namespace floydnet::clrs {
namespace {

using ::testing::HasSubstr;

std::string stored(const std::string& algorithm) {
  return std::string(FLOYDNET_SOURCE_DIR "/models/clrs/") + algorithm + ".safetensors";
}

/// The inputs of the first sample of a set, by name.
Arrays inputs_of(const BatchTensors& batch, const Spec& spec) {
  Arrays inputs;
  for (int64_t p = 0; p < spec.count(Stage::kInput); ++p) {
    inputs[spec.probes[p].name] = batch.values[p][0];
  }
  return inputs;
}

TEST(ClrsSolver, EveryModelThatComesWithTheProgramSolvesAProblem) {
  for (const Algorithm& algorithm : algorithms()) {
    Solver solver(stored(algorithm.name));
    EXPECT_EQ(solver.algorithm(), algorithm.name);
    Recipe recipe = judged_recipe(algorithm, Split::kTest, 16, 1);
    recipe.hints = false;
    JudgedSet set(recipe, {}, Hints::kNone, /*random_positions=*/false, 0, 1);
    const BatchTensors batch = set.next(1);
    const Arrays outputs = solver.solve(inputs_of(batch, set.spec()));
    for (const Probe& probe : set.spec().of(Stage::kOutput)) {
      ASSERT_EQ(outputs.count(probe.name), 1u) << algorithm.name;
      EXPECT_TRUE(outputs.at(probe.name).to(torch::kFloat32).isfinite().all().item<bool>());
    }
  }
}

TEST(ClrsSolver, SearchesBreadthFirst) {
  const int64_t n = 24;
  // Two rings that one edge joins; the search begins at node 5.
  torch::Tensor adjacency = torch::eye(n);
  const auto join = [&](int64_t i, int64_t j) { adjacency[i][j] = adjacency[j][i] = 1; };
  for (int64_t i = 0; i < n / 2; ++i) {
    join(i, (i + 1) % (n / 2));
    join(n / 2 + i, n / 2 + (i + 1) % (n / 2));
  }
  join(0, n / 2);
  Solver solver(stored("bfs"));
  const torch::Tensor start = torch::zeros({n});
  start[5] = 1;
  const Arrays outputs = solver.solve({{"pos", torch::arange(n) / static_cast<double>(n)},
                                       {"s", start},
                                       {"A", adjacency},
                                       {"adj", adjacency}});
  const torch::Tensor parents = outputs.at("pi");
  ASSERT_EQ(parents.sizes(), std::vector<int64_t>{n});
  EXPECT_EQ(parents[5].item<int64_t>(), 5);
  EXPECT_EQ(parents[6].item<int64_t>(), 5);
  EXPECT_EQ(parents[4].item<int64_t>(), 5);
  EXPECT_EQ(parents[n / 2].item<int64_t>(), 0);
}

TEST(ClrsSolver, SaysWhatABatchOfTheProgramSaysToTheBit) {
  torch::NoGradGuard no_grad;
  for (const Algorithm& algorithm : algorithms()) {
    Solver solver(stored(algorithm.name));
    const TensorFile file = read_safetensors(stored(algorithm.name));
    const auto run = nlohmann::json::parse(file.metadata.at("floydnet.run"));
    const ClrsDataConfig data = ClrsDataConfig::from_json(run["data"]);
    const ClrsModelConfig config = ClrsModelConfig::from_json(run["model"]);
    Recipe recipe = judged_recipe(algorithm, Split::kTest, 20, 4);
    recipe.hints = config.feeds_hints();
    JudgedSet set(recipe, data, config.judged_hints(), /*random_positions=*/false, 0, 4);
    ClrsModel model(set.spec(), config);
    set_parameters(*model, to_torch(file.tensors), "test");
    model->eval();
    const BatchTensors batch = set.next(4);
    const std::vector<torch::Tensor> logits = model->forward(batch).outputs;
    const std::vector<Probe> outputs = set.spec().of(Stage::kOutput);
    for (int64_t i = 0; i < 4; ++i) {
      Arrays inputs;
      for (int64_t p = 0; p < set.spec().count(Stage::kInput); ++p) {
        // "pred" follows from the positions.
        if (set.spec().probes[p].name == "pred") continue;
        inputs[set.spec().probes[p].name] = batch.values[p][i];
      }
      const Arrays found = solver.solve(inputs);
      for (size_t p = 0; p < outputs.size(); ++p) {
        EXPECT_TRUE(torch::equal(found.at(outputs[p].name),
                                 hard_prediction(outputs[p], logits[p]).select(0, i)))
            << algorithm.name << " " << outputs[p].name << " of sample " << i;
      }
    }
  }
}

/// A model that has learned nothing, as `train clrs` writes it.
void write_untrained(ClrsModel& model, const ClrsDataConfig& data, const std::string& path) {
  TensorFile file;
  file.tensors = to_stored(state_of(*model));
  file.metadata["floydnet.run"] = nlohmann::json{
      {"task", "clrs"},
      {"model", model->config().to_json()},
      {"data", data.to_json()}}.dump();
  write_safetensors(path, file);
}

class ClrsSolverWithHints : public testing::TestWithParam<std::string> {
 protected:
  /// The Solver's outputs are those of a rollout of the benchmark's samples.
  static void expect_as_judged(HintMode hints) {
    ClrsDataConfig data;
    data.algorithm = GetParam();
    ClrsModelConfig config;
    config.block.dim = 8;
    config.block.heads = 2;
    config.block.depth = 2;
    config.hints = hints;
    config.steps = hints == HintMode::kTransitions ? 1 : 0;
    const Recipe recipe = judged_recipe(find_algorithm(GetParam()), Split::kTest, 9, 2);
    JudgedSet set(recipe, data, config.judged_hints(), /*random_positions=*/false, 0, 2);
    torch::manual_seed(1);
    ClrsModel model(set.spec(), config);
    model->eval();
    const TemporaryFolder folder;
    write_untrained(model, data, folder.file("model.safetensors"));
    Solver solver(folder.file("model.safetensors"));
    torch::NoGradGuard no_grad;
    const std::vector<Probe> outputs = set.spec().of(Stage::kOutput);
    for (int i = 0; i < 2; ++i) {
      const BatchTensors batch = set.next(1);
      const Arrays inputs = inputs_of(batch, set.spec());
      const Arrays found = solver.solve(inputs);
      const std::vector<torch::Tensor> logits = model->forward(batch).outputs;
      for (size_t p = 0; p < outputs.size(); ++p) {
        EXPECT_TRUE(torch::equal(found.at(outputs[p].name),
                                 hard_prediction(outputs[p], logits[p]).squeeze(0)))
            << outputs[p].name;
      }
      const torch::Tensor weights = solver.attention(inputs, {{0, 2}}, 1);
      EXPECT_TRUE(torch::allclose(weights.sum(2), torch::ones({weights.size(0), 1}), 1e-5));
    }
  }
};

TEST_P(ClrsSolverWithHints, RollsOutTransitions) { expect_as_judged(HintMode::kTransitions); }

TEST_P(ClrsSolverWithHints, CarriesStates) { expect_as_judged(HintMode::kEncoded); }

INSTANTIATE_TEST_SUITE_P(All, ClrsSolverWithHints, testing::ValuesIn(algorithm_names()));

TEST(ClrsSolver, AttentionOfAPairSumsToOne) {
  Solver solver(stored("bfs"));
  JudgedSet set(judged_recipe(find_algorithm("bfs"), Split::kTest, 12, 1), {}, Hints::kNone, false,
                0, 1);
  const Arrays inputs = inputs_of(set.next(1), set.spec());
  for (int64_t block = -1; block < solver.blocks(); ++block) {
    const torch::Tensor weights = solver.attention(inputs, {{0, 5}, {3, 3}}, block);
    ASSERT_EQ(weights.size(1), 2);
    ASSERT_EQ(weights.size(2), 13);  // the SuperNode is a pivot, too
    EXPECT_TRUE(torch::allclose(weights.sum(2), torch::ones({weights.size(0), 2}), 1e-5));
  }
  EXPECT_TRUE(torch::equal(solver.attention(inputs, {{0, 5}}),
                           solver.attention(inputs, {{0, 5}}, solver.blocks() - 1)));
  EXPECT_THROW(solver.attention(inputs, {{0, 13}}), std::invalid_argument);
  EXPECT_THROW(solver.attention(inputs, {{0, 1}}, solver.blocks()), std::invalid_argument);
}

TEST(ClrsSolver, SaysWhatIsWrongWithInputs) {
  Solver solver(stored("bfs"));
  const auto wrong = [&solver](const Arrays& inputs) -> std::string {
    try {
      solver.solve(inputs);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "solved";
  };
  EXPECT_THAT(wrong({{"pos", torch::zeros({4})}}), HasSubstr("input 's' of bfs is missing"));
  EXPECT_THAT(wrong({{"pos", torch::zeros({4})}, {"s", torch::zeros({5})}}),
              HasSubstr("input 's' is [5], wanted [4]"));
  EXPECT_THAT(wrong({}), HasSubstr("got no input"));
}

TEST(ClrsSolver, RefusesOtherFiles) {
  const TemporaryFolder folder;
  FloydNet model(ModelConfig{});
  save_model(model, folder.file("model.safetensors"));
  EXPECT_THAT(refusal([&] { Solver solver(folder.file("model.safetensors")); }),
              HasSubstr("not weights of a run"));
  EXPECT_THAT(refusal([] { load_model(stored("bfs")); }), HasSubstr("floydnet::clrs::Solver"));
}

}  // namespace
}  // namespace floydnet::clrs
