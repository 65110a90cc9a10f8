// What a task is to the program.
#pragma once

#include <memory>
#include <string>

#include "train/task_config.h"

namespace CLI {
class App;
}

namespace floydnet {

/// Made by a task's entry(), in its commands.cc; registry.cc has all of them.
struct TaskEntry {
  std::string name;
  /// Of what `floydnet train NAME` learns, and an example of it.
  std::string summary;
  std::string example;
  /// A run's configuration with the task's defaults; null where nothing can be trained.
  std::unique_ptr<train::TaskConfig> (*make_config)() = nullptr;
  /// Adds a command of the task's own; null where there is none.
  void (*add_command)(CLI::App& app) = nullptr;
  /// Adds `floydnet data NAME`; null where there is none.
  void (*add_data_command)(CLI::App& data) = nullptr;
};

/// For TaskEntry::make_config.
template <typename Config>
std::unique_ptr<train::TaskConfig> new_config() {
  return std::make_unique<Config>();
}

}  // namespace floydnet
