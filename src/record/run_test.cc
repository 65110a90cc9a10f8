#include "record/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"

namespace floydnet::record {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kTrain =
    R"({"kind":"train","step":10,"seconds":1.5,"loss":0.25,"learning_rate":1e-3,)"
    R"("gradient_norm":2,"examples_per_second":32.5})"
    "\n";
const std::string kEvaluation =
    R"({"kind":"evaluation","step":10,"seconds":2,"split":"test","metrics":{"mae":0.5,"r2":null}})"
    "\n";
const std::string kNote = R"({"kind":"note","step":11,"text":"skipped"})"
                          "\n";
const std::string kGoal =
    R"({"kind":"goal","split":"validation","metric":"mae","higher_is_better":true})"
    "\n";

MetricsLog parse(const std::string& text) { return parse_metrics(text, "metrics.jsonl"); }

std::string train_line(int64_t step, double loss) {
  return nlohmann::json{{"kind", "train"}, {"step", step}, {"loss", loss}}.dump() + "\n";
}

TEST(Run, ReadsEveryKindOfLine) {
  const MetricsLog log = parse(kTrain + "\n" + kEvaluation + "\r\n" + kNote + kGoal);
  ASSERT_EQ(log.train.size(), 1u);
  EXPECT_EQ(log.train[0].step, 10);
  EXPECT_EQ(log.train[0].seconds, 1.5);
  EXPECT_EQ(log.train[0].loss, 0.25);
  EXPECT_EQ(log.train[0].learning_rate, 1e-3);
  EXPECT_EQ(log.train[0].gradient_norm, 2);
  EXPECT_EQ(log.train[0].examples_per_second, 32.5);
  ASSERT_EQ(log.evaluations.size(), 1u);
  EXPECT_EQ(log.evaluations[0].split, "test");
  EXPECT_EQ(*find(log.evaluations[0].metrics, "mae"), 0.5);
  EXPECT_TRUE(std::isnan(*find(log.evaluations[0].metrics, "r2")));
  ASSERT_EQ(log.notes.size(), 1u);
  EXPECT_EQ(log.notes[0].text, "skipped");
  ASSERT_TRUE(log.goal);
  EXPECT_EQ(log.goal->metric, "mae");
  EXPECT_TRUE(log.goal->higher_is_better);
}

TEST(Run, NumbersThatAreMissingAreNaN) {
  const MetricsLog log = parse(R"({"kind":"train","step":1,"loss":null})"
                               "\n");
  EXPECT_TRUE(std::isnan(log.train.at(0).loss));
  EXPECT_TRUE(std::isnan(log.train.at(0).learning_rate));
}

// The program may be stopped after any byte.
TEST(Run, ALastLineThatIsCutOffIsLeftOut) {
  const std::string text = kTrain + kEvaluation;
  for (size_t size = kTrain.size(); size < text.size(); ++size) {
    const MetricsLog log = parse(text.substr(0, size));
    EXPECT_EQ(log.train.size(), 1u);
    EXPECT_EQ(log.evaluations.size(), 0u) << size;
  }
  EXPECT_TRUE(parse("").train.empty());
}

TEST(Run, OtherDamageIsRefusedWithItsLine) {
  const auto message = [](const std::string& line) {
    return refusal([&] { parse(kTrain + line + "\n" + kTrain); });
  };
  EXPECT_EQ(message(R"({"kind":"tra)"), "metrics.jsonl: line 2: not JSON");
  EXPECT_EQ(message("[]"), "metrics.jsonl: line 2: not a JSON object");
  EXPECT_EQ(message("{}"), "metrics.jsonl: line 2: \"kind\" is missing");
  EXPECT_THAT(message(R"({"kind":"trian"})"), HasSubstr("\"kind\" is 'trian'; wanted train,"));
  EXPECT_THAT(message(R"({"kind":"train"})"), HasSubstr("\"step\" is missing"));
  EXPECT_THAT(message(R"({"kind":"train","step":-1})"), HasSubstr("\"step\" is not a whole"));
  EXPECT_THAT(message(R"({"kind":"train","step":1e300})"), HasSubstr("\"step\" is not a whole"));
  EXPECT_THAT(message(R"({"kind":"train","step":9007199254740993})"), HasSubstr("\"step\""));
  EXPECT_THAT(message(R"({"kind":"train","step":1,"loss":"x"})"), HasSubstr("\"loss\" is not a"));
  EXPECT_THAT(message(R"({"kind":"evaluation","step":1,"split":"a","metrics":[]})"),
              HasSubstr("\"metrics\" is not an object"));
  EXPECT_THAT(message(R"({"kind":"evaluation","step":1,"split":"a","metrics":{"m\n":{}}})"),
              HasSubstr("'m\\x0a' is not a number"));
  EXPECT_THAT(message(R"({"kind":"note","step":1})"), HasSubstr("\"text\" is missing"));
  EXPECT_THAT(message(R"({"kind":)" + std::string(40, '[') + std::string(40, ']') + "}"),
              HasSubstr("nested more than"));
  // A last line that is whole but wrong is no interruption.
  EXPECT_EQ(refusal([] { parse("{}\n"); }), "metrics.jsonl: line 1: \"kind\" is missing");
}

TEST(Run, AResumedRunRepeatsSteps) {
  const MetricsLog log = parse(train_line(10, 1) + train_line(20, 2) + train_line(30, 3) +
                               train_line(20, 5) + train_line(40, 6));
  std::vector<std::pair<int64_t, double>> points;
  for (const TrainPoint& point : log.train) points.emplace_back(point.step, point.loss);
  using P = std::pair<int64_t, double>;
  EXPECT_THAT(points, ElementsAre(P(10, 1), P(20, 5), P(30, 3), P(40, 6)));
  const std::string other =
      R"({"kind":"evaluation","step":10,"split":"train","metrics":{"mae":0.1}})"
      "\n";
  EXPECT_EQ(parse(kEvaluation + other + kEvaluation).evaluations.size(), 2u);
}

TEST(Run, ReadsResults) {
  const Results results = parse_results(
      R"({"step":9,"best_step":4,"seconds":5.5,"cpu_seconds":11,"splits":{"test":{"mae":0.25}},
          "tables":[{"title":"t","columns":["a","b"],"rows":[["x",1.5],[null,true]]}]})",
      "results.json");
  EXPECT_EQ(results.step, 9);
  EXPECT_EQ(results.best_step, 4);
  EXPECT_EQ(results.cpu_seconds, 11);
  EXPECT_EQ(*find(*find(results.splits, "test"), "mae"), 0.25);
  ASSERT_EQ(results.tables.size(), 1u);
  EXPECT_THAT(results.tables[0].columns, ElementsAre("a", "b"));
  EXPECT_EQ(results.tables[0].rows.at(0).at(1), Cell(1.5));
  EXPECT_EQ(results.tables[0].rows.at(1), (std::vector<Cell>{{}, true}));
  EXPECT_FALSE(parse_results(R"({"step":1,"best_step":null})", "r").best_step);
}

TEST(Run, WhatIsWrittenIsRead) {
  const Goal goal{"validation", "mae", true};
  const TrainPoint point{10, 1.5, 0.25, 1e-3, 2, std::nan(""), 3};
  const Evaluation evaluation{10, 2, "test", {{"mae", 0.5}}, 4};
  const Note note{11, 2.5, "skipped"};
  std::string text;
  for (const nlohmann::json& line :
       {line_of(goal), line_of(point), line_of(evaluation), line_of(note)}) {
    text += line.dump() + "\n";
  }
  const MetricsLog log = parse(text);
  EXPECT_EQ(line_of(log.goal.value()), line_of(goal));
  EXPECT_EQ(line_of(log.train.at(0)), line_of(point));
  EXPECT_EQ(line_of(log.evaluations.at(0)), line_of(evaluation));
  EXPECT_EQ(line_of(log.notes.at(0)), line_of(note));
  const Results results{
      9, 4, 1, 5.5, 11, {{"test", {{"mae", 0.25}}}}, {{"t", {"a"}, {{"x"}, {{}}}}}};
  EXPECT_EQ(to_json(parse_results(to_json(results).dump(), "r")), to_json(results));
}

TEST(Run, RefusesOtherResultsAndConfigurations) {
  const auto results = [](const std::string& text) {
    return refusal([&] { parse_results(text, "results.json"); });
  };
  EXPECT_THAT(results("{"), StartsWith("results.json: not JSON"));
  EXPECT_THAT(results("{}"), HasSubstr("\"step\" is missing"));
  EXPECT_THAT(results(R"({"step":1,"splits":{"test":3}})"), HasSubstr("not a JSON object"));
  const std::string table = R"({"step":1,"tables":[{"title":"t","columns":["a"],"rows":[["x"],)";
  EXPECT_THAT(results(table + "[1,2]]}]}"), HasSubstr("row 2 is not a list of 1 cells"));
  EXPECT_THAT(results(table + "[[]]]}]}"), HasSubstr("cell is neither"));
  EXPECT_THAT(refusal([] { parse_config("{\"train\":{}}", "c.json"); }),
              StartsWith("c.json: \"task\" is missing"));
  EXPECT_THAT(refusal([] { parse_config("", "c.json"); }), StartsWith("c.json: not JSON"));
}

TEST(Run, ReadsAFolderAtAnyStage) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal([&] { read_run(folder.file("absent")); }), HasSubstr("not a folder"));
  EXPECT_THAT(refusal([&] { read_run(folder.path()); }), HasSubstr("no config.json"));
  write_file_atomically(folder.file("config.json"), R"({"task":"counting","model":{"depth":2}})");
  EXPECT_TRUE(read_run(folder.path()).log.train.empty());
  write_file_atomically(folder.file("metrics.jsonl"), kTrain);
  EXPECT_FALSE(read_run(folder.path()).results);
  write_file_atomically(folder.file("results.json"), R"({"step":10})");
  const RunRecord run = read_run(folder.path());
  EXPECT_EQ(run.task, "counting");
  EXPECT_EQ(run.config["model"]["depth"], 2);
  EXPECT_EQ(run.log.train.size(), 1u);
  EXPECT_EQ(run.results.value().step, 10);
  write_file_atomically(folder.file("metrics.jsonl"), "x\n" + kTrain);
  EXPECT_THAT(refusal([&] { read_run(folder.path()); }),
              HasSubstr("metrics.jsonl: line 1: not JSON"));
}

}  // namespace
}  // namespace floydnet::record
