#include "cli/loaded_run.h"

#include <algorithm>

#include "base/text.h"
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "tasks/registry.h"
#include "train/run_folder.h"

namespace floydnet {
namespace {

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

LoadedRun make_run(const std::string& task) {
  std::vector<std::string> names;
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.make_config == nullptr) continue;
    names.push_back(entry.name);
    if (entry.name != task) continue;
    LoadedRun run{task, entry.make_config(), {}};
    run.task_config->add_to(&run.config);
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
  const std::vector<TaskEntry>& tasks = all_tasks();
  return std::any_of(tasks.begin(), tasks.end(), [&name](const TaskEntry& entry) {
    return entry.make_config != nullptr && entry.name == name;
  });
}

nlohmann::json resolved(const LoadedRun& run) {
  nlohmann::json json = run.config.write();
  json["task"] = run.task;
  return json;
}

}  // namespace floydnet
