#include "model/model_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "model/tensors.h"

namespace floydnet {
namespace {

using torch::Tensor;

constexpr const char* kConfigKey = "floydnet.config";

std::map<std::string, Tensor> state_of(FloydNet& model) {
  std::map<std::string, Tensor> state;
  for (const auto& item : model->named_parameters()) state[item.key()] = item.value();
  for (const auto& item : model->named_buffers()) state[item.key()] = item.value();
  return state;
}

ModelConfig config_in(const TensorFile& file, const std::string& path) {
  const auto found = file.metadata.find(kConfigKey);
  if (found == file.metadata.end()) {
    throw InputError::in(path, fmt::format("holds no model configuration (metadata \"{}\"); models "
                                           "are written by floydnet train or convert",
                                           kConfigKey));
  }
  const auto json = nlohmann::json::parse(found->second, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    throw InputError::in(path, fmt::format("metadata \"{}\" is not JSON", kConfigKey));
  }
  return ModelConfig::from_json(json, fmt::format("{}: {}", path, kConfigKey));
}

}  // namespace

void set_parameters(FloydNet& model, const std::map<std::string, Tensor>& tensors,
                    const std::string& source) {
  torch::NoGradGuard no_grad;
  auto state = state_of(model);
  for (const auto& [name, tensor] : tensors) {
    const auto found = state.find(name);
    if (found == state.end()) {
      throw InputError::in(source, fmt::format("tensor \"{}\" is not part of the model", name));
    }
    if (found->second.sizes() != tensor.sizes()) {
      throw InputError::in(source, fmt::format("tensor \"{}\" has shape [{}], wanted [{}]", name,
                                               fmt::join(tensor.sizes(), ", "),
                                               fmt::join(found->second.sizes(), ", ")));
    }
  }
  for (auto& [name, value] : state) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
      throw InputError::in(source, fmt::format("tensor \"{}\" is missing", name));
    }
    value.copy_(found->second);
  }
}

void save_model(FloydNet& model, const std::string& path) {
  TensorFile file;
  for (const auto& [name, value] : state_of(model)) file.tensors[name] = to_stored(value);
  file.metadata[kConfigKey] = model->config().to_json().dump();
  write_safetensors(path, file);
}

FloydNet load_model(const std::string& path) {
  const TensorFile file = read_safetensors(path);
  FloydNet model(config_in(file, path));
  std::map<std::string, Tensor> tensors;
  bool is_double = !file.tensors.empty();
  for (const auto& [name, stored] : file.tensors) {
    tensors[name] = to_torch(stored);
    if (tensors[name].is_floating_point() && stored.type != DType::kF64) is_double = false;
  }
  if (is_double) model->to(torch::kFloat64);
  set_parameters(model, tensors, path);
  return model;
}

ModelConfig read_model_config(const std::string& path) {
  return config_in(read_safetensors(path), path);
}

}  // namespace floydnet
