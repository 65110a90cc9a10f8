// The training script's post-processing, and the points of the convex hulls.
#include <cmath>

#include "tasks/clrs/data/dataset.h"
#include "tasks/clrs/data/postprocessing.h"
#include "tasks/clrs/data/test_golden.h"

namespace floydnet::clrs {
namespace {

class ClrsPostprocessingGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(ClrsPostprocessingGolden, ArraysAndTypesAreEqual) {
  const std::string file = golden(std::string("post_") + GetParam() + "_n16_seed1.npz");
  FLOYDNET_REQUIRE_TEST_DATA(file);
  const NpzArchive archive = read_npz(test_data(file));
  const Algorithm& algorithm = find_algorithm(GetParam());
  const Postprocessor postprocessor(algorithm, {});
  const Spec& spec = postprocessor.spec();
  Stream stream(official_split(algorithm, Split::kTrain));
  RandomState random(42);
  std::vector<Sample> samples(2);
  for (Sample& sample : samples) {
    stream.next(sample);
    postprocessor.apply(sample, random);
  }
  const Batch batch = stack(spec, samples);

  // The reference lists the types in the order of the old spec; ours are grouped by stage.
  std::vector<std::string> types = archive.at("types").strings();
  std::vector<std::string> found, hints;
  for (size_t p = 0; p < spec.probes.size(); ++p) {
    const Probe& probe = spec.probes[p];
    found.push_back(probe.text());
    if (probe.stage == Stage::kHint) {
      hints.push_back(probe.name);
      continue;
    }
    std::vector<int64_t> shape = probe.shape(16);
    shape.insert(shape.begin(), 2);
    expect_equal(archive.at(probe.key()), batch.values[p], probe.dtype, shape, probe.key());
  }
  std::sort(types.begin(), types.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, types);
  EXPECT_EQ(hints, archive.at("hint_names").strings());
  EXPECT_EQ(archive.size(), spec.probes.size() - hints.size() + 2);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, ClrsPostprocessingGolden,
                         ::testing::Values("bfs", "insertion_sort", "jarvis_march", "kmp_matcher",
                                           "lcs_length"),
                         [](const auto& algorithm) { return std::string(algorithm.param); });

TEST(ClrsGolden, HullPointsAreEqualWhereTheLibraryIsTheSame) {
  FLOYDNET_REQUIRE_TEST_DATA(golden("hull_points.npz"));
  const NpzArchive archive = read_npz(test_data(golden("hull_points.npz")));
  const Algorithm& algorithm = find_algorithm("graham_scan");
  int64_t differing = 0;
  for (const auto& [split, name] : {std::pair(Split::kValidation, "val"), {Split::kTest, "test"}}) {
    const Recipe recipe = official_split(algorithm, split);
    const int64_t n = recipe.sampler.length;
    Stream stream(recipe);
    RandomState random(recipe.seed);
    std::map<std::string, Reals> found;
    for (int64_t i = 0; i < recipe.samples; ++i) {
      Sample sample;
      stream.next(sample);
      const auto append = [&found](const char* key, auto first, auto last) {
        found[key].insert(found[key].end(), first, last);
      };
      const Reals angles = random.uniform(0, 2 * 3.141592653589793, n);
      Reals radii = random.uniform(0, 1, n);
      for (double& radius : radii) radius = 2 * std::sqrt(radius);
      const Reals& x = sample.values[1];
      const Reals& y = sample.values[2];
      const Reals& atans = sample.values[algorithm.spec.find(Stage::kHint, "atans")];
      append("theta", angles.begin(), angles.end());
      append("radius", radii.begin(), radii.end());
      append("x", x.begin(), x.end());
      append("y", y.begin(), y.end());
      append("graham_atans", atans.end() - n, atans.end());
    }
    for (const auto& [key, values] : found) {
      const Reals wanted = archive.at(std::string(name) + "/" + key).as<double>();
      const bool exact = key == "theta" || key == "radius";
      ASSERT_EQ(values.size(), wanted.size());
      for (size_t i = 0; i < values.size(); ++i) {
        // sin, cos and atan2 are good to a few units in the last place in every library.
        EXPECT_NEAR(values[i], wanted[i], exact ? 0 : 4e-15) << name << " " << key << " " << i;
        differing += values[i] != wanted[i] ? 1 : 0;
      }
    }
  }
  std::printf("%zu hull arrays compared, %ld values differ in their last bits\n", archive.size(),
              static_cast<long>(differing));
}

}  // namespace
}  // namespace floydnet::clrs
