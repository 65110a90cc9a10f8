#include "tasks/clrs/data/dataset.h"

#include <stdexcept>

#include "base/test_refusal.h"
#include "tasks/clrs/data/test_samples.h"

namespace floydnet::clrs {
namespace {

TEST(ClrsStream, GivesTheSameSamplesAgain) {
  Stream one(recipe_for("dijkstra", 10)), other(recipe_for("dijkstra", 10));
  Sample a, b;
  for (int i = 0; i < 3; ++i) {
    one.next(a);
    other.next(b);
    EXPECT_EQ(a.values, b.values);
  }
  Stream copy = one;
  one.next(a);
  copy.next(b);
  EXPECT_EQ(a.values, b.values);
}

TEST(ClrsStream, SkipsAsIfItHadMadeThem) {
  for (const char* name : {"segments_intersect", "kmp_matcher", "strongly_connected_components"}) {
    Stream made(recipe_for(name, 16)), skipped(recipe_for(name, 16));
    Sample a, b;
    for (int i = 0; i < 8; ++i) made.next(a);
    skipped.skip(7);
    skipped.next(b);
    EXPECT_EQ(a.values, b.values) << name;
  }
}

TEST(ClrsStream, MemoryOfASampleIsReused) {
  Stream stream(recipe_for("bubble_sort", 16));
  Sample sample;
  stream.next(sample);
  std::vector<const double*> places;
  for (const Reals& values : sample.values) places.push_back(values.data());
  stream.next(sample);
  for (size_t p = 0; p < places.size(); ++p) EXPECT_EQ(sample.values[p].data(), places[p]);
}

TEST(ClrsFiniteSet, HoldsTheFirstSamplesAndDrawsAmongThem) {
  const Recipe recipe = recipe_for("bfs", 6, 3, 5);
  FiniteSet set(recipe);
  ASSERT_EQ(set.size(), 5);
  Stream stream(recipe);
  Sample sample;
  for (int64_t i = 0; i < 5; ++i) {
    stream.next(sample);
    EXPECT_EQ(set[i].values, sample.values);
  }
  // The draws go on with the generator that made the samples.
  for (int i = 0; i < 20; ++i) EXPECT_EQ(&set.draw(), &set[stream.random().choice(5)]);
}

TEST(ClrsFiniteSet, RefusesToBeEmpty) {
  EXPECT_EQ(refusal([] { FiniteSet set(recipe_for("bfs", 6, 3, 0)); }),
            "at least one sample is needed, not 0");
}

TEST(ClrsBatch, StacksTimeBeforeSamples) {
  Spec spec;
  spec.probes = {{"x", Stage::kInput, Location::kNode, Type::kScalar},
                 {"h", Stage::kHint, Location::kGraph, Type::kScalar}};
  const Sample first{2, 1, {{1, 2}, {7}}};
  const Sample second{2, 3, {{3, 4}, {8, 9, 10}}};
  const Batch batch = stack(spec, {first, second}, 4);
  EXPECT_EQ(batch.steps, 4);
  EXPECT_EQ(batch.sample_steps, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(batch.values[0], (Reals{1, 2, 3, 4}));
  EXPECT_EQ(batch.values[1], (Reals{7, 8, 0, 9, 0, 10, 0, 0}));
}

TEST(ClrsBatch, RefusesSamplesOfDifferentSizes) {
  Spec spec;
  spec.probes = {{"x", Stage::kInput, Location::kNode, Type::kScalar}};
  EXPECT_THROW(stack(spec, {Sample{1, 1, {{1}}}, Sample{2, 1, {{1, 2}}}}), std::invalid_argument);
  EXPECT_THROW(stack(spec, {Sample{1, 1, {}}}), std::invalid_argument);
}

TEST(ClrsSpec, FindsProbesByStageAndName) {
  const Spec& spec = find_algorithm("quickselect").spec;
  EXPECT_EQ(spec.count(Stage::kInput), 2);
  EXPECT_EQ(spec.count(Stage::kOutput), 1);
  EXPECT_EQ(spec.first(Stage::kHint), 3);
  EXPECT_EQ(spec.probes[spec.find(Stage::kHint, "i_rank")].text(), "i_rank=hint/graph/scalar");
  EXPECT_EQ(spec.find(Stage::kInput, "i_rank"), -1);
  const Spec& strings = find_algorithm("lcs_length").spec;
  EXPECT_EQ(strings.probes[strings.find(Stage::kOutput, "b")].shape(16),
            (std::vector<int64_t>{16, 16, 4}));
}

}  // namespace
}  // namespace floydnet::clrs
