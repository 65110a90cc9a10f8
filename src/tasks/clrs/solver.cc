#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "base/require.h"
#include "floydnet/clrs.h"
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "model/model_file.h"
#include "model/tensors.h"
#include "tasks/clrs/batches.h"
#include "tasks/clrs/data/given_problem.h"
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

Tensor predecessors_of(const Tensor& positions) {
  const Tensor values = positions.to(torch::kFloat64).contiguous();
  const double* first = values.data_ptr<double>();
  return torch::tensor(predecessors(Reals(first, first + values.numel())));
}

/// Indices of nodes, all of which there are.
Tensor as_indices(const Probe& probe, const Tensor& value, int64_t nodes) {
  const Tensor indices = value.to(torch::kInt64);
  require(((indices >= 0) & (indices < nodes)).all().item<bool>(),
          "clrs::Solver: input '{}' points outside of {} nodes", probe.name, nodes);
  return indices;
}

}  // namespace

struct Solver::Loaded {
  const Algorithm* algorithm = nullptr;
  std::optional<Postprocessor> postprocessor;
  std::optional<TransitionCutter> cutter;
  Spec spec;
  ClrsModel model{nullptr};

  /// One sample, checked.
  [[gnu::visibility("hidden")]] BatchTensors batch_of(const Arrays& inputs) const;
  /// Of its inputs, which must fit the algorithm.
  [[gnu::visibility("hidden")]] std::vector<Tensor> checked(const Arrays& inputs,
                                                            int64_t nodes) const;
  /// What the benchmark tells a model besides the inputs: the first hints and the number of steps.
  [[gnu::visibility("hidden")]] BatchTensors begun(const Arrays& inputs, int64_t nodes) const;
};

std::vector<Tensor> Solver::Loaded::checked(const Arrays& inputs, int64_t nodes) const {
  std::vector<Tensor> values;
  for (const Probe& probe : spec.of(Stage::kInput)) {
    const auto found = inputs.find(probe.name);
    const bool derived = found == inputs.end() && probe.name == "pred" && inputs.count("pos") > 0;
    require(derived || found != inputs.end(), "clrs::Solver: input '{}' of {} is missing",
            probe.name, algorithm->name);
    const Tensor value = derived ? predecessors_of(inputs.at("pos")) : found->second;
    const std::vector<int64_t> shape = probe.shape(nodes);
    require(value.sizes() == shape, "clrs::Solver: input '{}' is [{}], wanted [{}]", probe.name,
            fmt::join(value.sizes(), ", "), fmt::join(shape, ", "));
    require(value.device().is_cpu(), "clrs::Solver: input '{}' is on {}, wanted a CPU tensor",
            probe.name, value.device().str());
    if (probe.type == Type::kPointer) {
      values.push_back(as_indices(probe, value, nodes).unsqueeze(0));
    } else {
      values.push_back(value.to(torch::kFloat32).unsqueeze(0));
      require(values.back().isfinite().all().item<bool>(),
              "clrs::Solver: input '{}' has a number that is not finite", probe.name);
    }
  }
  return values;
}

BatchTensors Solver::Loaded::begun(const Arrays& inputs, int64_t nodes) const {
  std::vector<Reals> values;
  for (const Probe& probe : algorithm->spec.of(Stage::kInput)) {
    const Tensor numbers = inputs.at(probe.name).to(torch::kFloat64).contiguous();
    const double* first = numbers.data_ptr<double>();
    values.emplace_back(first, first + numbers.numel());
  }
  Sample sample;
  clrs::solve(*algorithm, problem_of(*algorithm, values, nodes), /*record_hints=*/true, sample);
  RandomState unused(0);
  postprocessor->apply(sample, unused);
  if (cutter) cutter->cut(sample, 0, 1);
  return to_tensors(spec, stack(spec, {sample}));
}

BatchTensors Solver::Loaded::batch_of(const Arrays& inputs) const {
  const int64_t nodes = nodes_in(spec, inputs);
  std::vector<Tensor> values = checked(inputs, nodes);
  BatchTensors batch;
  const ClrsModelConfig& config = model->config();
  if (config.feeds_hints() || config.steps == 0) {
    batch = begun(inputs, nodes);
  } else {
    batch.samples = batch.steps = 1;
    batch.sample_steps = torch::ones({1}, torch::kInt64);
    batch.nodes = nodes;
    batch.values.resize(spec.probes.size());
  }
  std::move(values.begin(), values.end(), batch.values.begin());
  return batch;
}

Solver::Solver(const std::string& path) : loaded_(std::make_unique<Loaded>()) {
  const TensorFile file = read_safetensors(path);
  const nlohmann::json run = run_in(file, path);
  const ClrsDataConfig data = ClrsDataConfig::from_json(run["data"], path);
  const ClrsModelConfig config = ClrsModelConfig::from_json(run["model"], path);
  Loaded& loaded = *loaded_;
  loaded.algorithm = &find_algorithm(data.algorithm);
  Postprocessing judged = data.postprocessing();
  judged.random_positions = false;
  loaded.postprocessor.emplace(*loaded.algorithm, judged);
  loaded.spec = loaded.postprocessor->spec();
  if (config.hints == HintMode::kTransitions) {
    loaded.cutter.emplace(loaded.spec, data.number_hints);
    loaded.spec = loaded.cutter->spec();
  }
  loaded.model = ClrsModel(loaded.spec, config);
  set_parameters(*loaded.model, to_torch(file.tensors), path);
  loaded.model->eval();
}

Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const std::string& Solver::algorithm() const { return loaded_->algorithm->name; }

int64_t Solver::blocks() const { return loaded_->model->config().block.depth; }

Arrays Solver::solve(const Arrays& inputs) {
  torch::NoGradGuard no_grad;
  const ClrsPredictions predictions = loaded_->model->forward(loaded_->batch_of(inputs));
  Arrays outputs;
  const std::vector<Probe> probes = loaded_->spec.of(Stage::kOutput);
  for (size_t p = 0; p < probes.size(); ++p) {
    outputs[probes[p].name] = hard_prediction(probes[p], predictions.outputs[p]).squeeze(0);
  }
  return outputs;
}

Tensor Solver::attention(const Arrays& inputs,
                         const std::vector<std::pair<int64_t, int64_t>>& pairs, int64_t block) {
  torch::NoGradGuard no_grad;
  const BatchTensors batch = loaded_->batch_of(inputs);
  const ClrsModelConfig& config = loaded_->model->config();
  require(block >= -1 && block < blocks(), "clrs::Solver: block {} of {}; -1 is the last", block,
          blocks());
  const int64_t m = batch.nodes + (config.readout == NodeReadout::kSuperNode ? 1 : 0);
  std::vector<int64_t> rows;
  for (const auto& [i, k] : pairs) {
    require(i >= 0 && i < m && k >= 0 && k < m, "clrs::Solver: pair ({}, {}) of {} nodes", i, k, m);
    rows.push_back(i * m + k);
  }
  const std::vector<Tensor> weights = loaded_->model->attention_by_block(batch, rows);
  return block < 0 ? weights.back() : weights[block];
}

}  // namespace floydnet::clrs
