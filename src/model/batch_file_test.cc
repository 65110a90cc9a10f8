#include "model/batch_file.h"

#include <gmock/gmock.h>
#include <torch/torch.h>

#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/graph_io.h"

namespace floydnet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Two graphs, of two and of one node, with a category each node and a number each pair.
NpzArchive small_archive() {
  NpzArchive archive;
  archive["sizes"] = NpyArray::from(std::vector<int64_t>{2, 1}, {2});
  archive["node_categories"] = NpyArray::from(std::vector<int64_t>{4, 5, 6}, {3, 1});
  archive["pair_reals"] = NpyArray::from(std::vector<double>{1, 2, 3, 4, 5}, {5});
  return archive;
}

GraphBatch batch_from(const NpzArchive& archive) {
  const TemporaryFolder folder;
  write_npz(folder.file("batch.npz"), archive);
  return read_batch(folder.file("batch.npz"), ModelConfig());
}

TEST(BatchFile, ReadsTheArraysOfABatch) {
  const GraphBatch batch = batch_from(small_archive());
  EXPECT_THAT(batch.sizes, ElementsAre(2, 1));
  EXPECT_EQ(batch.node_categories.sizes(), (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(batch.pair_reals.sizes(), (std::vector<int64_t>{5, 1}));
  EXPECT_EQ(batch.pair_reals.scalar_type(), torch::kFloat32);
  EXPECT_FALSE(batch.adjacency.defined());
}

TEST(BatchFile, CutsBetweenGraphs) {
  const GraphBatch second = graphs_of(batch_from(small_archive()), 1, 2);
  EXPECT_THAT(second.sizes, ElementsAre(1));
  EXPECT_EQ(second.node_categories.item<int64_t>(), 6);
  EXPECT_EQ(second.pair_reals.item<float>(), 5);
}

TEST(BatchFile, SaysWhatIsWrong) {
  const auto problem = [](const std::function<void(NpzArchive&)>& change) {
    NpzArchive archive = small_archive();
    change(archive);
    return refusal([&archive] { batch_from(archive); });
  };
  EXPECT_THAT(problem([](NpzArchive& a) { a.erase("sizes"); }), HasSubstr("no array \"sizes\""));
  EXPECT_THAT(problem([](NpzArchive& a) { a["node_real"] = a["pair_reals"]; }),
              HasSubstr("unknown array 'node_real'; did you mean 'node_reals'?"));
  EXPECT_THAT(problem([](NpzArchive& a) { a["node_reals"] = a["pair_reals"]; }),
              HasSubstr("\"node_reals\" has 5 rows, wanted 3 by \"sizes\""));
  EXPECT_THAT(problem([](NpzArchive& a) {
                a["sizes"] = NpyArray::from(std::vector<int64_t>{-2, 1}, {2});
              }),
              HasSubstr("\"sizes\" has -2, wanted 1 to 100000"));
  EXPECT_THAT(problem([](NpzArchive& a) {
                a["node_categories"] = NpyArray::from(std::vector<double>{0.5, 1, 2}, {3});
              }),
              HasSubstr("\"node_categories\": "));
  EXPECT_THAT(
      problem([](NpzArchive& a) { a["sizes"] = NpyArray::from(std::vector<int64_t>{}, {0}); }),
      HasSubstr("no graphs"));
}

TEST(BatchFile, WritesPredictions) {
  const TemporaryFolder folder;
  Predictions predictions;
  predictions.pair = torch::arange(5, torch::kFloat32).view({5, 1});
  write_predictions(folder.file("out.npz"), {2, 1}, predictions);
  const NpzArchive archive = read_npz(folder.file("out.npz"));
  EXPECT_EQ(archive.size(), 2u);
  EXPECT_THAT(archive.at("sizes").as<int64_t>(), ElementsAre(2, 1));
  EXPECT_THAT(archive.at("pair").as<float>(), ElementsAre(0, 1, 2, 3, 4));
}

}  // namespace
}  // namespace floydnet
