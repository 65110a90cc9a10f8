// Learning tours: a model of edges, trained on instances with their optimal tours.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/options.h"
#include "tasks/tsp/data/generator.h"
#include "tasks/tsp/edge_model.h"
#include "train/task_config.h"

namespace floydnet::tsp {

/// What is learned from, and what it is judged by; docs/tsp.md explains each key.
struct TspDataConfig {
  Kind kind = Kind::kExplicit;
  std::vector<int64_t> sizes = {8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  int64_t instances = 0;
  std::string sets;
  int64_t validation_size = 20;
  int64_t validation_instances = 64;
  std::vector<int64_t> test_sizes = {10, 15, 20, 25, 30};
  int64_t test_instances = 200;
  int64_t sampling_steps = 10;

  OptionTable table();
};

/// The sections of a run's configuration.
class TspConfig final : public train::TaskConfig {
 public:
  TspConfig();

  ModelConfig model;
  EdgeModelOptions edges;
  TspDataConfig data;

  std::vector<Shortcut> shortcuts() const override;
  std::vector<Shortcut> eval_shortcuts() const override;
  void add_to(train::RunConfig* config) override;
  std::unique_ptr<train::Task> make_task() const override;
  double memory_needed(int64_t training_ranks) const override;

  EdgeModel make_model() const;
};

}  // namespace floydnet::tsp
