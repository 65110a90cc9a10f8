// The official splits as a whole, by SHA-256: every array of validation and test of all 30
// algorithms, and of the training script's settings.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tasks/clrs/data/script.h"
#include "tasks/clrs/data/test_digests.h"
#include "tasks/clrs/data/test_golden.h"

namespace floydnet::clrs {
namespace {

using Json = nlohmann::json;

const Json& digests() {
  static const Json all = Json::parse(read_file(test_data(golden("digests.json"))));
  return all.at("algorithms");
}

const Json& sample_digests() {
  static const Json all = Json::parse(read_file(test_data(golden("digests_per_sample.json"))));
  return all.at("algorithms");
}

Recipe recipe_of(const Algorithm& algorithm, const std::string& split) {
  const Json& facts = digests().at(algorithm.name).at(split);
  Recipe recipe;
  recipe.algorithm = &algorithm;
  recipe.sampler.length = facts.at("length");
  recipe.seed = facts.at("seed");
  recipe.samples = facts.at("num_samples");
  if (split == "runpy") {
    recipe.sampler.edge_probabilities = script_edge_probabilities(algorithm);
    recipe.sampler.needle_length = algorithm.sampler->matches_strings ? -kScriptLongestNeedle : 0;
  }
  return recipe;
}

/// First 16 digits of the digest of all arrays of one sample.
std::string digest_of(const Sample& sample) {
  Sha256 hash;
  for (const std::vector<double>& values : sample.values) {
    hash.append(values.data(), static_cast<int64_t>(values.size()));
  }
  return hash.hex().substr(0, 16);
}

/// The first sample that differs from the golden one, or -1.
int64_t first_wrong_sample(const Recipe& recipe, const std::string& split) {
  const Json& wanted = sample_digests().at(recipe.algorithm->name).at(split);
  Stream stream(recipe);
  Sample sample;
  for (int64_t i = 0; i < recipe.samples; ++i) {
    stream.next(sample);
    if (digest_of(sample) != wanted.at(i)) return i;
  }
  return -1;
}

/// sin, cos and atan2 of other libraries change the last bits of these arrays, and of no others.
bool is_known_alternative(const Digest& digest, const std::string& algorithm,
                          const std::string& split) {
  const Json& facts = digests().at(algorithm);
  if (facts.count("alternatives") == 0) return false;
  const Json& variants = facts.at("alternatives");
  return std::any_of(variants.begin(), variants.end(), [&](const Json& variant) {
    return variant.at(split).value(digest.key, "") == digest.sha256;
  });
}

/// The numbers of arrays that are equal, and of those that are a listed alternative.
struct Tally {
  int64_t equal = 0, alternative = 0;
};

Tally compare_arrays(const Recipe& recipe, const std::string& split) {
  const std::string& name = recipe.algorithm->name;
  const Json& wanted = digests().at(name).at(split).at("arrays");
  DigestSink sink;
  stream_arrays(recipe, sink);
  const std::vector<Digest> found = sink.finish();
  EXPECT_EQ(found.size(), wanted.size()) << name;
  Tally tally;
  bool wrong = false;
  for (const Digest& digest : found) {
    const std::string what = name + ", " + split + ", " + digest.key;
    const Json& array = wanted.at(digest.key);
    EXPECT_EQ(array.at("dtype"), text(digest.dtype)) << what;
    EXPECT_EQ(array.at("shape"), Json(digest.shape)) << what;
    if (array.at("sha256") == digest.sha256) {
      ++tally.equal;
    } else if (is_known_alternative(digest, name, split)) {
      ++tally.alternative;
    } else {
      ADD_FAILURE() << what << " differs";
      wrong = true;
    }
  }
  if (wrong) {
    ADD_FAILURE() << name << ", " << split << ": the first wrong sample is "
                  << first_wrong_sample(recipe, split);
  }
  return tally;
}

void expect_next_words(const Recipe& recipe, const std::string& split) {
  Stream stream(recipe);
  stream.skip(recipe.samples);
  for (const Json& word : digests().at(recipe.algorithm->name).at(split).at("rng_next_u32")) {
    ASSERT_EQ(stream.random().next_u32(), word)
        << recipe.algorithm->name << ", " << split << ": a wrong number of draws";
  }
}

class ClrsDigests : public ::testing::TestWithParam<const char*> {};

TEST_P(ClrsDigests, ArraysAndNextWordsAreEqual) {
  FLOYDNET_REQUIRE_TEST_DATA(golden("digests.json"));
  const std::string split = GetParam();
  Tally all;
  int64_t sets = 0;
  for (const Algorithm& algorithm : algorithms()) {
    if (digests().at(algorithm.name).count(split) == 0) continue;
    const Recipe recipe = recipe_of(algorithm, split);
    const Tally tally = compare_arrays(recipe, split);
    expect_next_words(recipe, split);
    all.equal += tally.equal;
    all.alternative += tally.alternative;
    ++sets;
  }
  std::printf("%s: %ld algorithms, %ld digests equal, %ld listed alternatives\n", split.c_str(),
              static_cast<long>(sets), static_cast<long>(all.equal),
              static_cast<long>(all.alternative));
  EXPECT_EQ(sets, split.find('_') == std::string::npos ? 30 : 2);
}

TEST_P(ClrsDigests, EverySampleIsEqual) {
  FLOYDNET_REQUIRE_TEST_DATA(golden("digests_per_sample.json"));
  const std::string split = GetParam();
  int64_t samples = 0;
  for (const Algorithm& algorithm : algorithms()) {
    if (digests().at(algorithm.name).count(split) == 0) continue;
    const Recipe recipe = recipe_of(algorithm, split);
    const int64_t wrong = first_wrong_sample(recipe, split);
    // Points of the hulls may differ in their last bits; ArraysAndNextWordsAreEqual looks closer.
    if (algorithm.sampler == &kHullSampler && wrong >= 0) continue;
    EXPECT_EQ(wrong, -1) << algorithm.name << ", " << split << ": the first wrong sample is "
                         << wrong;
    samples += recipe.samples;
  }
  std::printf("%s: %ld samples equal\n", split.c_str(), static_cast<long>(samples));
}

INSTANTIATE_TEST_SUITE_P(Splits, ClrsDigests,
                         ::testing::Values("val", "test", "runpy", "val_20", "test_80"),
                         [](const auto& split) { return std::string(split.param); });

TEST(ClrsGolden, OfficialSplitsAreTheBenchmarks) {
  FLOYDNET_REQUIRE_TEST_DATA(golden("digests.json"));
  for (const Algorithm& algorithm : algorithms()) {
    for (const auto& [split, name] :
         {std::pair(Split::kValidation, "val"), {Split::kTest, "test"}}) {
      const Recipe ours = official_split(algorithm, split);
      const Recipe wanted = recipe_of(algorithm, name);
      EXPECT_EQ(ours.sampler.length, wanted.sampler.length) << algorithm.name;
      EXPECT_EQ(ours.seed, wanted.seed) << algorithm.name;
      EXPECT_EQ(ours.samples, wanted.samples) << algorithm.name;
    }
  }
}

}  // namespace
}  // namespace floydnet::clrs
