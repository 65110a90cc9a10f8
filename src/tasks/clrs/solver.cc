#include <fmt/format.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "base/require.h"
#include "floydnet/clrs.h"
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "model/model_file.h"
#include "model/tensors.h"
#include "tasks/clrs/batches.h"
#include "tasks/clrs/model.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

nlohmann::json run_in(const TensorFile& file, const std::string& path) {
  const auto found = file.metadata.find("floydnet.run");
  if (found == file.metadata.end()) {
    throw InputError::in(path, "its metadata has no \"floydnet.run\": not weights of a run");
  }
  const auto run = nlohmann::json::parse(found->second, nullptr, /*allow_exceptions=*/false);
  if (!run.is_object() || run.value("task", "") != "clrs" || !run.contains("model") ||
      !run.contains("data")) {
    throw InputError::in(path, "not weights of a CLRS algorithm");
  }
  return run;
}

/// As many as the first input that has an axis of nodes.
int64_t nodes_in(const Spec& spec, const Arrays& inputs) {
  for (const Probe& probe : spec.of(Stage::kInput)) {
    const auto found = inputs.find(probe.name);
    if (found == inputs.end() || probe.location == Location::kGraph) continue;
    require(found->second.dim() > 0, "clrs::Solver: input '{}' is a single number", probe.name);
    return found->second.size(0);
  }
  throw std::invalid_argument("clrs::Solver: got no input of nodes or pairs");
}

}  // namespace

struct Solver::Loaded {
  std::string algorithm;
  Spec spec;
  ClrsModel model{nullptr};
};

Solver::Solver(const std::string& path) : loaded_(std::make_unique<Loaded>()) {
  const TensorFile file = read_safetensors(path);
  const nlohmann::json run = run_in(file, path);
  const ClrsDataConfig data = ClrsDataConfig::from_json(run["data"], path);
  const ClrsModelConfig config = ClrsModelConfig::from_json(run["model"], path);
  if (config.feeds_hints()) {
    throw InputError::in(path, "the model is fed hints, which a problem by itself does not have");
  }
  const Algorithm& algorithm = find_algorithm(data.algorithm);
  loaded_->algorithm = algorithm.name;
  loaded_->spec = Postprocessor(algorithm, data.postprocessing()).spec();
  loaded_->model = ClrsModel(loaded_->spec, config);
  set_parameters(*loaded_->model, to_torch(file.tensors), path);
  loaded_->model->eval();
}

Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const std::string& Solver::algorithm() const { return loaded_->algorithm; }

Arrays Solver::solve(const Arrays& inputs) {
  torch::NoGradGuard no_grad;
  const Spec& spec = loaded_->spec;
  BatchTensors batch;
  batch.samples = batch.steps = 1;
  batch.sample_steps = torch::ones({1}, torch::kInt64);
  batch.nodes = nodes_in(spec, inputs);
  batch.values.resize(spec.probes.size());
  for (int64_t p = 0; p < spec.count(Stage::kInput); ++p) {
    const Probe& probe = spec.probes[p];
    const auto found = inputs.find(probe.name);
    require(found != inputs.end(), "clrs::Solver: input '{}' of {} is missing", probe.name,
            loaded_->algorithm);
    const std::vector<int64_t> shape = probe.shape(batch.nodes);
    require(found->second.sizes() == shape, "clrs::Solver: input '{}' is [{}], wanted [{}]",
            probe.name, fmt::join(found->second.sizes(), ", "), fmt::join(shape, ", "));
    const bool is_index = probe.type == Type::kPointer;
    batch.values[p] = found->second.to(is_index ? torch::kInt64 : torch::kFloat32).unsqueeze(0);
  }
  const ClrsPredictions predictions = loaded_->model->forward(batch);
  Arrays outputs;
  const std::vector<Probe> probes = spec.of(Stage::kOutput);
  for (size_t p = 0; p < probes.size(); ++p) {
    outputs[probes[p].name] = hard_prediction(probes[p], predictions.outputs[p]).squeeze(0);
  }
  return outputs;
}

}  // namespace floydnet::clrs
