#include "tasks/clrs/data/transitions.h"

#include <gtest/gtest.h>

#include "tasks/clrs/data/postprocessing.h"
#include "tasks/clrs/data/test_samples.h"

namespace floydnet::clrs {
namespace {

Sample drawn(const Algorithm& algorithm) {
  Sample sample;
  Stream(recipe_for(algorithm.name, 8)).next(sample);
  return sample;
}

TEST(ClrsTransitions, KeepTheSnapshotsAskedFor) {
  for (const Algorithm& algorithm : algorithms()) {
    const Sample whole = drawn(algorithm);
    const TransitionCutter cutter(algorithm.spec, NumberHints::kValues);
    ASSERT_EQ(cutter.spec().probes.size(), algorithm.spec.probes.size());
    const int64_t count = std::min<int64_t>(2, whole.steps);
    for (const int64_t first : {int64_t{0}, whole.steps - count}) {
      Sample cut = whole;
      cutter.cut(cut, first, count);
      for (size_t p = 0; p < whole.values.size(); ++p) {
        const Probe& probe = algorithm.spec.probes[p];
        const int64_t elements = probe.elements(whole.nodes);
        auto begin = whole.values[p].begin(), end = whole.values[p].end();
        if (probe.stage == Stage::kHint) {
          begin += first * elements;
          end = begin + count * elements;
        }
        EXPECT_EQ(cut.values[p], Reals(begin, end)) << algorithm.name << " " << probe.name;
      }
    }
  }
}

TEST(ClrsTransitions, NumbersOfNodesBecomeTheirOrder) {
  for (const Algorithm& algorithm : algorithms()) {
    const TransitionCutter cutter(algorithm.spec, NumberHints::kOrder);
    const TransitionCutter without(algorithm.spec, NumberHints::kNone);
    const Sample whole = drawn(algorithm);
    Sample cut = whole;
    const int64_t last = whole.steps - 1;
    cutter.cut(cut, last, 1);
    size_t left = 0;
    for (const Probe& probe : algorithm.spec.of(Stage::kHint)) {
      if (probe.type != Type::kScalar) {
        ++left;
        EXPECT_GE(without.spec().find(Stage::kHint, probe.name), 0);
        continue;
      }
      EXPECT_EQ(cutter.spec().find(Stage::kHint, probe.name), -1);
      EXPECT_EQ(without.spec().find(Stage::kHint, probe.name), -1);
      const int64_t place = cutter.spec().find(Stage::kHint, probe.name + "<");
      ASSERT_EQ(place >= 0, probe.location == Location::kNode) << probe.name;
      if (place < 0) continue;
      const Probe& order = cutter.spec().probes[place];
      EXPECT_EQ(order.type, Type::kMask);
      EXPECT_EQ(order.location, Location::kEdge);
      const int64_t n = whole.nodes;
      const Reals& numbers = array_of(algorithm.spec, whole, Stage::kHint, probe.name);
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < n; ++j) {
          EXPECT_EQ(cut.values[place][i * n + j], numbers[last * n + i] < numbers[last * n + j]);
        }
      }
    }
    EXPECT_EQ(without.spec().of(Stage::kHint).size(), left) << algorithm.name;
  }
}

// The longest common subsequence of 0, 1, 2 and 0, 2: its table is 1 1, 1 1, 1 2.
TEST(ClrsTransitions, NumbersOfPairsAreComparedWithThoseBefore) {
  const Algorithm& algorithm = find_algorithm("lcs_length");
  Problem problem;
  problem.nodes = 5;
  problem.text = {0, 1, 2};
  problem.pattern = {0, 2};
  Sample sample = solved(algorithm.name, problem);
  const Postprocessor postprocessor(algorithm, {});
  RandomState positions(1);
  postprocessor.apply(sample, positions);
  const TransitionCutter cutter(postprocessor.spec(), NumberHints::kOrder);
  cutter.cut(sample, sample.steps - 1, 1);
  // Of rows of the first string and columns of the second: -1, 0 or 1.
  const auto compared = [&](const char* name) {
    const Reals& all = array_of(cutter.spec(), sample, Stage::kHint, name);
    Reals signs;
    for (int64_t i = 0; i < 3; ++i) {
      for (int64_t j = 3; j < 5; ++j) {
        const auto cell = all.begin() + 3 * (5 * i + j);
        signs.push_back(static_cast<double>(place_of_one(Reals(cell, cell + 3)) - 1));
      }
    }
    return signs;
  };
  EXPECT_EQ(compared("c~i"), Reals({1, 1, 0, 0, 0, 1}));
  EXPECT_EQ(compared("c~j"), Reals({1, 0, 1, 0, 1, 1}));
  EXPECT_EQ(compared("c~ij"), Reals({1, 1, 1, 0, 1, 1}));
  EXPECT_EQ(cutter.spec().find(Stage::kHint, "c"), -1);
}

}  // namespace
}  // namespace floydnet::clrs
