// The dense operator against outputs and gradients of the published implementation.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "attention/test_arrays.h"
#include "attention/test_cases.h"
#include "base/file.h"
#include "base/test_data.h"

namespace floydnet {
namespace {

using torch::Tensor;

// The published default scale is 1/sqrt(k d_h).
AttentionOptions options_of(const nlohmann::json& settings, size_t order, int64_t dim) {
  AttentionOptions options;
  options.scale = settings["scale"].is_null()
                      ? 1 / std::sqrt(static_cast<double>(order) * static_cast<double>(dim))
                      : settings["scale"].get<double>();
  options.logit_cap = std::max(0.0, settings["softmax_cap"].get<double>());
  return options;
}

/// Role r of the names; the published order for k=2 is left, right.
std::vector<std::string> role_names(const std::string& kind, size_t order) {
  if (order == 2) return {kind + "_jk", kind + "_ij"};
  return {kind + "_pjk", kind + "_ipk", kind + "_ijp"};
}

void check_case(const std::string& name, const nlohmann::json& settings) {
  SCOPED_TRACE(name);
  const auto arrays = read_tensors(test_data("reference/" + name + ".npz"));
  const size_t order = name.substr(0, 3) == "pa3" ? 3 : 2;
  std::vector<std::string> names = {order == 2 ? "q_ik" : "q_ijk"};
  for (const char* kind : {"k", "v"}) {
    for (const auto& role : role_names(kind, order)) names.push_back(role);
  }
  std::vector<Tensor> inputs;
  for (const auto& n : names) inputs.push_back(arrays.at("in_" + n).clone().requires_grad_(true));
  const std::vector<Tensor> keys(inputs.begin() + 1, inputs.begin() + 1 + order);
  const std::vector<Tensor> values(inputs.begin() + 1 + order, inputs.end());
  std::optional<Tensor> mask;
  if (arrays.count("attn_mask")) mask = arrays.at("attn_mask");
  const Tensor out = pivotal_attention_dense(inputs[0], keys, values, mask,
                                             options_of(settings, order, inputs[0].size(-1)), -1e9);
  const auto grads = torch::autograd::grad({out}, inputs, {arrays.at("grad_out")});
  const double tolerance = out.scalar_type() == torch::kFloat64 ? 1e-10 : 1e-5;
  EXPECT_LT(golden_error(out, arrays.at("out")), tolerance);
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_LT(golden_error(grads[i], arrays.at("grad_" + names[i])), tolerance) << names[i];
  }
}

TEST(AttentionGolden, EveryCaseOfThePublishedOperator) {
  FLOYDNET_REQUIRE_TEST_DATA("reference/cases.json");
  const auto cases = nlohmann::json::parse(read_file(test_data("reference/cases.json")));
  int checked = 0;
  for (const auto& [name, settings] : cases.items()) {
    if (name.substr(0, 2) != "pa") continue;
    check_case(name, settings);
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

}  // namespace
}  // namespace floydnet
