// The sample files: 30 algorithms, small and odd sizes, every array to the last bit.
#include <filesystem>
#include <regex>

#include "tasks/clrs/data/dataset.h"
#include "tasks/clrs/data/test_golden.h"

namespace floydnet::clrs {
namespace {

struct SampleFile {
  std::string path;
  std::string algorithm;
  int64_t length;
  uint32_t seed;
};

std::vector<SampleFile> sample_files() {
  static const std::regex pattern("([a-z_]+)_n([0-9]+)_seed([0-9]+)\\.npz");
  std::vector<SampleFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(test_data(golden("")))) {
    std::smatch match;
    const std::string name = entry.path().filename();
    if (!std::regex_match(name, match, pattern) || name.rfind("post_", 0) == 0) continue;
    files.push_back({entry.path(), match[1], std::stoll(match[2]),
                     static_cast<uint32_t>(std::stoul(match[3]))});
  }
  return files;
}

int64_t expect_equal(const SampleFile& file) {
  const NpzArchive archive = read_npz(file.path);
  Recipe recipe;
  recipe.algorithm = &find_algorithm(file.algorithm);
  recipe.sampler.length = file.length;
  recipe.seed = file.seed;
  recipe.samples = archive.at("lengths").elements();
  const FiniteSet set(recipe);
  std::vector<Sample> samples;
  for (int64_t i = 0; i < set.size(); ++i) samples.push_back(set[i]);
  const Spec& spec = recipe.algorithm->spec;
  const Batch batch = stack(spec, samples);

  EXPECT_EQ(archive.size(), spec.probes.size() + 1) << file.path;
  for (size_t p = 0; p < spec.probes.size(); ++p) {
    const Probe& probe = spec.probes[p];
    const std::string what = file.path + ": " + probe.key();
    if (archive.count(probe.key()) == 0) {
      ADD_FAILURE() << what << " is absent";
      continue;
    }
    std::vector<int64_t> shape = probe.shape(batch.nodes);
    shape.insert(shape.begin(), batch.samples);
    if (probe.stage == Stage::kHint) shape.insert(shape.begin(), batch.steps);
    expect_equal(archive.at(probe.key()), batch.values[p], probe.dtype, shape, what);
  }
  const std::vector<double> lengths(batch.sample_steps.begin(), batch.sample_steps.end());
  expect_equal(archive.at("lengths"), lengths, Dtype::kFloat64, {batch.samples}, file.path);
  return static_cast<int64_t>(archive.size());
}

TEST(ClrsGolden, SamplesAreEqual) {
  FLOYDNET_REQUIRE_TEST_DATA(golden("bfs_n16_seed1.npz"));
  const std::vector<SampleFile> files = sample_files();
  int64_t arrays = 0;
  for (const SampleFile& file : files) arrays += expect_equal(file);
  std::printf("%zu files, %ld arrays compared\n", files.size(), static_cast<long>(arrays));
  EXPECT_EQ(files.size(), 62u);
}

}  // namespace
}  // namespace floydnet::clrs
