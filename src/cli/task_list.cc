#include "cli/task_list.h"

#include "base/text.h"
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "tasks/clrs/task.h"
#include "tasks/counting/task.h"
#include "train/run_folder.h"

namespace floydnet {
namespace {

template <typename Run>
std::unique_ptr<train::TaskRun> make() {
  return std::make_unique<Run>();
}

LoadedRun configured(nlohmann::json json, const std::string& source) {
  if (!json.is_object() || !json.contains("task") || !json["task"].is_string()) {
    throw InputError::in(source, "\"task\" is missing");
  }
  LoadedRun run = make_run(json["task"].get<std::string>());
  json.erase("task");
  run.config.read(json, source);
  return run;
}

}  // namespace

const std::vector<TaskEntry>& trainable_tasks() {
  static const std::vector<TaskEntry> tasks = {
      {"counting", "Count patterns at graph, node and edge level",
       "floydnet train counting --task cycle5 --minutes 5 --out runs/cycle5",
       make<counting::CountingRun>},
      {"clrs", "Learn one of the 30 algorithms of CLRS",
       "floydnet train clrs --algorithm bfs --minutes 2 --out runs/bfs", make<clrs::ClrsRun>},
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
  throw InputError::in("task", in_quotes(task) + " is unknown" + suggestion(task, names));
}

LoadedRun load_run(const std::string& folder) {
  const train::RunFolder run_folder(folder);
  return configured(run_folder.read_config(), run_folder.config_file());
}

LoadedRun load_run_of_weights(const std::string& file) {
  const std::map<std::string, std::string> metadata = read_safetensors(file).metadata;
  const auto found = metadata.find("floydnet.run");
  if (found == metadata.end() && metadata.count("floydnet.config") > 0) {
    throw InputError::in(file,
                         "a model that no run has trained: floydnet predict computes its outputs");
  }
  if (found == metadata.end()) {
    throw InputError::in(file, "its metadata has no \"floydnet.run\": not weights of a run");
  }
  return configured(nlohmann::json::parse(found->second, nullptr, /*allow_exceptions=*/false),
                    file);
}

bool is_task(const std::string& name) {
  for (const TaskEntry& entry : trainable_tasks()) {
    if (entry.name == name) return true;
  }
  return false;
}

nlohmann::json resolved(const LoadedRun& run) {
  nlohmann::json json = run.config.write();
  json["task"] = run.task;
  return json;
}

}  // namespace floydnet
