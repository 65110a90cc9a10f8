#include "cli/training.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/train_console.h"
#include "train/world.h"

namespace floydnet {

std::optional<train::Outcome> run_training(LoadedRun& run, const train::RunFolder& folder,
                                           bool is_new) {
  // What is wrong with the machine or the task's data is known before anything is written.
  set_precision(run.run->train.precision);
  const std::unique_ptr<train::Task> task = run.run->make_task();
  train::World world = train::World::join();
  if (is_new && world.first()) folder.create(resolved(run));
  std::unique_ptr<train::RunLock> lock;
  if (world.first()) lock = std::make_unique<train::RunLock>(folder);
  TrainConsole console(run.run->train.steps, task->goal().metric);
  std::map<std::string, std::string> metadata = task->metadata();
  metadata["floydnet.run"] = resolved(run).dump();
  train::Trainer trainer(*task, run.run->train, folder, world, console, metadata);
  trainer.resume();
  train::Outcome outcome = trainer.run();
  if (outcome.signal != 0) {
    console.noted(fmt::format("stopped at step {}; go on by: floydnet train --resume {}",
                              outcome.step, folder.path()));
    throw ExitCode{128 + outcome.signal};
  }
  if (!world.first()) return std::nullopt;
  return outcome;
}

}  // namespace floydnet
