#include <gmock/gmock.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/tsp_model.h"
#include "tasks/tsp/task.h"
#include "train/run_folder.h"

namespace floydnet::tsp {
namespace {

using ::testing::HasSubstr;

TEST(TourModel, DrawsToursFromAFileOfWeights) {
  const TemporaryFolder folder;
  torch::manual_seed(1);
  TspConfig config;
  config.model.dim = 16;
  config.model.heads = 2;
  config.model.depth = 1;
  train::RunConfig sections;
  config.add_to(&sections);
  nlohmann::json run = sections.write();
  run["task"] = "tsp";
  EdgeModel model = config.make_model();
  train::save_weights(*model, {{"floydnet.run", run.dump()}}, folder.file("best.safetensors"));

  std::vector<int32_t> weights(36, 0);
  for (int i = 0; i < 36; ++i) weights[i] = 10 * std::abs(i / 6 - i % 6);
  const Instance instance("line", 6, weights);
  TourModel loaded(folder.file("best.safetensors"));
  const Tour tour = loaded.tour(instance, /*seed=*/3, /*steps=*/2);
  check_tour(tour, 6);
  EXPECT_EQ(loaded.edges(instance, 3, 2).size(), 36u);
  EXPECT_EQ(loaded.edges(instance, 3, 2),
            TourModel(folder.file("best.safetensors")).edges(instance, 3, 2));

  EXPECT_THAT(refusal([] { TourModel(FLOYDNET_SOURCE_DIR "/models/clrs/bfs.safetensors"); }),
              HasSubstr("not weights of a run of 'tsp'"));
}

}  // namespace
}  // namespace floydnet::tsp
