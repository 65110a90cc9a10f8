#include "tasks/graphs/prediction_table.h"

#include <gmock/gmock.h>

#include "tasks/graphs/data/test_sets.h"

namespace floydnet::graphs {
namespace {

using ::testing::ElementsAre;

Target target_of(Level level, const std::string& name, TargetKind kind, int64_t width = 1) {
  Target target;
  target.level = level;
  target.name = name;
  target.width = width;
  target.kind = kind;
  if (kind == TargetKind::kClasses) target.classes.assign(static_cast<size_t>(width), 2);
  return target;
}

TEST(PredictionTable, NamesGraphsAndShowsLabels) {
  GraphSet set = small_set();
  set.names[1] = "an \"edge\", alone";
  set.columns[3].reals[1] = std::numeric_limits<float>::quiet_NaN();
  const Target y = target_of(Level::kGraph, "y", TargetKind::kRegression);
  EXPECT_EQ(csv_text(set, {{&y, {0.5F, 2}}}),
            "graph,name,y,y_true\n"
            "0,paw,0.5,-1.25\n"
            "1,\"an \"\"edge\"\", alone\",2,\n");
}

TEST(PredictionTable, NamesRowsOfEveryLevel) {
  GraphSet set = small_set();
  set.names.clear();
  const Target node = target_of(Level::kNode, "class", TargetKind::kClasses);
  const std::string nodes =
      csv_text(set, {{&node, {1, 0, .25F, .75F, 0, 1, 1, 0, 1, 0, .5F, .5F}}});
  EXPECT_EQ(nodes.substr(0, nodes.find("0,2")),
            "graph,node,class,class_p0,class_p1\n0,0,0,1,0\n0,1,1,0.25,0.75\n");
  EXPECT_THAT(nodes, ::testing::EndsWith("1,1,0,0.5,0.5\n"));
  const Target edge = target_of(Level::kEdge, "z", TargetKind::kBinary, 2);
  EXPECT_THAT(csv_text(set, {{&edge, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}}),
              ::testing::StartsWith("graph,from,to,z_0,z_1\n0,0,1,0,1\n0,1,2,2,3\n"));
  const Target pair = target_of(Level::kPair, "contact", TargetKind::kBinary);
  EXPECT_EQ(csv_text(set, {{&pair, {.5F, .25F, 1}}}),
            "graph,from,to,contact,contact_true\n0,0,3,0.5,1\n0,3,0,0.25,1\n1,1,0,1,0\n");
  set.pairs_listed = false;
  set.pairs.clear();
  set.columns.erase(set.columns.begin() + 2);
  EXPECT_THAT(csv_text(set, {{&pair, std::vector<float>(20, 0)}}),
              ::testing::EndsWith("1,0,0,0\n1,0,1,0\n1,1,0,0\n1,1,1,0\n"));
}

TEST(PredictionTable, ArchivesHaveWhatNamesRows) {
  const GraphSet set = small_set();
  const Target pair = target_of(Level::kPair, "contact", TargetKind::kBinary);
  const NpzArchive archive = npz_predictions(set, {{&pair, {.5F, .25F, 1}}});
  EXPECT_THAT(archive.at("sizes").as<int64_t>(), ElementsAre(4, 2));
  EXPECT_THAT(archive.at("pairs").as<int64_t>(), ElementsAre(0, 3, 3, 0, 1, 0));
  EXPECT_THAT(archive.at("pair_contact").as<float>(), ElementsAre(.5F, .25F, 1));
  EXPECT_THAT(archive.at("pair_contact").shape, ElementsAre(3, 1));
}

}  // namespace
}  // namespace floydnet::graphs
