#include "tasks/clrs/data/training.h"

#include "base/test_refusal.h"
#include "tasks/clrs/data/test_samples.h"

namespace floydnet::clrs {
namespace {

TEST(ClrsTraining, SizesTakeTurns) {
  TrainingData data(find_algorithm("bellman_ford"), {});
  std::vector<Sample> batch(3);
  for (const int64_t length : {4, 7, 11, 13, 16, 4, 7}) {
    data.next_batch(batch);
    for (const Sample& sample : batch) {
      EXPECT_EQ(sample.nodes, length);
      EXPECT_EQ(sample.values.size(), data.spec().probes.size());
    }
  }
  data.next_validation_batch(batch);
  EXPECT_EQ(batch[0].nodes, 16);
  EXPECT_EQ(data.validation_samples(), 64);
}

TEST(ClrsTraining, FollowsTheScriptsSeedsAndDraws) {
  const Algorithm& algorithm = find_algorithm("kmp_matcher");
  TrainingData data(algorithm, {});
  // By hand: the script's generator gives the network's seed, the sampler's and validation's, and
  // then positions; the sampler drops 1000 samples.
  RandomState script(42);
  script.integer(0, int64_t{1} << 32);
  Recipe recipe = recipe_for("kmp_matcher", 20, static_cast<uint32_t>(script.next_u32()));
  recipe.sampler.edge_probabilities = script_edge_probabilities(algorithm);
  recipe.sampler.needle_length = -8;
  script.next_u32();
  Stream stream(recipe);
  Sample wanted;
  for (int i = 0; i < 1000; ++i) stream.next(wanted, false);
  std::vector<Sample> batch(4);
  data.next_batch(batch);
  const Postprocessor postprocessor(algorithm, {});
  for (const Sample& sample : batch) {
    stream.next(wanted);
    postprocessor.apply(wanted, script);
    EXPECT_EQ(sample.values, wanted.values);
  }
}

TEST(ClrsTraining, FiniteSetsRepeatTheirSamples) {
  TrainingSettings settings;
  settings.lengths = {6};
  settings.finite_samples = 2;
  settings.postprocessing.random_positions = false;
  TrainingData data(find_algorithm("minimum"), settings);
  std::vector<Sample> batch(50);
  data.next_batch(batch);
  std::vector<Reals> keys;
  for (const Sample& sample : batch) keys.push_back(sample.values[1]);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  EXPECT_EQ(keys.size(), 2u);
}

TEST(ClrsTraining, SparseProblemsHaveHalfTheProbabilities) {
  for (const char* name : {"articulation_points", "bridges", "mst_kruskal"}) {
    EXPECT_EQ(script_edge_probabilities(find_algorithm(name))[0], 0.05);
  }
  EXPECT_EQ(script_edge_probabilities(find_algorithm("mst_prim"))[0], 0.1);
  EXPECT_EQ(script_edge_probabilities(find_algorithm("mst_prim")).size(), 9u);
}

TEST(ClrsTraining, RefusesSettingsThatDoNotFit) {
  TrainingSettings settings;
  settings.lengths = {};
  EXPECT_EQ(refusal([&] { TrainingData(find_algorithm("bfs"), settings); }),
            "at least one length to train on is needed");
  settings.lengths = {1};
  EXPECT_NE(refusal([&] { TrainingData(find_algorithm("bfs"), settings); }).find("too small"),
            std::string::npos);
  settings.lengths = {8};
  EXPECT_NE(refusal([&] { TrainingData(find_algorithm("kmp_matcher"), settings); }).find("needles"),
            std::string::npos);
}

TEST(ClrsTraining, EveryAlgorithmHasDataAtTheScriptsSettings) {
  TrainingSettings settings;
  settings.dropped_samples = 0;
  settings.hints = false;
  std::vector<Sample> batch(2);
  for (const Algorithm& algorithm : algorithms()) {
    TrainingData data(algorithm, settings);
    for (int turn = 0; turn < 5; ++turn) data.next_batch(batch);
    data.next_validation_batch(batch);
    EXPECT_EQ(batch[0].values.size(), data.spec().probes.size()) << algorithm.name;
  }
}

}  // namespace
}  // namespace floydnet::clrs
