#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "floydnet/error.h"
#include "floydnet/model.h"

namespace floydnet {
namespace {

std::string refusal(const char* json) {
  try {
    ModelConfig::from_json(nlohmann::json::parse(json), "run.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ModelConfig, RoundTripsThroughJson) {
  const auto json = nlohmann::json::parse(R"({
    "order": 3, "dim": 12, "heads": 3, "norm": "rmsnorm", "scale": 2.5, "supernode": true,
    "readout": "supernode", "readout_nodes": 23.5, "node_categories": [4, 7],
    "composition": "multiplicative"})");
  const ModelConfig config = ModelConfig::from_json(json, "run.json");
  EXPECT_EQ(config.order, 3);
  EXPECT_EQ(config.norm, NormKind::kRms);
  EXPECT_EQ(config.scale, 2.5);
  EXPECT_EQ(config.composition, Composition::kMultiplicative);
  EXPECT_EQ(ModelConfig::from_json(config.to_json()).to_json(), config.to_json());
  for (const auto& [key, value] : json.items()) EXPECT_EQ(config.to_json()[key], value) << key;
}

TEST(ModelConfig, RefusesUnknownKeysAndImpossibleCombinations) {
  EXPECT_EQ(refusal(R"({"haeds": 2})"), "run.json: unknown key 'haeds'; did you mean 'heads'?");
  EXPECT_EQ(refusal(R"({"order": 5})"), "run.json: \"order\" is 5, wanted integer, 1 to 4");
  EXPECT_EQ(refusal(R"({"dim": 10, "heads": 4})"),
            "run.json: \"dim\" is 10, wanted a multiple of \"heads\", 4");
  EXPECT_EQ(refusal(R"({"readout": "supernode"})"),
            "run.json: \"readout\" \"supernode\" needs \"supernode\" true");
  EXPECT_EQ(refusal(R"({"readout": "diagonal", "readout_edges_only": true})"),
            "run.json: \"readout\" \"diagonal\" reads more than edges, without "
            "\"readout_edges_only\"");
  EXPECT_EQ(refusal(R"({"order": 3, "symmetric_mix": true})"),
            "run.json: \"symmetric_mix\" needs \"order\" 2");
  EXPECT_EQ(refusal(R"({"order": 1, "pair_outputs": 1})"),
            "run.json: \"pair_outputs\" need \"order\" 2 or more");
  EXPECT_THAT(refusal(R"({"recompute": true, "norm": "batchnorm"})"),
              testing::HasSubstr("running statistics twice"));
}

TEST(ModelConfig, ModelsMadeInCodeAreHeldToTheSameRules) {
  ModelConfig config;
  config.dim = 7;
  config.heads = 2;
  EXPECT_THROW(FloydNet{config}, InputError);
}

TEST(ModelConfig, DocumentationHasTheTableOfKeys) {
  const std::string page = read_file(std::string(FLOYDNET_SOURCE_DIR) + "/docs/model.md");
  EXPECT_NE(page.find(ModelConfig::describe()), std::string::npos)
      << "docs/model.md should contain:\n"
      << ModelConfig::describe();
}

}  // namespace
}  // namespace floydnet
