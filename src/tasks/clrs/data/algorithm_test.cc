// What holds for all 30 algorithms.
#include "tasks/clrs/data/algorithm.h"

#include <cmath>
#include <set>

#include "base/test_refusal.h"
#include "tasks/clrs/data/test_samples.h"

namespace floydnet::clrs {
namespace {

TEST(ClrsAlgorithms, AreThirtyInEightCategories) {
  std::set<std::string> names;
  std::set<Category> categories;
  for (const Algorithm& algorithm : algorithms()) {
    names.insert(algorithm.name);
    categories.insert(algorithm.category);
  }
  EXPECT_EQ(names.size(), 30u);
  EXPECT_EQ(categories.size(), 8u);
}

TEST(ClrsAlgorithms, UnknownNamesGetASuggestion) {
  EXPECT_EQ(refusal([] { find_algorithm("djikstra"); }),
            "unknown algorithm 'djikstra'; did you mean 'dijkstra'?");
  EXPECT_EQ(refusal([] { find_algorithm(""); }).find("unknown algorithm ''"), 0u);
}

/// The benchmark's own rules for one snapshot of a probe.
void expect_consistent(const Probe& probe, const double* values, int64_t nodes,
                       const std::string& what) {
  const int64_t count = probe.elements(nodes);
  const bool one_hot = probe.type == Type::kMaskOne || probe.type == Type::kCategorical;
  const bool pointer = probe.type == Type::kPointer || probe.type == Type::kShouldBePermutation;
  const int64_t row = probe.type == Type::kCategorical ? probe.classes : nodes;
  double ones = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double value = values[i];
    ASSERT_TRUE(std::isfinite(value)) << what;
    if (one_hot || probe.type == Type::kMask) {
      ASSERT_TRUE(value == 0 || value == 1 || value == kMasked) << what << ": " << value;
    }
    if (pointer) {
      ASSERT_TRUE(value >= 0 && value < static_cast<double>(nodes) && value == std::floor(value))
          << what << ": " << value;
    }
    ones += std::abs(value);
    if (one_hot && (i + 1) % row == 0) {
      ASSERT_EQ(ones, 1) << what << ": element " << i;
      ones = 0;
    }
  }
}

void expect_consistent(const Algorithm& algorithm, const Sample& sample) {
  ASSERT_GE(sample.steps, 1);
  for (size_t p = 0; p < sample.values.size(); ++p) {
    const Probe& probe = algorithm.spec.probes[p];
    const int64_t each = probe.elements(sample.nodes);
    const int64_t steps = probe.stage == Stage::kHint ? sample.steps : 1;
    const std::string what = algorithm.name + " " + probe.text();
    ASSERT_EQ(static_cast<int64_t>(sample.values[p].size()), steps * each) << what;
    for (int64_t step = 0; step < steps; ++step) {
      expect_consistent(probe, sample.values[p].data() + step * each, sample.nodes, what);
    }
  }
}

TEST(ClrsAlgorithms, KeepTheRulesOfTheirProbesAtAllSizes) {
  for (const Algorithm& algorithm : algorithms()) {
    const int64_t least = algorithm.sampler->least_length;
    for (const int64_t length : {least, least + 1, least + 2, int64_t{13}, int64_t{24}}) {
      Stream stream(recipe_for(algorithm.name, length));
      Sample sample;
      for (int i = 0; i < 5; ++i) {
        stream.next(sample);
        expect_consistent(algorithm, sample);
      }
    }
  }
}

TEST(ClrsAlgorithms, AnswerTheSameWithoutHints) {
  for (const Algorithm& algorithm : algorithms()) {
    Recipe recipe = recipe_for(algorithm.name, 11);
    Stream with(recipe), without(recipe);
    Sample full, bare;
    for (int i = 0; i < 3; ++i) {
      with.next(full);
      without.next(bare, false);
      EXPECT_EQ(bare.steps, full.steps) << algorithm.name;
      for (size_t p = 0; p < full.values.size(); ++p) {
        const bool hint = algorithm.spec.probes[p].stage == Stage::kHint;
        EXPECT_EQ(bare.values[p], hint ? Reals() : full.values[p]) << algorithm.name;
      }
    }
  }
}

TEST(ClrsAlgorithms, RunAtSize256) {
  for (const Algorithm& algorithm : algorithms()) {
    Stream stream(recipe_for(algorithm.name, 256));
    Sample sample;
    stream.next(sample, false);
    EXPECT_GE(sample.steps, 1) << algorithm.name;
  }
}

}  // namespace
}  // namespace floydnet::clrs
