#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "base/test_refusal.h"
#include "report/html_chart.h"
#include "report/html_table.h"
#include "report/test_markup.h"

namespace floydnet::report {
namespace {

using record::Evaluation;
using record::RunRecord;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kNasty = R"~(</script><b onclick="alert('1')">&)~";

RunRecord run_named(const std::string& name, int64_t steps) {
  RunRecord run;
  run.folder = "runs/" + name;
  run.task = "counting";
  run.config = {{"task", "counting"}, {"train", {{"steps", steps}, {"seed", 7}}}};
  run.log.goal = record::Goal{"validation", "mae", false};
  for (int64_t step = 10; step <= steps; step += 10) {
    const auto x = static_cast<double>(step);
    run.log.train.push_back({step, x / 4, 3 * std::exp(-x / 200), 1e-3, 2, 100});
    if (step % 100 != 0) continue;
    run.log.evaluations.push_back({step, x / 4, "validation", {{"mae", 50 / x}}});
  }
  return run;
}

RunRecord finished(RunRecord run) {
  record::Results results;
  results.step = run.log.train.back().step;
  results.best_step = 200;
  results.seconds = 4000;
  results.splits = {{"test", {{"mae", 0.0625}}}};
  results.tables = {{"by pattern", {"pattern", "mae"}, {{"cycle5", 0.03125}, {{}, true}}}};
  run.results = results;
  return run;
}

void expect_self_contained(const std::string& page) {
  expect_well_formed(page);
  EXPECT_THAT(page, Not(HasSubstr("://")));
  for (const char* fetching : {" src=", " href=", "url(", "@import", "<link", "<iframe", "<img"}) {
    EXPECT_THAT(page, Not(HasSubstr(fetching)));
  }
}

TEST(Html, TablesOfSeveralRunsComeFirst) {
  const std::string page = report_page({finished(run_named("first", 400))},
                                       {"Runs", {{"All thirty", {"", "here"}, {{"Total", 91.5}}}}});
  expect_self_contained(page);
  EXPECT_LT(page.find("All thirty"), page.find("by pattern"));
  EXPECT_THAT(page, HasSubstr("91.5"));
}

TEST(Html, TimeIsCpuTimeIfAllRunsHaveLoggedIt) {
  std::vector<RunRecord> runs = {run_named("first", 400), run_named("second", 400)};
  EXPECT_THAT(report_page(runs, {"t"}), Not(HasSubstr("CPU seconds")));
  for (RunRecord& run : runs) {
    for (record::TrainPoint& point : run.log.train) point.cpu_seconds = 2 * point.seconds;
    for (record::Evaluation& own : run.log.evaluations) own.cpu_seconds = 2 * own.seconds;
  }
  const std::string page = report_page(runs, {"t"});
  expect_self_contained(page);
  EXPECT_THAT(page, HasSubstr("by CPU time instead"));
  EXPECT_THAT(page, HasSubstr("CPU seconds"));
  EXPECT_THAT(page, HasSubstr("\"seconds\":[50.0,100.0,150.0,200.0]"));
  runs[1].log.train.back().cpu_seconds = NAN;
  EXPECT_THAT(report_page(runs, {"t"}), Not(HasSubstr("CPU seconds")));
}

TEST(Html, DrawsMetricsAgainstASetting) {
  PageOptions options;
  options.against = {"train.steps"};
  std::vector<RunRecord> runs;
  for (const int64_t steps : {400, 800, 1600}) runs.push_back(finished(run_named("run", steps)));
  runs[1].folder = "runs/second";
  runs[2].folder = "runs/third";
  runs[2].results->splits[0].second[0].second = 0.5;
  const std::string page = report_page(runs, options);
  expect_self_contained(page);
  EXPECT_THAT(page, HasSubstr("mae against train.steps"));
  EXPECT_THAT(page, HasSubstr("test: 0.0625 at 400 0.0625 at 800 0.5 at 1600."));
  options.against = {"train.depth"};
  EXPECT_EQ(refusal([&] { report_page(runs, options); }), "runs/run: has no setting 'train.depth'");
  options.against = {"task"};
  EXPECT_EQ(refusal([&] { report_page(runs, options); }),
            "runs/run: its setting 'task' is not a number");
}

TEST(Html, RunsWithTheSameSettingCountByTheirMean) {
  std::vector<RunRecord> runs = {finished(run_named("one", 400)), finished(run_named("two", 400)),
                                 run_named("unfinished", 400)};
  runs[1].results->splits[0].second[0].second = 0.1875;
  PageOptions options;
  options.against = {"train.steps"};
  EXPECT_THAT(report_page(runs, options), HasSubstr("test: 0.125 at 400."));
}

TEST(Html, ShowsEveryRun) {
  const std::string page =
      report_page({finished(run_named("first", 400)), run_named("second", 600)}, {"Two runs"});
  expect_self_contained(page);
  EXPECT_THAT(page, HasSubstr("<title>Two runs</title>"));
  for (const char* text : {"first", "second", "finished", "unfinished", "1 h 6 min",
                           ">0.25<small>best validation mae, step 200<",
                           ">0.08333<small>best validation mae, step 600<", ">train.steps<",
                           ">0.0625<", ">by pattern<", ">cycle5<", ">0.03125<", ">Loss<",
                           ">Learning rate<", ">mae, validation<"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
  EXPECT_THAT(page, Not(HasSubstr(">train.seed<")));  // the same in both
}

TEST(Html, EverySeriesHasItsLookInEveryChart) {
  std::vector<RunRecord> runs;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
    runs.push_back(run_named(name, 1000));
  }
  const std::string page = report_page(runs, {"t"});
  expect_self_contained(page);
  // By step and time, linear and logarithmic.
  for (const char* look : {"line s0 d0", "line s5 d5", "line s0 d1"}) {
    const std::string curve = std::string("<polyline class=\"") + look + "\"";
    EXPECT_EQ(count(page, curve), 4 * count(page, "<figure")) << look;
  }
}

TEST(Html, EscapesAllTexts) {
  RunRecord run = finished(run_named(kNasty, 400));
  run.task = kNasty;
  run.config = {{"task", kNasty}, {kNasty, {{kNasty, kNasty}}}};
  run.log.goal = record::Goal{kNasty, kNasty, false};
  for (Evaluation& evaluation : run.log.evaluations) {
    evaluation.split = kNasty;
    evaluation.metrics.emplace_back(kNasty, 1);
  }
  run.log.notes = {{1, 0.5, kNasty}};
  run.results->splits = {{kNasty, {{kNasty, 1}}}};
  run.results->tables = {{kNasty, {kNasty}, {{kNasty}}}};
  RunRecord other = run;
  other.folder = "other";
  other.config["x"] = kNasty;
  const std::string page = report_page({run, other}, {kNasty});
  expect_self_contained(page);
  EXPECT_THAT(page, Not(HasSubstr("<b onclick")));
  EXPECT_THAT(page, Not(HasSubstr("onclick=\"")));
  EXPECT_EQ(count(page, "<script"), count(page, "</script>"));
}

TEST(Html, PlotsAreDescribed) {
  const std::string page = report_page({run_named("first", 400)}, {"t"});
  const size_t plots = count(page, "<svg class=\"plot\"");
  EXPECT_GT(plots, 4u);
  EXPECT_EQ(count(page, "<title id="), plots);
  EXPECT_EQ(count(page, "<desc id="), plots);
  EXPECT_THAT(page,
              HasSubstr("first: 0.5 at step 100, 0.125 at step 400, least 0.125 at step 400."));
}

TEST(Html, ManyMetricsAreFolded) {
  RunRecord run = finished(run_named("many", 400));
  for (int i = 0; i < 30; ++i) {
    const std::string name = "node/pattern" + std::to_string(i);
    for (Evaluation& evaluation : run.log.evaluations) {
      evaluation.metrics.emplace_back(name, i + static_cast<double>(evaluation.step));
    }
    run.results->splits[0].second.emplace_back(name, i + 1);
  }
  const std::string page = report_page({run}, {"t"});
  expect_self_contained(page);
  EXPECT_THAT(page, HasSubstr("<summary>23 more metrics</summary>"));  // 31 but 8
  EXPECT_THAT(page, HasSubstr("<summary>19 more values</summary>"));   // 31 but 12
  EXPECT_EQ(count(page, "<figure"), 31 + 4u);
}

TEST(Html, WhatNeverChangesIsNoCurveUnlessItIsTheGoal) {
  RunRecord run = run_named("constant", 400);
  for (Evaluation& evaluation : run.log.evaluations) {
    evaluation.metrics = {{"samples", 32}, {"mae", 1}};
  }
  const std::string page = report_page({run}, {"t"});
  EXPECT_THAT(page, Not(HasSubstr("samples, validation")));
  EXPECT_THAT(page, HasSubstr("mae, validation"));
}

TEST(Html, SpreadValuesAreLogarithmicAtFirst) {
  const auto switch_of = [](const Chart& chart) {
    const std::string html = chart_html(chart, "c", {"a"});
    std::smatch found;
    std::regex_search(html, found, std::regex("<input[^>]*>"));
    return found.str();
  };
  Chart chart{"t", {{0, {{1, 1, 1}, {2, 2, 1000}}}}};
  EXPECT_THAT(switch_of(chart), HasSubstr(" checked"));
  chart.logarithmic = false;
  EXPECT_THAT(switch_of(chart), Not(HasSubstr(" checked")));
  chart = {"t", {{0, {{1, 1, 1}, {2, 2, 2}}}}};
  EXPECT_THAT(switch_of(chart), HasSubstr("c-log"));
  EXPECT_THAT(switch_of(chart), Not(HasSubstr(" checked")));
  chart.lines[0].curve[0].value = 0;
  EXPECT_EQ(switch_of(chart), "");
}

TEST(Html, TheDataOfAChartIsJson) {
  const Chart chart{"t", {{1, {{1, 0.5, 0.123456}, {2, NAN, 2}}}}};
  const std::string html = chart_html(chart, "c", {"a", "b"});
  std::smatch found;
  ASSERT_TRUE(std::regex_search(html, found, std::regex("json\">([^<]*)</script>")));
  const auto data = nlohmann::json::parse(found[1].str());
  EXPECT_EQ(data,
            nlohmann::json::parse(R"([{"step":[1,2],"seconds":[0.5,null],"value":[0.1235,2.0]}])"));
}

TEST(Html, ARunThatHasJustBegun) {
  RunRecord run;
  run.folder = "new";
  run.task = "counting";
  run.config = {{"task", "counting"}};
  const std::string page = report_page({run}, {"t"});
  expect_self_contained(page);
  EXPECT_THAT(page, HasSubstr("Nothing is logged yet"));
  EXPECT_THAT(page, HasSubstr("unfinished"));
  EXPECT_THROW(report_page({}, {"t"}), std::invalid_argument);
}

TEST(Html, OddNumbersAreNoError) {
  RunRecord run = run_named("odd", 400);
  const std::vector<double> odd = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 0, 5e-324};
  for (size_t i = 0; i < run.log.train.size(); ++i) {
    run.log.train[i].loss = odd[i % odd.size()];
    run.log.train[i].seconds = odd[(i / 2) % odd.size()];
    run.log.train[i].learning_rate = NAN;
  }
  const std::string page = report_page({run}, {"t"});
  expect_self_contained(page);
  EXPECT_THAT(page, Not(HasSubstr("nan")));
  EXPECT_THAT(page, Not(HasSubstr(">Learning rate<")));
}

// A page must stay small enough to open, however long the run was.
TEST(Html, LongRunsMakeNoLargePages) {
  RunRecord run = run_named("long", 100);
  for (int64_t step = 0; step < 200000; ++step) {
    run.log.train.push_back({step, static_cast<double>(step), 1 + std::sin(step), 1e-3, 2, 100});
  }
  const Cost cost = cost_of([&] { report_page({run}, {"t"}); });
  EXPECT_LT(cost.seconds, 2);
  EXPECT_LT(report_page({run}, {"t"}).size(), 300000u);
}

TEST(Html, DurationsAndNumbers) {
  EXPECT_EQ(duration_text(1.25), "1.2 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(723), "12 min 3 s");
  EXPECT_EQ(duration_text(4800), "1 h 20 min");
  EXPECT_EQ(number_text(0.0123456), "0.01235");
  EXPECT_EQ(number_text(1.5e-7), "1.5e-7");
  EXPECT_EQ(number_text(123456), "123456");
  EXPECT_EQ(number_text(NAN), "–");
}

}  // namespace
}  // namespace floydnet::report
