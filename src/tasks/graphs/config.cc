#include "tasks/graphs/config.h"

#include <fmt/format.h>

#include <algorithm>

#include "floydnet/error.h"
#include "model/footprint.h"
#include "tasks/graphs/batches/order.h"
#include "tasks/graphs/data/graph_file.h"
#include "tasks/graphs/data/splits.h"
#include "tasks/graphs/inputs.h"
#include "tasks/graphs/predict.h"
#include "tasks/graphs/task.h"

namespace floydnet::graphs {
namespace {

/// The graphs of a part, where `splits` has an entry for each of `graphs`.
std::vector<int64_t> part_of(const std::vector<int64_t>& graphs, const std::vector<Split>& splits,
                             Split part) {
  std::vector<int64_t> found;
  for (const int64_t place : places_of(splits, part)) {
    found.push_back(graphs[static_cast<size_t>(place)]);
  }
  return found;
}

std::string joined_names(const Schema& schema) {
  std::string names;
  for (const Target& target : schema.targets) {
    names += (names.empty() ? "" : ",") + full_name(target.level, target.name);
  }
  return names;
}

TargetKind kind_for(KindChoice choice) {
  switch (choice) {
    case KindChoice::kBinary:
      return TargetKind::kBinary;
    case KindChoice::kClasses:
      return TargetKind::kClasses;
    default:
      return TargetKind::kRegression;
  }
}

double mean_size(const GraphSet& set, const std::vector<int64_t>& graphs) {
  double nodes = 0;
  for (const int64_t graph : graphs) {
    nodes += static_cast<double>(set.sizes[static_cast<size_t>(graph)]);
  }
  return nodes / static_cast<double>(graphs.size());
}

void require_pair_states(const Schema& schema, int64_t order) {
  for (const Target& target : schema.targets) {
    if (order > 1 || target.level == Level::kGraph || target.level == Level::kNode) continue;
    throw InputError::in("model.order",
                         fmt::format("is 1, but {} needs states of pairs: order 2 or 3",
                                     full_name(target.level, target.name)));
  }
}

}  // namespace

OptionTable GraphsDataConfig::table() {
  OptionTable t;
  t.text("file", &file, "the NPZ file of graphs (docs/graphs.md)");
  t.text("targets", &targets, "columns to learn, separated by commas, such as graph_y");
  t.text("features", &features,
         "columns to learn from; auto: all but targets and names that begin with y");
  t.real("validation", &validation, {0, 0.9}, "fraction of graphs, if the file has no such split");
  t.real("test", &test, {0, 0.9}, "fraction of graphs, if the file has no splits");
  t.integer("split_seed", &split_seed, {0, int64_t{1} << 40}, "random seed of drawn splits");
  t.boolean("whole", &whole, "evaluate all graphs of the file as one split, called all");
  t.integer("tuples", &tuples, {1, int64_t{1} << 40},
            "tuple states computed at a time, unless a single graph has more");
  return t;
}

const std::vector<int64_t>& SplitGraphs::of(const std::string& split) const {
  if (split == "train") return train;
  if (split == "validation") return validation;
  return split == "test" ? test : all;
}

SplitGraphs split_graphs(const GraphSet& set, const GraphsDataConfig& config) {
  if (config.validation + config.test >= 1) {
    throw InputError::in("data.test", "with data.validation nothing is left to train on");
  }
  SplitGraphs splits;
  for (int64_t g = 0; g < set.graphs(); ++g) splits.all.push_back(g);
  const auto seed = static_cast<uint64_t>(config.split_seed);
  const std::vector<Split> given =
      !set.splits.empty()
          ? set.splits
          : random_splits(set.graphs(),
                          {1 - config.validation - config.test, config.validation, config.test},
                          seed);
  splits.train = part_of(splits.all, given, Split::kTrain);
  splits.validation = part_of(splits.all, given, Split::kValidation);
  splits.test = part_of(splits.all, given, Split::kTest);
  if (splits.validation.empty() && !set.splits.empty() && config.validation > 0) {
    const std::vector<Split> drawn =
        random_splits(static_cast<int64_t>(splits.train.size()),
                      {1 - config.validation, config.validation, 0}, seed);
    splits.validation = part_of(splits.train, drawn, Split::kValidation);
    splits.train = part_of(splits.train, drawn, Split::kTrain);
  }
  if (config.whole) return splits;
  if (splits.train.empty()) {
    throw InputError::in(config.file,
                         fmt::format("none of {} graphs is left to train on", set.graphs()));
  }
  if (splits.validation.empty()) {
    throw InputError::in(config.file, "no graph is for validation, by which weights are chosen");
  }
  return splits;
}

GraphsConfig::GraphsConfig() {
  model.dim = 64;
  model.heads = 8;
  model.depth = 4;
  model.ffn_ratio = 2;
  model.readout = Readout::kMean;
  model.head_layers = 2;
  train.warmup = 200;
  train.average = 0.999;
  train.evaluate_every = 250;
  train.checkpoint_every = 250;
}

std::vector<train::TaskConfig::Shortcut> GraphsConfig::shortcuts() const {
  return {{"--data", "data.file", "NPZ file of graphs (data.file)"},
          {"--target", "data.targets", "what to learn: graph_y, node_y, ... (data.targets)"},
          {"--metric", "target.metric",
           "validation metric that decides the best weights (target.metric)"},
          {"--loss", "target.loss", "l1, l2, huber, cross_entropy or bce (target.loss)"}};
}

std::vector<train::TaskConfig::Shortcut> GraphsConfig::eval_shortcuts() const {
  return {{"--data", "data.file", "another NPZ file of graphs"},
          {"--whole", "data.whole", "true: all graphs of the file as one split"}};
}

void GraphsConfig::add_to(train::RunConfig* config) {
  config->add("train", train.table());
  train::add_model_section(config, &model);
  config->add("data", data.table());
  config->add("target", target.table());
  config->add("structure", structure.table());
  config->add({"schema",
               [this](const nlohmann::json& object, const std::string& source) {
                 schema = schema_from_json(object, source);
               },
               [this] { return to_json(schema); }});
}

/// Whether it is of the targets and features that are asked for.
bool GraphsConfig::schema_fits() const {
  if (schema.empty() || joined_names(schema) != data.targets) return false;
  for (const Target& learned : schema.targets) {
    if (target.kind != KindChoice::kAuto && learned.kind != kind_for(target.kind)) return false;
  }
  return true;
}

void GraphsConfig::read_data() {
  if (data.file.empty()) throw InputError::in("--data", "not given: wanted an NPZ file of graphs");
  use(std::make_shared<const GraphSet>(read_graph_file(data.file)), data.file);
}

void GraphsConfig::use(std::shared_ptr<const GraphSet> graphs, const std::string& source) {
  if (graphs->graphs() == 0) throw InputError::in(source, "no graphs");
  set = std::move(graphs);
  splits = split_graphs(*set, data);
  if (schema_fits()) {
    require_features(schema, *set, source);
    require_targets(schema, *set, source);
  } else {
    SchemaOptions options;
    options.targets = data.targets;
    options.features = data.features;
    options.infer_kind = target.kind == KindChoice::kAuto;
    options.kind = kind_for(target.kind);
    schema = learn_schema(*set, splits.train, options, source);
    if (!model.readout_nodes) model.readout_nodes = mean_size(*set, splits.train);
  }
  require_loss(target, schema.targets);
  require_pair_states(schema, model.order);
  InputBuilder::configure(schema, structure, &model);
  model.check("model");
}

std::unique_ptr<train::Task> GraphsConfig::make_task() const {
  if (set != nullptr) return make_graphs_task(*this);
  GraphsConfig ready = *this;
  ready.read_data();
  return make_graphs_task(ready);
}

double GraphsConfig::memory_needed(int64_t training_ranks) const {
  if (set == nullptr) return 0;
  const int64_t largest = *std::max_element(set->sizes.begin(), set->sizes.end());
  const double at_most = tuples_of(largest + (model.supernode ? 1 : 0), model.order);
  const auto budget = static_cast<double>(data.tuples);
  const auto nodes = static_cast<double>(largest);
  if (training_ranks == 0) return evaluation_bytes(model, {std::max(at_most, budget), nodes});
  // A graph that is larger than the budget is recomputed.
  ModelConfig recomputed = model;
  recomputed.recompute = true;
  const double all = static_cast<double>(train.batch) /
                     static_cast<double>(train.accumulate * training_ranks) * at_most;
  return std::max(training_bytes(recomputed, {at_most, nodes}, 1),
                  training_bytes(model, {std::min(all, budget) * 0.5, nodes}, 1));
}

train::PredictionSummary GraphsConfig::predict(const train::PredictionFiles& files) const {
  return write_predictions(*this, files);
}

}  // namespace floydnet::graphs
