// Learning one of the 30 algorithms.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tasks/clrs/batches.h"
#include "tasks/clrs/config.h"
#include "train/task_config.h"

namespace floydnet::clrs {

/// The sections of a run's configuration, with defaults that suit the benchmark.
class ClrsConfig final : public train::TaskConfig {
 public:
  ClrsConfig();

  ClrsModelConfig model;
  ClrsDataConfig data;

  std::vector<Shortcut> shortcuts() const override;
  std::vector<Shortcut> eval_shortcuts() const override;
  void add_to(train::RunConfig* config) override;
  std::unique_ptr<train::Task> make_task() const override;
  double memory_needed(int64_t training_ranks) const override;
  std::string model_name() const override { return data.algorithm; }
  std::vector<std::string> model_names() const override;
  std::vector<std::string> models_settings() const override;
  train::Table models_table(
      const std::map<std::string, train::SplitMetrics>& finals) const override;
};

/// The splits that a run is judged by: "validation", "test" (the official one, 64 nodes), "n=16"
/// for other lengths and seeds, and "salsa n=16" for SALSA-CLRS's graphs.
std::string split_name(int64_t length, const ClrsDataConfig& data);
/// What a split is made of; `samples` as ClrsDataConfig has it.
Recipe judged_recipe(const Algorithm& algorithm, Split split, int64_t length, int64_t samples);

}  // namespace floydnet::clrs
