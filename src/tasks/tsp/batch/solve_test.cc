#include "tasks/tsp/batch/solve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/test_refusal.h"
#include "tasks/tsp/batch/report.h"
#include "tasks/tsp/data/generator.h"

namespace floydnet::tsp {
namespace {

using testing::HasSubstr;

const std::atomic<bool> kNeverStop{false};

std::vector<Problem> small_problems(int count) {
  std::vector<Problem> problems;
  for (int i = 0; i < count; ++i) {
    problems.push_back(random_problem(i % 2 == 0 ? Kind::kExplicit : Kind::kEuclidean, 8, 1,
                                      static_cast<std::uint64_t>(i)));
  }
  return problems;
}

TEST(SolveAll, TheNumberOfThreadsChangesNothing) {
  const std::vector<Problem> problems = small_problems(12);
  SolveOptions options;
  options.unique = options.baseline = true;
  const auto one = solve_all(problems, options, 1, kNeverStop);
  const auto three = solve_all(problems, options, 3, kNeverStop);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    EXPECT_TRUE(one[i].proven);
    EXPECT_EQ(one[i].bound, one[i].length);
    EXPECT_EQ(one[i].length, tour_length(make_instance(problems[i]), one[i].tour));
    EXPECT_EQ(one[i].tour, three[i].tour);
    EXPECT_EQ(one[i].uniqueness, three[i].uniqueness);
    EXPECT_NE(one[i].uniqueness, Uniqueness::kUnknown);
    EXPECT_GE(one[i].baseline_length, one[i].length);
  }
}

TEST(SolveAll, CountsWhatIsFinished) {
  std::vector<std::int64_t> counts;
  BatchProgress progress;
  progress.finished = [&](std::int64_t finished) { counts.push_back(finished); };
  solve_all(small_problems(5), {}, 2, kNeverStop, progress);
  EXPECT_THAT(counts, testing::ElementsAre(1, 2, 3, 4, 5));
}

TEST(SolveAll, AStopLeavesTheRestUndone) {
  const std::atomic<bool> stopped{true};
  const std::vector<Problem> problems = small_problems(3);
  const auto outcomes = solve_all(problems, {}, 2, stopped);
  for (const Outcome& outcome : outcomes) EXPECT_FALSE(outcome.begun);
  EXPECT_THAT(report_text({problems, outcomes, {}}, false),
              HasSubstr("3 instances, 0 of them begun"));
}

TEST(SolveAll, WeightsThatDoNotFitAreRefused) {
  std::vector<Problem> problems = small_problems(2);
  problems[1].points[0].x = 1e12;
  EXPECT_THAT(refusal([&] { solve_all(problems, {}, 2, kNeverStop); }),
              HasSubstr("the distance of cities"));
}

/// A square of side 1, with the tour around it and one that crosses itself as references.
TEST(SolveReport, SaysWhereTheReferenceIsLonger) {
  std::vector<Problem> problems(2);
  for (Problem& problem : problems) {
    problem.name = "square";
    problem.metric = Metric::kReal;
    problem.points = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
  }
  problems[0].reference = Tour{3, 2, 1, 0};
  problems[1].reference = Tour{0, 2, 1, 3};
  const auto outcomes = solve_all(problems, {}, 1, kNeverStop);
  EXPECT_EQ(outcomes[0].length, 40000000);
  EXPECT_EQ(outcomes[1].reference_length, 48284272);
  const SolveReport report{problems, outcomes, {}};
  const std::string text = report_text(report, false);
  EXPECT_THAT(text, HasSubstr("times 1e+07, rounded"));
  EXPECT_THAT(text, HasSubstr("1 shorter, 1 equal, 0 longer"));
  EXPECT_THAT(text, HasSubstr("4.000000"));
  const nlohmann::json json = report_json(report);
  EXPECT_EQ(json["references"]["shorter"], 1);
  EXPECT_EQ(json["instances"][0]["reference"]["tour_is"], "equal");
  EXPECT_EQ(json["instances"][1]["reference"]["tour_is"], "shorter");
  EXPECT_DOUBLE_EQ(json["instances"][0]["real_length"], 4);
  EXPECT_EQ(json["instances"][0]["scale"], 1e7);
}

TEST(SolveReport, LinKernighanHasNoBound) {
  const std::vector<Problem> problems = small_problems(1);
  SolveOptions options;
  options.method = Method::kLinKernighan;
  options.kicks = 3;
  const auto outcomes = solve_all(problems, options, 1, kNeverStop);
  EXPECT_FALSE(outcomes[0].proven);
  const nlohmann::json json = report_json({problems, outcomes, options});
  EXPECT_TRUE(json["instances"][0]["bound"].is_null());
  EXPECT_EQ(json["instances"][0]["tour"].size(), 8U);
  EXPECT_THAT(report_text({problems, outcomes, options}, false), HasSubstr("Lin-Kernighan"));
}

}  // namespace
}  // namespace floydnet::tsp
