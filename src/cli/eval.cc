// floydnet eval: measures the best weights of a run, or weights that come with the program.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_text.h"
#include "base/memory_limit.h"
#include "base/options.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/evaluation.h"
#include "cli/loaded_run.h"
#include "console/progress.h"
#include "console/settings.h"
#include "console/stored_models.h"
#include "floydnet/error.h"
#include "model/model_file.h"
#include "record/table.h"
#include "tasks/registry.h"
#include "train/run_folder.h"

namespace floydnet {
namespace {

namespace fs = std::filesystem;

struct EvalCommand {
  std::string run;
  std::shared_ptr<Settings> settings = std::make_shared<Settings>();
  std::string probe;
  std::string report;
  bool all = false;
  bool json = false;
};

/// A task's name stands for the weights that come with the program, unless a run is called so.
bool names_task(const std::string& word) {
  std::error_code ignored;
  return is_task(word) && !fs::exists(train::RunFolder(word).config_file(), ignored);
}

void apply(const EvalCommand& command, LoadedRun* run) {
  if (names_task(command.run)) {
    for (const std::string& setting : run->task_config->models_settings()) run->config.set(setting);
  }
  command.settings->apply(run->task, run->task_config->eval_shortcuts(), &run->config);
}

std::string weights_file(const EvalCommand& command) {
  std::error_code ignored;
  if (names_task(command.run)) {
    LoadedRun wanted = make_run(command.run);
    apply(command, &wanted);
    const std::string name = wanted.task_config->model_name();
    const std::vector<std::string> names = wanted.task_config->model_names();
    if (names.empty()) {
      throw InputError::in(command.run, "no weights of this task are stored; name a run's folder");
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw InputError::in(
          command.run, fmt::format("{} is unknown{}", in_quotes(name), suggestion(name, names)));
    }
    return stored_model(command.run, name);
  }
  if (fs::is_regular_file(command.run, ignored)) return command.run;
  return train::RunFolder(command.run).best_file();
}

/// The run that the weights are of, which a folder must agree to.
LoadedRun run_of(const EvalCommand& command, const std::string& file) {
  std::error_code ignored;
  if (names_task(command.run) || fs::is_regular_file(command.run, ignored)) {
    return load_run_of_weights(file);
  }
  LoadedRun run = load_run(command.run);
  if (!fs::exists(file, ignored)) {
    throw InputError::in(command.run, "no best.safetensors yet: nothing has been evaluated");
  }
  const LoadedRun of_weights = load_run_of_weights(file);
  if (of_weights.task != run.task ||
      of_weights.task_config->model_name() != run.task_config->model_name()) {
    throw InputError::in(file, fmt::format("weights of another run, of {} {}", of_weights.task,
                                           of_weights.task_config->model_name()));
  }
  return run;
}

/// Of weights that are not numbers nothing can be learned; they would be judged like any others.
void require_finite(torch::nn::Module& model, const std::string& file) {
  for (const auto& [name, tensor] : state_of(model)) {
    if (tensor.is_floating_point() && !tensor.isfinite().all().item<bool>()) {
      throw InputError::in(file, fmt::format("tensor \"{}\" has values that are not finite", name));
    }
  }
}

std::unique_ptr<train::Task> task_with_weights(const LoadedRun& run, const std::string& file) {
  run.task_config->read_data();
  require_memory(fmt::format("evaluating {}", file),
                 run.task_config->memory_needed(/*training_ranks=*/0));
  std::unique_ptr<train::Task> task = run.task_config->make_task();
  train::load_weights(task->model(), file);
  require_finite(task->model(), file);
  return task;
}

std::unique_ptr<train::Task> load_task(const EvalCommand& command) {
  const std::string file = weights_file(command);
  LoadedRun run = run_of(command, file);
  const std::string learned = run.task_config->model_name();
  apply(command, &run);
  if (run.task_config->model_name() != learned) {
    throw InputError::in(
        command.run, fmt::format("has learned {}, not {}", learned, run.task_config->model_name()));
  }
  return task_with_weights(run, file);
}

void evaluate(const EvalCommand& command) {
  for (const std::string& path : {command.probe, command.report}) {
    if (!path.empty()) require_writable(path);
  }
  const std::unique_ptr<train::Task> task = load_task(command);
  if (!command.report.empty() && !task->has_page()) {
    throw InputError::in("--report", "this task has no page of its predictions");
  }
  if (!command.probe.empty()) {
    write_file_atomically(command.probe, task->picture());
    fmt::print("{}\n", command.json
                           ? json_text(nlohmann::json::object({{"output", command.probe}}), 2)
                           : command.probe + ": the prediction as it forms");
    return;
  }
  Progress progress("splits", static_cast<int64_t>(task->final_splits().size()));
  train::World alone;
  const train::SplitSums sums =
      train::sum_finals(*task, alone, [&progress](int64_t done) { progress.show(done); });
  if (!command.report.empty()) {
    write_file_atomically(command.report, task->page("Predictions of " + command.run, sums));
  }
  const train::SplitMetrics splits = train::metrics_of(*task, sums);
  if (command.json) {
    fmt::print("{}\n", json_text(record::to_json(splits), 2));
    return;
  }
  fmt::print("{}", to_text(*task, splits));
  if (!command.report.empty()) fmt::print("{}: predictions beside labels\n", command.report);
}

/// All weights that come with the program, in one table.
void evaluate_all(const EvalCommand& command) {
  if (!names_task(command.run)) {
    throw InputError::in(command.run, "--all wants the name of a task whose weights are stored");
  }
  const LoadedRun of_task = make_run(command.run);
  std::map<std::string, train::SplitMetrics> finals;
  train::World alone;
  const std::vector<std::string> names = of_task.task_config->model_names();
  Progress progress("models", static_cast<int64_t>(names.size()));
  for (size_t i = 0; i < names.size(); ++i) {
    if (has_stored_model(command.run, names[i])) {
      const std::string file = stored_model(command.run, names[i]);
      LoadedRun run = load_run_of_weights(file);
      apply(command, &run);
      if (run.task_config->model_name() != names[i]) {
        throw InputError::in("--all", fmt::format("evaluates every model; leave out what asks for "
                                                  "{} alone",
                                                  run.task_config->model_name()));
      }
      finals[names[i]] = train::evaluate_finals(*task_with_weights(run, file), alone);
    }
    progress.show(static_cast<int64_t>(i + 1));
  }
  if (finals.empty()) {
    throw InputError::in(models_folder(), fmt::format("no weights of {} are stored", command.run));
  }
  if (command.json) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [name, splits] : finals) object[name] = record::to_json(splits);
    fmt::print("{}\n", json_text(object, 2));
  } else {
    fmt::print("{}", record::text_table(of_task.task_config->models_table(finals)));
  }
}

/// The flags of all tasks; what one stands for is known when the task is.
void add_task_flags(CLI::App& app, const EvalCommand& command) {
  std::map<std::string, std::vector<std::string>> helps;
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.make_config == nullptr) continue;
    for (const auto& [flag, key, help] : entry.make_config()->eval_shortcuts()) {
      helps[flag].push_back(fmt::format("{}: {} ({})", entry.name, help, key));
    }
  }
  for (const auto& [flag, help] : helps) {
    Settings::add_flag(app, command.settings, flag, fmt::format("{}", fmt::join(help, "; ")));
  }
}

}  // namespace

void add_eval_command(CLI::App& app) {
  auto command = std::make_shared<EvalCommand>();
  CLI::App* eval = app.add_subcommand("eval", "Evaluate the best weights of a run");
  eval->add_option("run", command->run,
                   "a run's folder, a file of its weights, or a task whose weights are stored")
      ->required();
  add_task_flags(*eval, *command);
  Settings::add_set(*eval, command->settings,
                    "SECTION.KEY=VALUE, to evaluate on other data, such as data.graphs=FILE");
  CLI::Option* probe = eval->add_option(
      "--probe", command->probe,
      "write a picture (SVG) of how the prediction forms from block to block instead");
  eval->add_option("--report", command->report,
                   "graphs: also write predictions beside labels, errors by size and pictures of "
                   "the worst cases to this HTML page")
      ->excludes(probe);
  eval->add_flag("--all", command->all, "all stored weights of a task, in one table");
  eval->add_flag("--json", command->json, "print one JSON object");
  eval->footer(
      "Example: floydnet eval runs/cycle5 --json\n"
      "         floydnet eval runs/bfs --lengths 16,64,160\n"
      "         floydnet eval clrs --algorithm bfs\n"
      "         floydnet eval clrs --all\n"
      "         floydnet eval runs/mine --report predictions.html");
  eval->callback([command] {
    if (!command->all) return evaluate(*command);
    if (!command->probe.empty()) throw CLI::ExcludesError("--all", "--probe");
    if (!command->report.empty()) throw CLI::ExcludesError("--all", "--report");
    evaluate_all(*command);
  });
}

}  // namespace floydnet
