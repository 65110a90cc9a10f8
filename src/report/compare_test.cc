#include "report/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace floydnet::report {
namespace {

using ::testing::ElementsAre;

RunRecord run_in(const std::string& folder) {
  RunRecord run;
  run.folder = folder;
  run.task = "counting";
  run.config = {{"task", "counting"}};
  return run;
}

Evaluation evaluation(int64_t step, const std::string& split, const Metrics& metrics) {
  return {step, static_cast<double>(step) / 10, split, metrics};
}

RunRecord evaluated_run() {
  RunRecord run = run_in("a");
  run.log.evaluations = {evaluation(10, "validation", {{"mae", 3}, {"accuracy", 0.5}}),
                         evaluation(20, "validation", {{"mae", 1}, {"accuracy", 0.7}}),
                         evaluation(30, "validation", {{"mae", 2}, {"accuracy", 0.6}})};
  return run;
}

TEST(Compare, NamesAreShortAndDiffer) {
  EXPECT_THAT(run_names({run_in("runs/a/"), run_in("./runs/b")}), ElementsAre("a", "b"));
  EXPECT_THAT(run_names({run_in("x/a"), run_in("y/a"), run_in("y/b")}),
              ElementsAre("x/a", "y/a", "b"));
  EXPECT_THAT(run_names({run_in("/a"), run_in("a"), run_in("..")}), ElementsAre("/a", "a", ".."));
}

TEST(Compare, MeasuresPutGoalsFirst) {
  RunRecord run = evaluated_run();
  run.log.evaluations.push_back(
      evaluation(30, "train", {{"edge/boat", 1}, {"mae", 1}, {"zeta", 1}}));
  run.results.emplace();
  run.results->splits = {{"test", {{"mae", 1}}}};
  const auto texts = [&] {
    std::vector<std::string> found;
    for (const Measure& measure : measures({run, run})) {
      found.push_back(measure.metric + " " + measure.split);
    }
    return found;
  };
  EXPECT_THAT(texts(), ElementsAre("accuracy validation", "mae train", "mae validation", "mae test",
                                   "zeta train", "edge/boat train"));
  run.log.goal = record::Goal{"validation", "mae", false};
  EXPECT_THAT(texts(), ElementsAre("mae validation", "mae train", "mae test", "accuracy validation",
                                   "zeta train", "edge/boat train"));
}

TEST(Compare, BestFollowsTheGoal) {
  RunRecord run = evaluated_run();
  run.log.goal = record::Goal{"validation", "mae", false};
  EXPECT_EQ(reached(run)->step, 20);
  EXPECT_EQ(reached(run)->value, 1);
  run.log.goal->higher_is_better = true;
  EXPECT_EQ(reached(run)->step, 10);
  EXPECT_TRUE(reached(run)->best);
  run.log.evaluations[0].metrics = {{"mae", std::nan("")}};
  EXPECT_EQ(reached(run)->step, 30);
}

TEST(Compare, WithoutAGoalTheBestStepOrTheLastCounts) {
  RunRecord run = evaluated_run();
  EXPECT_EQ(reached(run)->step, 30);
  EXPECT_EQ(reached(run)->measure.metric, "accuracy");
  EXPECT_FALSE(reached(run)->best);
  run.results.emplace();
  run.results->best_step = 20;
  EXPECT_EQ(reached(run)->value, 0.7);
  EXPECT_TRUE(reached(run)->best);
  EXPECT_FALSE(reached(run_in("a")));
}

TEST(Compare, FinalValuesAreThoseOfTheResults) {
  RunRecord run = evaluated_run();
  EXPECT_EQ(final_value(run, {"mae", "validation"}), 2);
  EXPECT_EQ(final_value(run, {"mae", "test"}), std::nullopt);
  run.results.emplace();
  run.results->splits = {{"test", {{"mae", 0.125}}}};
  EXPECT_EQ(final_value(run, {"mae", "test"}), 0.125);
  EXPECT_EQ(final_value(run, {"mae", "validation"}), std::nullopt);
}

TEST(Compare, StepsAndTimeOfARunThatGoesOn) {
  RunRecord run = evaluated_run();
  run.log.train.push_back({35, 3.5});
  EXPECT_EQ(steps_of(run), 35);
  EXPECT_EQ(seconds_of(run), 3.5);
  run.log.train[0].seconds = std::nan("");
  EXPECT_EQ(seconds_of(run), 3);
  EXPECT_TRUE(std::isnan(seconds_of(run_in("a"))));
}

TEST(Compare, OnlySettingsThatDiffer) {
  RunRecord a = run_in("a"), b = run_in("b");
  a.config["train"] = {{"steps", 20}, {"betas", {0.9, 0.99}}, {"schedule", "cosine"}};
  b.config["train"] = {{"steps", 20}, {"betas", {0.9, 0.95}}, {"schedule", "plateau"}};
  b.config["model"] = {{"depth", 8}};
  const std::vector<Setting> settings = config_differences({a, b});
  ASSERT_EQ(settings.size(), 3u);
  EXPECT_EQ(settings[0].key, "model.depth");
  EXPECT_THAT(settings[0].values, ElementsAre(std::nullopt, "8"));
  EXPECT_EQ(settings[1].key, "train.betas");
  EXPECT_THAT(settings[1].values, ElementsAre("[0.9,0.99]", "[0.9,0.95]"));
  EXPECT_THAT(settings[2].values, ElementsAre("cosine", "plateau"));
  EXPECT_TRUE(config_differences({a, a}).empty());
  EXPECT_TRUE(config_differences({a}).empty());
}

}  // namespace
}  // namespace floydnet::report
