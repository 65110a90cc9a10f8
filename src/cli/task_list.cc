#include "cli/task_list.h"

#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/counting/task.h"
#include "train/run_folder.h"

namespace floydnet {
namespace {

template <typename Run>
std::unique_ptr<train::TaskRun> make() {
  return std::make_unique<Run>();
}

}  // namespace

const std::vector<TaskEntry>& trainable_tasks() {
  static const std::vector<TaskEntry> tasks = {
      {"counting", "Count patterns at graph, node and edge level",
       "floydnet train counting --task cycle5 --minutes 5 --out runs/cycle5",
       make<counting::CountingRun>},
  };
  return tasks;
}

LoadedRun make_run(const std::string& task) {
  std::vector<std::string> names;
  for (const TaskEntry& entry : trainable_tasks()) {
    names.push_back(entry.name);
    if (entry.name != task) continue;
    LoadedRun run{task, entry.make(), {}};
    run.run->add_to(&run.config);
    return run;
  }
  throw InputError::in(
      "task", in_quotes(task) + " is unknown; did you mean '" + nearest(task, names) + "'?");
}

LoadedRun load_run(const std::string& folder) {
  const train::RunFolder run_folder(folder);
  nlohmann::json json = run_folder.read_config();
  const std::string file = run_folder.config_file();
  if (!json.contains("task") || !json["task"].is_string()) {
    throw InputError::in(file, "\"task\" is missing");
  }
  LoadedRun run = make_run(json["task"].get<std::string>());
  json.erase("task");
  run.config.read(json, file);
  return run;
}

nlohmann::json resolved(const LoadedRun& run) {
  nlohmann::json json = run.config.write();
  json["task"] = run.task;
  return json;
}

}  // namespace floydnet
