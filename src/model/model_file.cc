#include "model/model_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "floydnet/error.h"
#include "floydnet/model.h"
#include "floydnet/weights.h"
#include "model/footprint.h"
#include "model/tensors.h"

namespace floydnet {
namespace {

constexpr const char* kConfigKey = "floydnet.config";

ModelConfig config_in(const TensorFile& file, const std::string& path) {
  const auto found = file.metadata.find(kConfigKey);
  if (found == file.metadata.end() && file.metadata.count("floydnet.run") > 0) {
    throw InputError::in(path,
                         "weights of a task's own model; those of CLRS are loaded by "
                         "floydnet::clrs::Solver, those of tours by floydnet::tsp::TourModel, and "
                         "'floydnet eval' judges all");
  }
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

/// Before memory is taken for the model that a file claims to hold.
void check_size(const TensorFile& file, const ModelConfig& config, const std::string& path) {
  double stored = 0;
  for (const auto& [name, tensor] : file.tensors) stored += static_cast<double>(tensor.elements());
  if (stored < least_parameters(config)) {
    throw InputError::in(path, fmt::format("holds {:.0f} numbers, but a model of its configuration "
                                           "has at least {:.0f}",
                                           stored, least_parameters(config)));
  }
}

/// float32 or float64: the one type that all floating tensors have.
torch::Dtype floating_type(const Tensors& tensors, const std::string& path) {
  std::optional<torch::Dtype> type;
  for (const auto& [name, tensor] : tensors) {
    if (!tensor.is_floating_point()) continue;
    if (type && *type != tensor.scalar_type()) {
      throw InputError::in(path, fmt::format("tensor \"{}\" is {}, others are {}", name,
                                             toString(tensor.scalar_type()), toString(*type)));
    }
    type = tensor.scalar_type();
  }
  return type == torch::kFloat64 ? torch::kFloat64 : torch::kFloat32;
}

}  // namespace

Tensors state_of(torch::nn::Module& model) {
  Tensors state;
  for (const auto& item : model.named_parameters()) state[item.key()] = item.value().detach();
  for (const auto& item : model.named_buffers()) state[item.key()] = item.value();
  return state;
}

void set_parameters(torch::nn::Module& model, const Tensors& tensors, const std::string& source) {
  const Tensors state = state_of(model);
  for (const auto& [name, tensor] : tensors) {
    if (state.count(name) == 0) {
      throw InputError::in(source, fmt::format("tensor \"{}\" is not part of the model", name));
    }
  }
  copy_tensors(tensors, "", state, source);
}

void save_model(FloydNet& model, const std::string& path) {
  TensorFile file;
  file.tensors = to_stored(state_of(*model));
  file.metadata[kConfigKey] = model->config().to_json().dump();
  write_safetensors(path, file);
}

FloydNet load_model(const std::string& path) {
  const TensorFile file = read_safetensors(path);
  const ModelConfig config = config_in(file, path);
  check_size(file, config, path);
  const Tensors tensors = to_torch(file.tensors);
  FloydNet model(config);
  model->to(floating_type(tensors, path));
  set_parameters(*model, tensors, path);
  return model;
}

ModelConfig read_model_config(const std::string& path) {
  return config_in(read_safetensors(path), path);
}

}  // namespace floydnet
