// floydnet train: trains a task's model, or goes on with a run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/evaluation.h"
#include "cli/task_list.h"
#include "cli/train_console.h"
#include "cli/training.h"
#include "floydnet/error.h"

namespace floydnet {
namespace {

using Json = nlohmann::json;

struct TrainCommand {
  std::string config_file;
  std::vector<std::string> settings;
  std::string out;
  std::string resume;
  bool json = false;
};

Json outcome_json(const train::Outcome& outcome, const std::string& folder) {
  const train::StepTimes& t = outcome.times;
  return {{"run", folder},
          {"step", outcome.step},
          {"best_step", outcome.best_step},
          {"bad_steps", outcome.bad_steps},
          {"seconds", outcome.seconds},
          {"cpu_seconds", outcome.cpu_seconds},
          {"splits", to_json(outcome.finals)},
          {"seconds_in",
           {{"data", t.data},
            {"forward", t.forward},
            {"backward", t.backward},
            {"exchange", t.exchange},
            {"update", t.update},
            {"evaluation", t.evaluation},
            {"saving", t.saving}}}};
}

void print_text(const train::Outcome& outcome, const std::string& folder) {
  for (const auto& [split, metrics] : outcome.finals) {
    fmt::print("{}\n", split);
    for (const auto& [name, value] : metrics) fmt::print("  {:<24} {:.5g}\n", name, value);
  }
  const train::StepTimes& t = outcome.times;
  const double all = std::max(
      t.data + t.forward + t.backward + t.exchange + t.update + t.evaluation + t.saving, 1e-9);
  fmt::print(
      "time: waiting for data {:.1f} %, forward {:.1f} %, backward {:.1f} %, exchange "
      "{:.1f} %, update {:.1f} %, evaluation {:.1f} %, saving {:.1f} %\n",
      100 * t.data / all, 100 * t.forward / all, 100 * t.backward / all, 100 * t.exchange / all,
      100 * t.update / all, 100 * t.evaluation / all, 100 * t.saving / all);
  fmt::print("{} steps in {}, {:.0f} s of CPU time; best at step {}; {}\n", outcome.step,
             clock_text(outcome.seconds), outcome.cpu_seconds, outcome.best_step, folder);
}

void train_run(LoadedRun& run, const std::string& folder, bool is_new, bool json) {
  const std::optional<train::Outcome> outcome = run_training(run, train::RunFolder(folder), is_new);
  if (!outcome) return;
  json ? fmt::print("{}\n", outcome_json(*outcome, folder).dump(2)) : print_text(*outcome, folder);
}

void start_run(const std::string& task, const TrainCommand& command) {
  if (command.out.empty()) throw CLI::RequiredError("--out");
  LoadedRun run = make_run(task);
  if (!command.config_file.empty()) {
    Json json = train::read_json_object(command.config_file);
    json.erase("task");
    run.config.read(json, command.config_file);
  }
  for (const std::string& setting : command.settings) run.config.set(setting);
  run.run->train.complete(command.config_file.empty() ? "train" : command.config_file);
  train_run(run, command.out, /*is_new=*/true, command.json);
}

void resume_run(const TrainCommand& command) {
  if (!command.config_file.empty() || !command.out.empty()) {
    throw CLI::ValidationError("--resume", "a run has its own configuration and folder");
  }
  LoadedRun run = load_run(command.resume);
  for (const std::string& setting : command.settings) {
    if (setting.rfind("train.", 0) != 0) {
      throw CLI::ValidationError("--set " + setting, "only train.* may change on the way");
    }
    run.config.set(setting);
  }
  run.run->train.complete(command.resume);
  train_run(run, command.resume, /*is_new=*/false, command.json);
}

/// Adds a flag that stands for --set KEY=VALUE.
void add_shortcut(CLI::App& app, const std::string& flag, const std::string& key,
                  const std::string& help, std::shared_ptr<TrainCommand> command) {
  app.add_option_function<std::string>(
      flag,
      [command, key](const std::string& text) { command->settings.push_back(key + "=" + text); },
      help);
}

}  // namespace

void add_train_command(CLI::App& app) {
  auto command = std::make_shared<TrainCommand>();
  CLI::App* train = app.add_subcommand("train", "Train a model, or go on with a run");
  train->fallthrough();
  train->require_subcommand(0, 1);
  train->add_option("--out", command->out, "folder of the new run");
  train->add_option("--resume", command->resume, "folder of the run to go on with");
  train->add_option("--config", command->config_file, "JSON file with train, model and data keys");
  train->add_option("--set", command->settings, "SECTION.KEY=VALUE, as often as you like")
      ->take_all()
      ->expected(1);
  add_shortcut(*train, "--minutes", "train.minutes", "time to train (train.minutes)", command);
  add_shortcut(*train, "--steps", "train.steps", "steps to train (train.steps)", command);
  add_shortcut(*train, "--seed", "train.seed", "of weights and data (train.seed)", command);
  add_shortcut(*train, "--precision", "train.precision",
               "of the blocks' linear maps: float32 or bf16 (train.precision)", command);
  train->add_flag("--json", command->json, "print one JSON object at the end");
  for (const TaskEntry& entry : trainable_tasks()) {
    CLI::App* sub = train->add_subcommand(entry.name, entry.help);
    for (const auto& [flag, key, help] : entry.make()->shortcuts()) {
      add_shortcut(*sub, flag, key, help, command);
    }
    sub->footer("Example: " + entry.example);
    sub->callback([command, name = entry.name] {
      if (!command->resume.empty()) {
        throw CLI::ValidationError(
            "--resume", "a run knows its task: floydnet train --resume " + command->resume);
      }
      start_run(name, *command);
    });
  }
  train->footer(
      "Example: floydnet train counting --task cycle5 --minutes 5 --out runs/cycle5\n"
      "         floydnet train --resume runs/cycle5\n"
      "All keys of --set stand in the run's config.json and in docs/training.md.");
  train->callback([train, command] {
    if (!train->get_subcommands().empty()) return;
    if (command->resume.empty())
      throw CLI::RequiredError("a task, such as 'counting', or --resume");
    resume_run(*command);
  });
}

}  // namespace floydnet
