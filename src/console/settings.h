// What a command line says about a run's configuration.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "train/task_config.h"

namespace CLI {
class App;
}

namespace floydnet {

/// --set SECTION.KEY=VALUE, and flags that stand for a key. Which key a flag stands for may depend
/// on the task, so flags are kept as they were given until the task is known.
class Settings {
 public:
  using Flag = train::TaskConfig::Shortcut;

  /// The options write to `settings`, whoever holds it.
  static void add_set(CLI::App& app, const std::shared_ptr<Settings>& settings,
                      const std::string& help);
  static void add_flag(CLI::App& app, const std::shared_ptr<Settings>& settings,
                       const std::string& flag, const std::string& help);

  /// Sets the configuration of a run of `task`, which has the `known` flags. InputError if a flag
  /// is none of them, or if a key is given by a flag and by --set.
  void apply(const std::string& task, const std::vector<Flag>& known,
             train::RunConfig* config) const;
  /// The first setting of a key outside of a section, as it was typed; empty if there is none.
  std::string outside(const std::string& section) const;

 private:
  std::vector<std::string> set_;
  std::vector<std::pair<std::string, std::string>> flags_;  // with their texts
};

}  // namespace floydnet
