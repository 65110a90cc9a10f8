// Learning to count: one model for several patterns at graph, node and edge level at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/options.h"
#include "floydnet/model.h"
#include "tasks/counting/data/counts.h"
#include "train/task_config.h"

namespace floydnet::counting {

enum class ErrorKind { kAbsolute, kHuber, kSquared };

/// What is learned, from which graphs; docs/counting.md explains each key.
struct CountingDataConfig {
  std::string patterns = "all";
  std::string levels = "graph,node,edge";
  std::string graphs;  // a graph6 file; empty: all graphs are made
  std::string splits;  // its splits.json
  int64_t train_graphs = 0;
  int64_t validation_graphs = 1000;
  int64_t test_graphs = 2500;
  ErrorKind error = ErrorKind::kHuber;

  OptionTable table();
};

/// The sections of a run's configuration, with defaults that suit the task.
class CountingConfig final : public train::TaskConfig {
 public:
  CountingConfig();

  ModelConfig model;
  CountingDataConfig data;

  std::vector<Shortcut> shortcuts() const override;
  void add_to(train::RunConfig* config) override;
  std::unique_ptr<train::Task> make_task() const override;
  double memory_needed(int64_t training_ranks) const override;
};

}  // namespace floydnet::counting
