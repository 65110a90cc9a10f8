// Models of edges from files.
#pragma once

#include <string>

#include "tasks/tsp/edge_model.h"

namespace floydnet::tsp {

/// The best weights of a run, by its folder, or a file of them. Throws InputError if they are of
/// another task.
EdgeModel load_edge_model(const std::string& path);

/// A checkpoint of the authors' code and its model_config.json, which must say enable_diffusion.
EdgeModel import_edge_model(const std::string& checkpoint, const std::string& config);

}  // namespace floydnet::tsp
