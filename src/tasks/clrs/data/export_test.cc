#include "tasks/clrs/data/export.h"

#include <sys/stat.h>

#include <filesystem>

#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/graph_io.h"
#include "tasks/clrs/data/test_samples.h"

namespace floydnet::clrs {
namespace {

/// What the archive must hold, by way of stack().
NpzArchive stacked(const Recipe& recipe) {
  const FiniteSet set(recipe);
  std::vector<Sample> samples;
  for (int64_t i = 0; i < set.size(); ++i) samples.push_back(set[i]);
  const Spec& spec = recipe.algorithm->spec;
  const Batch batch = stack(spec, samples);
  NpzArchive archive;
  for (size_t p = 0; p < spec.probes.size(); ++p) {
    const Probe& probe = spec.probes[p];
    if (probe.stage == Stage::kHint && !recipe.hints) continue;
    std::vector<int64_t> shape = probe.shape(batch.nodes);
    shape.insert(shape.begin(), batch.samples);
    if (probe.stage == Stage::kHint) shape.insert(shape.begin(), batch.steps);
    const std::vector<int64_t> integers(batch.values[p].begin(), batch.values[p].end());
    archive[probe.key()] = probe.dtype == Dtype::kInt64 ? NpyArray::from(integers, shape)
                                                        : NpyArray::from(batch.values[p], shape);
  }
  const Reals lengths(batch.sample_steps.begin(), batch.sample_steps.end());
  archive["lengths"] = NpyArray::from(lengths, {batch.samples});
  return archive;
}

TEST(ClrsExport, IsTheSameForAnyWindow) {
  const TemporaryFolder folder;
  const std::string path = folder.file("out.npz");
  for (const char* name : {"quicksort", "bfs", "lcs_length", "segments_intersect"}) {
    const Recipe recipe = recipe_for(name, 7, 5, 6);
    const NpzArchive wanted = stacked(recipe);
    for (const int64_t bytes : {1, 1000, 5000, 1 << 20}) {
      const ArraySummary summary = write_npz(recipe, path, bytes);
      EXPECT_EQ(read_npz(path), wanted) << name << ", windows of " << bytes;
      EXPECT_EQ(summary.passes == 2, bytes == 1 << 20) << name;
    }
  }
}

TEST(ClrsExport, LeavesOutHintsOnDemand) {
  const TemporaryFolder folder;
  Recipe recipe = recipe_for("dijkstra", 7, 5, 6);
  recipe.hints = false;
  write_npz(recipe, folder.file("out.npz"));
  const NpzArchive found = read_npz(folder.file("out.npz"));
  EXPECT_EQ(found, stacked(recipe));
  EXPECT_EQ(found.size(), 6u);
}

TEST(ClrsExport, ReportsProgressUpToTheEnd) {
  const TemporaryFolder folder;
  double last = 0;
  write_npz(recipe_for("bfs", 7, 5, 6), folder.file("out.npz"), 2000, [&last](double fraction) {
    EXPECT_GT(fraction, last);
    last = fraction;
  });
  EXPECT_EQ(last, 1);
}

TEST(ClrsExport, LeavesNothingBehindWhenRefused) {
  const TemporaryFolder folder;
  const Recipe good = recipe_for("bfs", 7);
  EXPECT_NE(refusal([&] {
              write_npz(good, folder.file("absent/out.npz"));
            }).find("cannot write: No such file"),
            std::string::npos);
  EXPECT_NE(refusal([&] { write_npz(good, folder.path()); }).find("Is a directory"),
            std::string::npos);
  EXPECT_NE(
      refusal([&] { write_npz(recipe_for("bfs", 0), folder.file("out.npz")); }).find("too small"),
      std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ClrsExport, HoldsNoMoreThanAWindow) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "a sanitizer takes memory of its own";
#endif
  const TemporaryFolder folder;
  const Cost cost = cost_of([&] {  // some 100 MB of arrays
    write_npz(recipe_for("bubble_sort", 64, 1, 32), folder.file("out.npz"), 8 << 20);
  });
  EXPECT_GT(std::filesystem::file_size(folder.file("out.npz")), 90'000'000u);
  EXPECT_LT(cost.megabytes, 40);
}

}  // namespace
}  // namespace floydnet::clrs
