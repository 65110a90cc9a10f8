// Runs and the weights of runs, with the task that they are of.
#pragma once

#include <memory>
#include <string>

#include "tasks/entry.h"

namespace floydnet {

/// A run's task, configured as its config.json says. InputError if there is no such task.
struct LoadedRun {
  std::string task;
  std::unique_ptr<train::TaskConfig> task_config;
  train::RunConfig config;
};
LoadedRun make_run(const std::string& task);
LoadedRun load_run(const std::string& folder);
/// The run that a file of weights comes from, by its metadata. InputError if it does not say.
LoadedRun load_run_of_weights(const std::string& file);
/// Whether it is one that can be trained.
bool is_task(const std::string& name);
/// All of config.json.
nlohmann::json resolved(const LoadedRun& run);

}  // namespace floydnet
