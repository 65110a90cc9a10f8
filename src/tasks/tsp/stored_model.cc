#include "tasks/tsp/stored_model.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "tasks/tsp/edges/features.h"
#include "tasks/tsp/task.h"
#include "train/run_folder.h"

namespace floydnet::tsp {

StoredEdgeModel load_edge_model(const std::string& path) {
  const std::string file =
      std::filesystem::is_directory(path) ? train::RunFolder(path).best_file() : path;
  const std::map<std::string, std::string> metadata = read_safetensors(file).metadata;
  const auto found = metadata.find("floydnet.run");
  if (found == metadata.end()) {
    throw InputError::in(file, "its metadata has no \"floydnet.run\": not weights of a run");
  }
  nlohmann::json json = nlohmann::json::parse(found->second, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("task", nlohmann::json()) != "tsp") {
    throw InputError::in(file, "not weights of a run of 'tsp'");
  }
  json.erase("task");
  TspConfig config;
  train::RunConfig sections;
  config.add_to(&sections);
  sections.read(json, file);
  StoredEdgeModel stored = {config.make_model()};
  train::load_weights(*stored.model, file);
  const auto& sizes = config.data.sizes;
  if (!sizes.empty()) {
    const auto [least, largest] = std::minmax_element(sizes.begin(), sizes.end());
    stored.trained = {static_cast<int>(*least), static_cast<int>(*largest)};
  }
  return stored;
}

StoredEdgeModel import_edge_model(const std::string& checkpoint, const std::string& config) {
  FloydNet net = import_published_model(checkpoint, config);
  const ModelConfig& c = net->config();
  const bool is_diffusion = c.pair_reals == 1 && c.graph_reals == c.dim && c.pair_outputs == 1 &&
                            c.pair_categories == std::vector<int64_t>{kPublishedCategories};
  if (!is_diffusion) {
    throw InputError::in(config,
                         "not a diffusion model of tours: wanted enable_diffusion, one "
                         "edge feature with 220 values, and one output an edge");
  }
  return {EdgeModel(net)};
}

}  // namespace floydnet::tsp
