// floydnet train: trains a task's model, or resumes a run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "cli/commands.h"
#include "cli/evaluation.h"
#include "cli/loaded_run.h"
#include "cli/train_console.h"
#include "cli/training.h"
#include "console/settings.h"
#include "floydnet/error.h"
#include "tasks/registry.h"

namespace floydnet {
namespace {

using Json = nlohmann::json;

struct TrainCommand {
  std::string config_file;
  std::shared_ptr<Settings> settings = std::make_shared<Settings>();
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
          {"splits", record::to_json(outcome.finals)},
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
  json ? fmt::print("{}\n", json_text(outcome_json(*outcome, folder), 2))
       : print_text(*outcome, folder);
}

/// Those of every task.
std::vector<Settings::Flag> common_flags() {
  return {{"--minutes", "train.minutes", "time to train (train.minutes)"},
          {"--steps", "train.steps", "steps to train (train.steps)"},
          {"--seed", "train.seed", "random seed of weights and data (train.seed)"},
          {"--precision", "train.precision",
           "precision of the blocks' linear maps: float32 or bf16 (train.precision)"}};
}

void apply(const TrainCommand& command, LoadedRun* run) {
  std::vector<Settings::Flag> flags = common_flags();
  for (const Settings::Flag& flag : run->task_config->shortcuts()) flags.push_back(flag);
  command.settings->apply(run->task, flags, &run->config);
}

/// The sections of a configuration, which may say which task it is of.
Json sections_for(const std::string& task, const std::string& file) {
  Json json = train::read_json_object(file);
  const auto found = json.find("task");
  if (found == json.end()) return json;
  if (*found != task) {
    throw InputError::in(file, fmt::format("\"task\" is {}, but '{}' is to be trained",
                                           found->dump(-1, ' ', true), task));
  }
  json.erase(found);
  return json;
}

void start_run(const std::string& task, const TrainCommand& command) {
  if (command.out.empty()) throw CLI::RequiredError("--out");
  LoadedRun run = make_run(task);
  if (!command.config_file.empty()) {
    run.config.read(sections_for(task, command.config_file), command.config_file);
  }
  apply(command, &run);
  run.task_config->train.complete(command.config_file.empty() ? "train" : command.config_file);
  train_run(run, command.out, /*is_new=*/true, command.json);
}

void resume_run(const TrainCommand& command) {
  if (!command.config_file.empty() || !command.out.empty()) {
    throw CLI::ValidationError("--resume", "a run has its own configuration and folder");
  }
  const std::string outside = command.settings->outside("train");
  if (!outside.empty()) throw CLI::ValidationError(outside, "only train.* may change on the way");
  LoadedRun run = load_run(command.resume);
  apply(command, &run);
  run.task_config->train.complete(command.resume);
  train_run(run, command.resume, /*is_new=*/false, command.json);
}

}  // namespace

void add_train_command(CLI::App& app) {
  auto command = std::make_shared<TrainCommand>();
  CLI::App* train = app.add_subcommand("train", "Train a model, or resume a run");
  train->fallthrough();
  train->require_subcommand(0, 1);
  train->add_option("--out", command->out, "folder of the new run");
  train->add_option("--resume", command->resume, "folder of the run to resume");
  train->add_option("--config", command->config_file, "JSON file with train, model and data keys");
  Settings::add_set(*train, command->settings, "a setting, SECTION.KEY=VALUE; may be repeated");
  for (const auto& [flag, key, help] : common_flags()) {
    Settings::add_flag(*train, command->settings, flag, help);
  }
  train->add_flag("--json", command->json, "print one JSON object at the end");
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.make_config == nullptr) continue;
    CLI::App* sub = train->add_subcommand(entry.name, entry.summary);
    for (const auto& [flag, key, help] : entry.make_config()->shortcuts()) {
      Settings::add_flag(*sub, command->settings, flag, help);
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
      "The run's config.json lists all keys of --set; docs/training.md explains them.");
  train->callback([train, command] {
    if (!train->get_subcommands().empty()) return;
    if (command->resume.empty())
      throw CLI::RequiredError("a task, such as 'counting', or --resume");
    resume_run(*command);
  });
}

}  // namespace floydnet
