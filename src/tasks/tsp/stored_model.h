// Models of edges from files.
#pragma once

#include <string>
#include <utility>

#include "tasks/tsp/edge_model.h"

namespace floydnet::tsp {

struct StoredEdgeModel {
  EdgeModel model{nullptr};
  /// Least and largest number of cities in training; 0 if not known.
  std::pair<int, int> trained = {0, 0};
};

/// The best weights of a run, by its folder, or a file of them. Throws InputError if they are of
/// another task.
StoredEdgeModel load_edge_model(const std::string& path);

/// A checkpoint of the authors' code and its model_config.json, which must say enable_diffusion.
StoredEdgeModel import_edge_model(const std::string& checkpoint, const std::string& config);

}  // namespace floydnet::tsp
