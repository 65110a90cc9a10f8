#include "train/config.h"

#include <gmock/gmock.h>

#include "base/test_refusal.h"

namespace floydnet::train {
namespace {

using ::testing::HasSubstr;

TEST(RunConfig, TakesFileThenSettings) {
  TrainConfig train;
  RunConfig config;
  config.add("train", train.table());
  config.read({{"train", {{"steps", 7}, {"learning_rate", 0.5}}}}, "run.json");
  config.set("train.steps=9");
  config.set("train.schedule=plateau");
  EXPECT_EQ(train.steps, 9);
  EXPECT_DOUBLE_EQ(train.learning_rate, 0.5);
  EXPECT_EQ(train.schedule, ScheduleKind::kPlateau);
  EXPECT_EQ(config.write()["train"]["schedule"], "plateau");
}

TEST(RunConfig, SaysWhatIsWrongAndWhere) {
  TrainConfig train;
  RunConfig config;
  config.add("train", train.table());
  EXPECT_THAT(refusal([&] {
                config.read({{"trian", {{"steps", 7}}}}, "run.json");
              }),
              HasSubstr("run.json: unknown section 'trian'; there are train"));
  EXPECT_THAT(refusal([&] { config.set("train.step=7"); }), HasSubstr("steps"));
  EXPECT_THAT(refusal([&] { config.set("train.steps=-7"); }), HasSubstr("--set train.steps=-7"));
  EXPECT_THAT(refusal([&] { config.set("steps=7"); }), HasSubstr("SECTION.KEY=VALUE"));
  train.accumulate = 99;
  EXPECT_THAT(refusal([&] { train.complete("run.json"); }),
              HasSubstr("run.json: train.batch is 32, less than train.accumulate = 99"));
}

TEST(TrainConfig, WithoutALimitGetsADefaultOne) {
  TrainConfig endless, timed;
  endless.complete("run.json");
  EXPECT_EQ(endless.steps, TrainConfig::kDefaultSteps);
  timed.minutes = 3;
  timed.complete("run.json");
  EXPECT_EQ(timed.steps, 0);
}

}  // namespace
}  // namespace floydnet::train
