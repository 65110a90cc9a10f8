// floydnet data: makes the data that models are trained and judged on.
#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace floydnet {

void add_data_command(CLI::App& app) {
  CLI::App* data =
      app.add_subcommand("data", "Make the data that models are trained and judged on");
  data->require_subcommand(1);
  data->footer("Example: floydnet data clrs --list");
  add_data_clrs_command(*data);
  add_data_counting_command(*data);
}

}  // namespace floydnet
