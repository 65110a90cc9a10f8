#include <gmock/gmock.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/graphs_model.h"
#include "tasks/graphs/data/graph_file.h"
#include "tasks/graphs/predict.h"
#include "tasks/graphs/test_graph_sets.h"
#include "train/run_folder.h"

namespace floydnet::graphs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The folder of a run with weights as they were drawn.
class PropertyModelTest : public ::testing::Test {
 protected:
  PropertyModelTest() {
    config_.data.targets = "graph_y,node_y,edge_y,pair_y";
    config_.model.dim = 16;
    config_.model.heads = 2;
    config_.model.depth = 2;
    config_.model.zero_residual = false;
    config_.use(std::make_shared<const GraphSet>(random_set(40, 1)), "random.npz");
    train::RunConfig sections;
    config_.add_to(&sections);
    nlohmann::json run = sections.write();
    run["task"] = "graphs";
    torch::manual_seed(1);
    const auto task = config_.make_task();
    train::save_weights(task->model(), {{"floydnet.run", run.dump()}}, weights_);
    write_graph_file(graphs_, random_set(30, 2));
  }

  TemporaryFolder folder_;
  GraphsConfig config_;
  std::string weights_ = folder_.file("best.safetensors");
  std::string graphs_ = folder_.file("new.npz");
};

TEST_F(PropertyModelTest, SaysWhatTheProgramWrites) {
  write_predictions(config_, {weights_, graphs_, folder_.file("out.npz")});
  const NpzArchive wanted = read_npz(folder_.file("out.npz"));
  EXPECT_EQ(wanted.size(), 6u);  // targets, sizes, edges
  PropertyModel model(weights_);
  EXPECT_THAT(model.targets(), ElementsAre("graph_y", "node_y", "edge_y", "pair_y"));
  EXPECT_EQ(model.predict(graphs_), wanted);
  EXPECT_EQ(PropertyModel(folder_.path()).predict(read_npz(graphs_)), wanted);
}

TEST_F(PropertyModelTest, NeedsNoLabelsButAllFeatures) {
  PropertyModel model(weights_);
  const NpzArchive wanted = model.predict(graphs_);
  NpzArchive graphs = read_npz(graphs_);
  for (const std::string& target : model.targets()) graphs.erase(target);
  EXPECT_EQ(model.predict(graphs), wanted);
  const NpyArray kinds = graphs.at("edge_kind");
  graphs.erase("edge_kind");
  EXPECT_THAT(refusal([&] { model.predict(graphs); }),
              HasSubstr("graphs: no column 'edge_kind', which the run was trained with"));
  graphs["edge_kind"] = NpyArray::from(std::vector<float>(kinds.elements(), 0), kinds.shape);
  EXPECT_THAT(refusal([&] { model.predict(graphs); }),
              HasSubstr("edge_kind has 1 real a row, the run was trained with 1 integer"));
  EXPECT_THAT(refusal([&] { model.predict(NpzArchive()); }),
              HasSubstr("graphs: has no array 'sizes'"));
}

TEST_F(PropertyModelTest, RefusesOtherFiles) {
  EXPECT_THAT(refusal([] { PropertyModel(FLOYDNET_SOURCE_DIR "/models/clrs/bfs.safetensors"); }),
              HasSubstr("not weights of a run of 'graphs'"));
  EXPECT_THAT(refusal([&] { PropertyModel(folder_.file("absent")); }),
              HasSubstr("absent: cannot read"));
  PropertyModel model(weights_);
  EXPECT_THAT(refusal([&] { model.predict(folder_.file("absent.npz")); }),
              HasSubstr("absent.npz: cannot read"));
  EXPECT_THAT(refusal([&] { model.predict(weights_); }), HasSubstr("best.safetensors: "));
}

}  // namespace
}  // namespace floydnet::graphs
