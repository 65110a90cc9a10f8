// floydnet eval: measures the best weights of a run.
#include <fmt/format.h>
#include <torch/torch.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/task_list.h"
#include "floydnet/error.h"
#include "train/run_folder.h"

namespace floydnet {
namespace {

struct EvalCommand {
  std::string folder;
  std::vector<std::string> settings;
  bool json = false;
};

void evaluate(const EvalCommand& command) {
  LoadedRun run = load_run(command.folder);
  for (const std::string& setting : command.settings) run.config.set(setting);
  const std::unique_ptr<train::Task> task = run.run->make_task();
  train::load_weights(task->model(), train::RunFolder(command.folder).best_file());
  task->model().eval();
  torch::NoGradGuard no_grad;
  nlohmann::json object = nlohmann::json::object();
  for (const std::string& split : task->final_splits()) {
    if (!command.json) fmt::print("{}\n", split);
    for (const auto& [name, value] : task->metrics(split, task->tally(split, {}))) {
      object[split][name] = value;
      if (!command.json) fmt::print("  {:<24} {:.5g}\n", name, value);
    }
  }
  if (command.json) fmt::print("{}\n", object.dump(2));
}

}  // namespace

void add_eval_command(CLI::App& app) {
  auto command = std::make_shared<EvalCommand>();
  CLI::App* eval = app.add_subcommand("eval", "Evaluate the best weights of a run");
  eval->add_option("run", command->folder, "the run's folder")->required();
  eval->add_option("--set", command->settings,
                   "SECTION.KEY=VALUE, to evaluate on other data, such as data.graphs=FILE")
      ->take_all()
      ->expected(1);
  eval->add_flag("--json", command->json, "print one JSON object");
  eval->footer("Example: floydnet eval runs/cycle5 --json");
  eval->callback([command] { evaluate(*command); });
}

}  // namespace floydnet
