#include "tasks/clrs/data/given_problem.h"

#include <gmock/gmock.h>

#include <limits>

#include "tasks/clrs/data/test_samples.h"

namespace floydnet::clrs {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<Reals> inputs_of(const Algorithm& algorithm, const Sample& sample) {
  return {sample.values.begin(), sample.values.begin() + algorithm.spec.count(Stage::kInput)};
}

TEST(ClrsGivenProblem, IsTheOneThatWasDrawn) {
  for (const Algorithm& algorithm : algorithms()) {
    Stream stream(recipe_for(algorithm.name, 12));
    for (int i = 0; i < 5; ++i) {
      Sample drawn, given;
      stream.next(drawn);
      const Problem problem = problem_of(algorithm, inputs_of(algorithm, drawn), drawn.nodes);
      solve(algorithm, problem, true, given);
      EXPECT_EQ(given.steps, drawn.steps) << algorithm.name;
      EXPECT_EQ(given.values, drawn.values) << algorithm.name;
    }
  }
}

/// A problem of 8 nodes all of whose numbers are `value`, solved.
Sample solved_with(const Algorithm& algorithm, double value) {
  Sample sample, solved;
  Stream(recipe_for(algorithm.name, 8)).next(sample);
  std::vector<Reals> inputs = inputs_of(algorithm, sample);
  for (size_t p = 0; p < inputs.size(); ++p) {
    if (algorithm.spec.probes[p].type != Type::kScalar) continue;
    std::fill(inputs[p].begin(), inputs[p].end(), value);
  }
  solve(algorithm, problem_of(algorithm, inputs, sample.nodes), true, solved);
  return solved;
}

// No sampler draws such inputs, but an algorithm must come to an end with them.
TEST(ClrsGivenProblem, MayBeDegenerate) {
  for (const Algorithm& algorithm : algorithms()) {
    for (const double value : {0.0, 1.0, -1.0}) {
      if (algorithm.name == "bellman_ford" && value < 0) continue;
      EXPECT_GE(solved_with(algorithm, value).steps, 1) << algorithm.name;
    }
  }
}

TEST(ClrsGivenProblem, HasNoNegativeCycle) {
  EXPECT_THAT([] { solved_with(find_algorithm("bellman_ford"), -1); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("a cycle of negative length")));
}

TEST(ClrsGivenProblem, SaysWhatNoProblemHas) {
  const Algorithm& matcher = find_algorithm("naive_string_matcher");
  Sample sample;
  Stream(recipe_for(matcher.name, 9)).next(sample);
  std::vector<Reals> inputs = inputs_of(matcher, sample);
  inputs[0] = Reals(9, 0);
  EXPECT_THAT([&] { problem_of(matcher, inputs, 9); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("has one string, wanted two")));
  inputs[0] = {0, 0, 0, 1, 0, 1, 1, 1, 1};
  EXPECT_THAT([&] { problem_of(matcher, inputs, 9); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("behind one of the second")));

  const Algorithm& sort = find_algorithm("quicksort");
  Stream(recipe_for(sort.name, 6)).next(sample);
  inputs = inputs_of(sort, sample);
  inputs[1][3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { problem_of(sort, inputs, 6); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("'key' has a number that is not")));
}

}  // namespace
}  // namespace floydnet::clrs
