#include "cli/training.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/memory_limit.h"
#include "base/stderr.h"
#include "cli/commands.h"
#include "cli/train_console.h"
#include "console/exit_code.h"
#include "floydnet/error.h"
#include "train/rendezvous.h"
#include "train/world.h"

namespace floydnet {

namespace {

/// All ranks see it, and the first says it.
void require_parts(const train::TrainConfig& config, const train::World& world) {
  const int64_t parts = world.size() * config.accumulate;
  if (config.batch >= parts) return;
  if (!world.first()) throw ExitCode{1};
  throw InputError::in("train.batch", fmt::format("is {}, less than the {} parts of {} ranks",
                                                  config.batch, parts, world.size()));
}

}  // namespace

std::optional<train::Outcome> run_training(LoadedRun& run, const train::RunFolder& folder,
                                           bool is_new) {
  // What is wrong with the machine or the task's data is known before anything is written.
  set_precision(run.task_config->train.precision);
  run.task_config->read_data();
  require_memory("training", run.task_config->memory_needed(train::Place::from_environment().size));
  const std::unique_ptr<train::Task> task = run.task_config->make_task();
  train::World world =
      train::World::join([](const std::string& line) { say(fmt::format("floydnet: {}\n", line)); });
  require_parts(run.task_config->train, world);
  if (is_new && world.first()) folder.create(resolved(run));
  std::unique_ptr<train::RunLock> lock;
  if (world.first()) lock = std::make_unique<train::RunLock>(folder);
  TrainConsole console(run.task_config->train.steps, task->goal().metric);
  std::map<std::string, std::string> metadata = task->metadata();
  metadata["floydnet.run"] = resolved(run).dump();
  train::Trainer trainer(*task, run.task_config->train, folder, world, console, metadata);
  const bool goes_on = trainer.resume();
  if (!is_new && world.first() && !goes_on) {
    console.noted(folder.path() + ": no checkpoint is left; training starts again at step 1");
  }
  train::Outcome outcome = trainer.run();
  if (outcome.signal != 0) {
    console.noted(fmt::format("stopped at step {}; resume with: floydnet train --resume {}",
                              outcome.step, folder.path()));
    throw ExitCode{128 + outcome.signal};
  }
  if (!world.first()) return std::nullopt;
  return outcome;
}

}  // namespace floydnet
