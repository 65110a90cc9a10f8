// floydnet data: makes the data that models are trained and judged on.
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "tasks/registry.h"

namespace floydnet {

void add_data_command(CLI::App& app) {
  CLI::App* data =
      app.add_subcommand("data", "Make the data that models are trained and judged on");
  data->require_subcommand(1);
  data->footer("Example: floydnet data clrs --list");
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.add_data_command != nullptr) entry.add_data_command(*data);
  }
}

}  // namespace floydnet
