// A run's configuration: which graphs, which targets, which model.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/options.h"
#include "floydnet/model.h"
#include "tasks/graphs/loss.h"
#include "tasks/graphs/schema/schema.h"
#include "tasks/graphs/structure_config.h"
#include "train/task_config.h"

namespace floydnet::graphs {

/// Which graphs are learned from; docs/graph-prediction.md explains each key.
struct GraphsDataConfig {
  std::string file;
  std::string targets;
  std::string features = "auto";
  double validation = 0.1;
  double test = 0.1;
  int64_t split_seed = 1;
  bool whole = false;
  int64_t tuples = 65536;

  OptionTable table();
};

/// The graphs of each split.
struct SplitGraphs {
  std::vector<int64_t> train, validation, test, all;

  /// By the names of splits: "train", "validation", "test", "all".
  const std::vector<int64_t>& of(const std::string& split) const;
};

/// The file's splits; where it has none, fractions that are drawn from the seed. Without graphs for
/// validation, a fraction of those for training. InputError if a split that is needed has no graph.
SplitGraphs split_graphs(const GraphSet& set, const GraphsDataConfig& config);

class GraphsConfig final : public train::TaskConfig {
 public:
  GraphsConfig();

  ModelConfig model;
  GraphsDataConfig data;
  TargetConfig target;
  StructureConfig structure;
  Schema schema;

  /// What read_data() has read; null before.
  std::shared_ptr<const GraphSet> set;
  SplitGraphs splits;

  std::vector<Shortcut> shortcuts() const override;
  std::vector<Shortcut> eval_shortcuts() const override;
  void add_to(train::RunConfig* config) override;
  void read_data() override;
  std::unique_ptr<train::Task> make_task() const override;
  double memory_needed(int64_t training_ranks) const override;
  train::PredictionSummary predict(const train::PredictionFiles& files) const override;

  /// read_data() for a set that is there already.
  void use(std::shared_ptr<const GraphSet> graphs, const std::string& source);

 private:
  bool schema_fits() const;
};

}  // namespace floydnet::graphs
