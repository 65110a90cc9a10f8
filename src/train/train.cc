#include "floydnet/train.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "floydnet/error.h"
#include "train/config.h"
#include "train/run_folder.h"
#include "train/trainer.h"
#include "train/world.h"

namespace floydnet::train {

Observer::~Observer() = default;
void Observer::stepped(const StepReport& /*report*/) {}
void Observer::evaluated(const EvaluationReport& /*report*/) {}
void Observer::noted(const std::string& /*line*/) {}

Outcome train(Task& task, TrainConfig config, const std::string& path, Observer* observer) {
  config.complete(path);
  config.table().check("train");
  set_precision(config.precision);
  World world = World::join();
  const int64_t parts = world.size() * config.accumulate;
  if (config.batch < parts) {
    throw InputError::in("train.batch", fmt::format("is {}, less than the {} parts of {} ranks",
                                                    config.batch, parts, world.size()));
  }
  const RunFolder folder(path);
  const nlohmann::json run = {{"train", config.table().write()}};
  std::unique_ptr<RunLock> lock;
  if (world.first()) {
    if (!std::filesystem::exists(folder.config_file())) folder.create(run);
    lock = std::make_unique<RunLock>(folder);
  }
  Observer silent;
  std::map<std::string, std::string> metadata = task.metadata();
  metadata.emplace("floydnet.run", run.dump());
  Trainer trainer(task, config, folder, world, observer != nullptr ? *observer : silent, metadata);
  trainer.resume();
  return trainer.run();
}

}  // namespace floydnet::train
