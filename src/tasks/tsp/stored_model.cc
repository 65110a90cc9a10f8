#include "tasks/tsp/stored_model.h"

#include <algorithm>

#include "floydnet/error.h"
#include "tasks/tsp/edges/features.h"
#include "tasks/tsp/task.h"
#include "train/run_folder.h"

namespace floydnet::tsp {

StoredEdgeModel load_edge_model(const std::string& path) {
  const train::RunWeights weights = train::find_run_weights(path, "tsp");
  TspConfig config;
  train::RunConfig sections;
  config.add_to(&sections);
  sections.read(weights.config, weights.file);
  StoredEdgeModel stored = {config.make_model()};
  train::load_weights(*stored.model, weights.file);
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
