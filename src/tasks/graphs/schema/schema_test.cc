#include "tasks/graphs/schema/schema.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/test_refusal.h"
#include "tasks/graphs/data/test_sets.h"

namespace floydnet::graphs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SchemaOptions options_for(const std::string& targets) {
  SchemaOptions options;
  options.targets = targets;
  return options;
}

/// Three graphs of one node each, with one column of labels.
GraphSet labelled(Column column) {
  GraphSet set;
  set.sizes = {1, 1, 1};
  set.edge_offsets = {0, 0, 0, 0};
  set.columns = {std::move(column)};
  set.check();
  return set;
}

TEST(Schema, HasAllColumnsButTargetsAndLabelsAsFeatures) {
  GraphSet set = small_set();
  set.columns.push_back({"y_other", Level::kGraph, 1, true, {}, {1, 2}});
  const Schema schema = learn_schema(set, {0, 1}, options_for("graph_y"), "small");
  std::vector<std::string> names;
  for (const Feature& f : schema.features) names.push_back(full_name(f.level, f.name));
  EXPECT_THAT(names, ElementsAre("node_x", "edge_weight", "pair_contact"));
  EXPECT_THAT(schema.features[0].categories, ElementsAre(11, 12));
  EXPECT_TRUE(schema.pairs_listed);
  ASSERT_EQ(schema.targets.size(), 1u);
  EXPECT_EQ(schema.targets[0].kind, TargetKind::kRegression);
}

TEST(Schema, ScalesAreThoseOfTrainingGraphsWithoutMissingLabels) {
  const GraphSet set = labelled({"y", Level::kGraph, 2, true, {}, {1, kMissing, 3, 10, 100, 1000}});
  const Schema schema = learn_schema(set, {0, 1}, options_for("graph_y"), "labels");
  EXPECT_THAT(schema.targets[0].scale.mean, ElementsAre(2, 10));
  EXPECT_THAT(schema.targets[0].scale.deviation, ElementsAre(1, 1)) << "a constant is left alone";
}

TEST(Schema, KindFollowsFromTypeAndValues) {
  const auto kind = [](Column column) {
    const GraphSet set = labelled(std::move(column));
    return learn_schema(set, {0, 1, 2}, options_for("graph_y"), "labels").targets[0];
  };
  EXPECT_EQ(kind({"y", Level::kGraph, 1, true, {}, {0, 1, 0.5F}}).kind, TargetKind::kRegression);
  EXPECT_EQ(kind({"y", Level::kGraph, 1, true, {}, {0, 1, kMissing}}).kind, TargetKind::kBinary);
  EXPECT_EQ(kind({"y", Level::kGraph, 1, false, {0, 1, -1}, {}}).kind, TargetKind::kBinary);
  const Target classes = kind({"y", Level::kGraph, 1, false, {0, 2, 2}, {}});
  EXPECT_EQ(classes.kind, TargetKind::kClasses);
  EXPECT_THAT(classes.classes, ElementsAre(3));
  EXPECT_THAT(classes.counts, ElementsAre(1, 0, 2));
  EXPECT_EQ(classes.outputs(), 3);
}

TEST(Schema, SurvivesJson) {
  const GraphSet set = small_set();
  for (const std::string target : {"graph_y", "pair_contact", "node_x", "graph_y,pair_contact"}) {
    const Schema schema = learn_schema(set, {0}, options_for(target), "small");
    const nlohmann::json json = to_json(schema);
    EXPECT_EQ(to_json(schema_from_json(json, "json")), json);
  }
  EXPECT_TRUE(schema_from_json(to_json(Schema()), "json").empty());
}

TEST(Schema, DamagedJsonIsRefused) {
  const nlohmann::json good =
      to_json(learn_schema(small_set(), {0}, options_for("graph_y"), "small"));
  const auto refused = [&](const std::string& pointer, const nlohmann::json& value) {
    nlohmann::json bad = good;
    bad[nlohmann::json::json_pointer(pointer)] = value;
    return refusal([&] { schema_from_json(bad, "config.json"); });
  };
  EXPECT_THAT(refused("/targets/0/kind", "words"), HasSubstr("no kind \"words\""));
  EXPECT_THAT(refused("/targets/0/width", -3), HasSubstr("\"width\" is out of range"));
  EXPECT_THAT(refused("/targets/0/scale/deviation", {0.0}), HasSubstr("not above 0"));
  EXPECT_THAT(refused("/features/0/categories", {3}), HasSubstr("has 1 entries, wanted 2"));
  EXPECT_THAT(refused("/features/0/level", 7), HasSubstr("config.json: not what a run writes"));
}

TEST(Schema, UnknownOrUselessColumnsAreRefused) {
  const GraphSet set = small_set();
  const auto refused = [&](const SchemaOptions& options) {
    return refusal([&] { learn_schema(set, {0, 1}, options, "small.npz"); });
  };
  EXPECT_THAT(refused(options_for("graph_z")),
              HasSubstr("small.npz: no column 'graph_z'; did you mean 'graph_y'?"));
  EXPECT_THAT(refused(options_for("")), HasSubstr("--target: not given; small.npz has node_x"));
  EXPECT_THAT(refused(options_for("graph_y,graph_y")), HasSubstr("named twice"));
  SchemaOptions options = options_for("graph_y");
  options.features = "node_x,graph_y";
  EXPECT_THAT(refused(options), HasSubstr("graph_y is both a feature and a target"));
  options.features = "auto";
  options.infer_kind = false;
  options.kind = TargetKind::kBinary;
  EXPECT_THAT(refused(options), HasSubstr("graph_y: row 0 is -1.25, wanted 0 or 1"));
}

TEST(Schema, MissingFeaturesAreRefusedAndMissingLabelsAreNot) {
  GraphSet set = small_set();
  set.columns[1].reals[4] = kMissing;
  EXPECT_THAT(refusal([&] { learn_schema(set, {0}, options_for("graph_y"), "small.npz"); }),
              HasSubstr("edge_weight: row 4, of graph 1: NaN"));
  set = small_set();
  set.columns[3].reals[1] = kMissing;
  EXPECT_NO_THROW(learn_schema(set, {0, 1}, options_for("graph_y"), "small.npz"));
  EXPECT_THAT(refusal([&] { learn_schema(set, {1}, options_for("graph_y"), "small.npz"); }),
              HasSubstr("graph_y: no training graph has a label"));
}

TEST(Schema, OtherFeaturesThanThoseOfTheRunAreRefusedInOneLine) {
  const Schema schema = learn_schema(small_set(), {0, 1}, options_for("graph_y"), "small");
  const auto refused = [&](const std::function<void(GraphSet&)>& change) {
    GraphSet set = small_set();
    change(set);
    return refusal([&] { require_features(schema, set, "new.npz"); });
  };
  require_features(schema, small_set(), "new.npz");
  EXPECT_THAT(refused([](GraphSet& set) { set.columns.erase(set.columns.begin()); }),
              HasSubstr("new.npz: no column 'node_x', which the run was trained with"));
  EXPECT_THAT(refused([](GraphSet& set) { set.columns[0].integers[2] = 11; }),
              HasSubstr("node_x, column 0: category 11, the run knows 0 to 10"));
  EXPECT_THAT(refused([](GraphSet& set) {
                set.columns[0] = {"x", Level::kNode, 1, true, {}, {1, 2, 3, 4, 5, 6}};
              }),
              HasSubstr("node_x has 1 real a row, the run was trained with 2 integers"));
  EXPECT_THAT(refused([](GraphSet& set) { set.directed = true; }), HasSubstr("directed"));
}

}  // namespace
}  // namespace floydnet::graphs
