// Blocks and whole imported models against the published implementation.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "attention/test_arrays.h"
#include "base/file.h"
#include "base/test_data.h"
#include "base/test_temporary.h"
#include "floydnet/model.h"

namespace floydnet {
namespace {

using torch::Tensor;
using Tensors = std::map<std::string, Tensor>;

// --- blocks --------------------------------------------------------------------------------------

ModelConfig block_config(const nlohmann::json& settings) {
  ModelConfig config;
  config.dim = settings["embed_dim"];
  config.heads = settings["num_heads"];
  config.scale = 1 / std::sqrt(2.0 * static_cast<double>(config.dim / config.heads));
  config.linear_bias = settings.value("bias", false);
  config.ffn = config.ffn_scale = settings.value("enable_ffn", true);
  config.symmetric_mix = settings.value("enable_symmetric_mix", true);
  const std::string activation = settings.value("activation_fn", "relu");
  config.activation = activation == "relu"   ? Activation::kRelu
                      : activation == "gelu" ? Activation::kGelu
                                             : Activation::kSilu;
  if (settings.value("norm_fn", "") == "affine") config.norm = NormKind::kAffine;
  if (settings.value("norm_position", "") == "post") config.norm_position = NormPosition::kPost;
  return config;
}

/// The published name of a parameter of ours.
std::string published_name(std::string name) {
  const std::map<std::string, std::string> modules = {
      {"mix", "c_mix"}, {"qkv", "c_qkv"}, {"proj", "c_proj"}, {"up", "ffn.0"}, {"down", "ffn.2"}};
  const size_t dot = name.find('.');
  const auto found = modules.find(name.substr(0, dot));
  return found == modules.end() ? name : found->second + name.substr(dot);
}

/// Published rows are q, k_ij, k_jk, v_ij, v_jk; ours have right before left. An involution.
Tensor swapped_roles(const std::string& name, const Tensor& tensor) {
  if (name.substr(0, 4) != "qkv.") return tensor;
  const auto parts = tensor.chunk(5, 0);
  return torch::cat({parts[0], parts[2], parts[1], parts[4], parts[3]});
}

void check_block(const std::string& name, const nlohmann::json& settings) {
  SCOPED_TRACE(name);
  const Tensors golden = read_tensors(test_data("reference/" + name + ".npz"));
  FloydBlock block(block_config(settings));
  block->to(torch::kFloat64);
  std::vector<Tensor> inputs;
  std::vector<std::string> names;
  for (auto& item : block->named_parameters()) {
    torch::NoGradGuard no_grad;
    item.value().copy_(swapped_roles(item.key(), golden.at("param/" + published_name(item.key()))));
    inputs.push_back(item.value());
    names.push_back(item.key());
  }
  const Tensor in = golden.at("in");
  const int64_t graphs = in.size(0), n = in.size(1), dim = in.size(3);
  inputs.push_back(in.reshape({-1, dim}).requires_grad_(true));
  const Tensor out = block->forward(inputs.back(), TupleLayout(2, std::vector<int64_t>(graphs, n)));
  EXPECT_LT(golden_error(out.view_as(in), golden.at("out")), 1e-10);
  const auto grads =
      torch::autograd::grad({out}, inputs, {golden.at("grad_out").reshape({-1, dim})});
  EXPECT_LT(golden_error(grads.back().view_as(in), golden.at("grad_in")), 1e-10);
  for (size_t i = 0; i < names.size(); ++i) {
    const Tensor wanted = golden.at("grad/" + published_name(names[i]));
    EXPECT_LT(golden_error(swapped_roles(names[i], grads[i]), wanted), 1e-10) << names[i];
  }
}

TEST(BlockGolden, EveryPublishedBlock) {
  FLOYDNET_REQUIRE_TEST_DATA("reference/cases.json");
  const auto cases = nlohmann::json::parse(read_file(test_data("reference/cases.json")));
  int checked = 0;
  for (const auto& [name, settings] : cases.items()) {
    if (name.substr(0, 6) != "block_") continue;
    check_block(name, settings);
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

// --- whole models --------------------------------------------------------------------------------

/// Packs the real part of padded dense inputs [B, N, N, ...]; rows of one graph after the other.
/// `first` real nodes are left out (1 where node 0 is the SuperNode).
class Unpadded {
 public:
  Unpadded(const Tensor& pair_mask, int64_t first) : first_(first) {
    for (int64_t g = 0; g < pair_mask.size(0); ++g) {
      sizes_.push_back(pair_mask[g][0].sum().item<int64_t>() - first);
    }
  }

  const std::vector<int64_t>& sizes() const { return sizes_; }

  Tensor pairs(const Tensor& dense) const {
    return gather(dense, [&](const Tensor& t, int64_t n) {
      return t.narrow(0, first_, n).narrow(1, first_, n).flatten(0, 1);
    });
  }
  Tensor nodes(const Tensor& dense) const {
    return gather(dense, [&](const Tensor& t, int64_t n) { return t.narrow(0, first_, n); });
  }

 private:
  template <typename F>
  Tensor gather(const Tensor& dense, const F& real_part) const {
    std::vector<Tensor> parts;
    for (size_t g = 0; g < sizes_.size(); ++g) {
      parts.push_back(real_part(dense[static_cast<int64_t>(g)], sizes_[g]));
    }
    return torch::cat(parts);
  }

  int64_t first_;
  std::vector<int64_t> sizes_;
};

GraphBatch batch_of(const Tensors& io, const Unpadded& real, const ModelConfig& config) {
  GraphBatch batch;
  batch.sizes = real.sizes();
  if (io.count("adj")) batch.adjacency = real.pairs(io.at("adj")).to(torch::kInt64);
  if (io.count("adj_attr")) batch.pair_categories = real.pairs(io.at("adj_attr"));
  if (io.count("x")) batch.node_categories = real.nodes(io.at("x"));
  if (io.count("xt")) batch.pair_reals = real.pairs(io.at("xt")).unsqueeze(1);
  if (io.count("alpha_bar_t")) {
    batch.graph_reals = diffusion_time_embedding(io.at("alpha_bar_t"), config.dim);
  }
  return batch;
}

class PublishedModel : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Model, PublishedModel,
                         testing::Values("tsp_model", "count_model", "lrgb_model"));

TEST_P(PublishedModel, ConvertsAndGivesTheSameOutputs) {
  const std::string folder = std::string("reference/") + GetParam();
  FLOYDNET_REQUIRE_TEST_DATA(folder);
  const TemporaryFolder temporary;
  const std::string path = temporary.file("model.safetensors");
  {
    FloydNet imported = import_published_model(test_data(folder + "/epoch_00004.pt"),
                                               test_data(folder + "/model_config.json"));
    save_model(imported, path);
  }
  FloydNet model = load_model(path);
  model->eval();
  torch::NoGradGuard no_grad;
  const Tensors io = read_tensors(test_data(folder + "/io.npz"));
  const Unpadded real(io.at("pair_mask"), model->config().supernode ? 1 : 0);
  const Predictions found = model->forward(batch_of(io, real, model->config()));
  const auto error = [](const Tensor& a, const Tensor& b) {
    return (a - b).abs().max().item<double>();
  };
  int compared = 0;
  if (io.count("pred_g")) {
    ++compared;
    EXPECT_LT(error(found.graph, io.at("pred_g")), 1e-4);
  }
  if (io.count("pred_v")) {
    ++compared;
    EXPECT_LT(error(found.node, real.nodes(io.at("pred_v"))), 1e-4);
  }
  if (io.count("pred_e")) {
    ++compared;
    EXPECT_LT(error(found.pair, real.pairs(io.at("pred_e"))), 1e-4);
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace floydnet
