// The tasks that can be trained.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "train/task_run.h"

namespace floydnet {

struct TaskEntry {
  std::string name;
  std::string help;
  std::string example;
  std::unique_ptr<train::TaskRun> (*make)();
};
const std::vector<TaskEntry>& trainable_tasks();

/// A run's task, configured as its config.json says. InputError if there is no such task.
struct LoadedRun {
  std::string task;
  std::unique_ptr<train::TaskRun> run;
  train::RunConfig config;
};
LoadedRun make_run(const std::string& task);
LoadedRun load_run(const std::string& folder);
/// The run that a file of weights comes from, by its metadata. InputError if it does not say.
LoadedRun load_run_of_weights(const std::string& file);
bool is_task(const std::string& name);
/// All of config.json.
nlohmann::json resolved(const LoadedRun& run);

}  // namespace floydnet
