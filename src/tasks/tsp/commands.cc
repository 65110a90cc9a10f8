// floydnet tsp: the travelling salesman.
#include "tasks/tsp/commands.h"

#include <CLI/CLI.hpp>

#include "tasks/entry.h"
#include "tasks/tsp/task.h"

namespace floydnet {
namespace {

void add_tsp_command(CLI::App& app) {
  CLI::App* tsp =
      app.add_subcommand("tsp", "Solve travelling salesman problems: with proofs, or by a model");
  tsp->require_subcommand(1);
  tsp->footer("Example: floydnet tsp solve berlin.tsp --tour berlin.tour");
  tsp::add_solve_command(*tsp);
  tsp::add_verify_command(*tsp);
  tsp::add_sample_command(*tsp);
}

}  // namespace

namespace tsp {

TaskEntry entry() {
  TaskEntry entry;
  entry.name = "tsp";
  entry.summary = "Find shortest tours, at once or out of noise";
  entry.example = "floydnet train tsp --type explicit --minutes 30 --out runs/tsp";
  entry.make_config = new_config<TspConfig>;
  entry.add_command = add_tsp_command;
  entry.add_data_command = add_dataset_command;
  return entry;
}

}  // namespace tsp
}  // namespace floydnet
