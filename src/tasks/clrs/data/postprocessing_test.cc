#include "tasks/clrs/data/postprocessing.h"

#include <algorithm>

#include "tasks/clrs/data/test_samples.h"

namespace floydnet::clrs {
namespace {

Sample first_sample(const std::string& algorithm, bool hints = true) {
  Sample sample;
  Stream(recipe_for(algorithm, 16)).next(sample, hints);
  return sample;
}

TEST(ClrsPostprocessing, ThePredecessorInputIsTheHintThatItReplaces) {
  RandomState random(1);
  int replaced = 0;
  for (const Algorithm& algorithm : algorithms()) {
    const Postprocessor postprocessor(algorithm, {});
    const Spec& spec = postprocessor.spec();
    const int64_t input = spec.find(Stage::kInput, "pred");
    if (input < 0) continue;
    ++replaced;
    EXPECT_EQ(input, spec.first(Stage::kOutput) - 1) << algorithm.name;
    EXPECT_EQ(spec.find(Stage::kHint, "pred_h"), -1) << algorithm.name;
    Sample sample = first_sample(algorithm.name);
    const Reals hint = array_of(algorithm.spec, sample, Stage::kHint, "pred_h");
    postprocessor.apply(sample, random);
    for (int64_t step = 0; step < sample.steps; ++step) {
      const auto snapshot = hint.begin() + step * sample.nodes;
      EXPECT_TRUE(std::equal(snapshot, snapshot + sample.nodes, sample.values[input].begin()));
    }
  }
  EXPECT_EQ(replaced, 11);
}

TEST(ClrsPostprocessing, NeedsNoHints) {
  for (const Algorithm& algorithm : algorithms()) {
    const Postprocessor postprocessor(algorithm, {});
    const Spec& spec = postprocessor.spec();
    RandomState random(1), other(1);
    Sample full = first_sample(algorithm.name);
    Sample bare = first_sample(algorithm.name, false);
    postprocessor.apply(full, random);
    postprocessor.apply(bare, other);
    ASSERT_EQ(bare.values.size(), spec.probes.size());
    for (int64_t p = 0; p < spec.first(Stage::kHint); ++p) {
      EXPECT_EQ(bare.values[p], full.values[p]) << algorithm.name << " " << spec.probes[p].text();
      EXPECT_EQ(static_cast<int64_t>(full.values[p].size()), spec.probes[p].elements(full.nodes));
    }
  }
}

TEST(ClrsPostprocessing, RandomPositionsRiseWithinEachString) {
  const Algorithm& algorithm = find_algorithm("lcs_length");
  Sample sample = first_sample("lcs_length");
  RandomState random(3);
  Postprocessor(algorithm, {}).apply(sample, random);
  const Reals& positions = sample.values[1];
  EXPECT_TRUE(std::is_sorted(positions.begin(), positions.begin() + 8));
  EXPECT_TRUE(std::is_sorted(positions.begin() + 8, positions.end()));
  EXPECT_NE(positions[1], 1.0 / 8);
}

TEST(ClrsPostprocessing, PermutationsAreCyclesFromTheLastToTheFirst) {
  const Algorithm& algorithm = find_algorithm("heapsort");
  Sample sample = first_sample("heapsort");
  const Reals pointers = array_of(algorithm.spec, sample, Stage::kOutput, "pred");
  RandomState random(3);
  const Postprocessor postprocessor(algorithm, {});
  postprocessor.apply(sample, random);
  const Spec& spec = postprocessor.spec();
  const Reals& rows = array_of(spec, sample, Stage::kOutput, "pred");
  const Reals& mask = array_of(spec, sample, Stage::kOutput, "pred_mask");
  const int64_t first = place_of_one(mask);
  EXPECT_EQ(pointers[first], static_cast<double>(first));
  int64_t at = first;
  for (int64_t step = 0; step < 16; ++step) {
    const auto row = rows.begin() + at * 16;
    const int64_t next = std::find(row, row + 16, 1.0) - row;
    if (step > 0) {
      EXPECT_EQ(static_cast<double>(next), pointers[at]);
    }
    EXPECT_EQ(next == first, step == 15);
    at = next;
  }
  EXPECT_EQ(std::count(rows.begin(), rows.end(), 1.0), 16);
}

TEST(ClrsPostprocessing, NothingIsDoneThatIsNotWanted) {
  const Algorithm& algorithm = find_algorithm("quicksort");
  const Postprocessor postprocessor(algorithm, {false, false, false});
  Sample sample = first_sample("quicksort");
  const std::vector<Reals> before = sample.values;
  RandomState random(3), untouched(3);
  postprocessor.apply(sample, random);
  EXPECT_EQ(sample.values, before);
  EXPECT_EQ(random.next_u32(), untouched.next_u32());
  EXPECT_EQ(postprocessor.spec().probes[2].type, Type::kPointer);
}

}  // namespace
}  // namespace floydnet::clrs
