// Checkpoints that the published trainer saved, in whatever folder of golden data there is.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "base/test_data.h"
#include "floydnet/weights.h"

namespace floydnet {
namespace {

const std::string kStateDict = "model_state_dict.";

class Checkpoint : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string folder = std::string("reference/") + GetParam();
    FLOYDNET_REQUIRE_TEST_DATA(folder);
    file_ = read_torch_file(test_data(folder + "/epoch_00004.pt"));
    config_ = nlohmann::json::parse(read_file(test_data(folder + "/model_config.json")));
  }

  const StoredTensor& weight(const std::string& name) const {
    return file_.tensors.at(kStateDict + name);
  }

  TensorFile file_;
  nlohmann::json config_;
};

TEST_P(Checkpoint, HoldsTheStateDictAndScalarsOfTheTrainer) {
  ASSERT_FALSE(file_.tensors.empty());
  for (const auto& [name, tensor] : file_.tensors) {
    EXPECT_EQ(name.rfind(kStateDict, 0), 0u) << name;
  }
  ASSERT_EQ(file_.metadata.size(), 2u);
  EXPECT_GE(std::stoi(file_.metadata.at("epoch")), 0);
  EXPECT_TRUE(std::isfinite(std::stod(file_.metadata.at("val_error"))));
}

TEST_P(Checkpoint, HoldsFiniteFloatsOfTheSizeThatShapesSay) {
  for (const auto& [name, tensor] : file_.tensors) {
    ASSERT_EQ(tensor.type, DType::kF32) << name;
    ASSERT_EQ(tensor.bytes.size(), static_cast<size_t>(4 * tensor.elements())) << name;
    std::vector<float> values(static_cast<size_t>(tensor.elements()));
    std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
    for (const float value : values) ASSERT_TRUE(std::isfinite(value)) << name;
  }
}

TEST_P(Checkpoint, AgreesWithItsConfig) {
  const int64_t width = config_.at("n_embd");
  const int64_t depth = config_.at("depth");
  for (int64_t block = 0; block < depth; ++block) {
    const std::string prefix = "blocks." + std::to_string(block) + ".";
    EXPECT_EQ(weight(prefix + "c_qkv.weight").shape, (std::vector<int64_t>{5 * width, width}));
    EXPECT_EQ(weight(prefix + "c_proj.weight").shape, (std::vector<int64_t>{width, width}));
    const bool has_ffn = file_.tensors.count(kStateDict + prefix + "ffn.0.weight") > 0;
    EXPECT_EQ(has_ffn, config_.value("enable_ffn", true));
  }
  const std::string beyond = kStateDict + "blocks." + std::to_string(depth) + ".";
  for (const auto& [name, tensor] : file_.tensors) EXPECT_NE(name.rfind(beyond, 0), 0u) << name;
}

TEST_P(Checkpoint, SurvivesSafetensors) {
  EXPECT_EQ(parse_safetensors(format_safetensors(file_)), file_);
}

INSTANTIATE_TEST_SUITE_P(Published, Checkpoint,
                         testing::Values("tsp_model", "count_model", "lrgb_model"));

}  // namespace
}  // namespace floydnet
