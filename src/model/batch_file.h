// Batches of graphs from files, and predictions to files.
#pragma once

#include <string>

#include "floydnet/model.h"

namespace floydnet {

/// A graph6 file, or an NPZ archive with the arrays of a GraphBatch: `sizes` and whatever the model
/// takes of `node_categories`, `node_reals`, `adjacency`, `pair_categories`, `pair_reals`,
/// `graph_categories` and `graph_reals`; `alpha_bar`, one number a graph, stands for the embedding
/// of a diffusion step. Throws InputError.
GraphBatch read_batch(const std::string& path, const ModelConfig& config);

/// Graphs first to last - 1 of a batch.
GraphBatch graphs_of(const GraphBatch& batch, int64_t first, int64_t last);

/// An NPZ archive of `sizes` and those of `graph`, `node` and `pair` that the model has.
void write_predictions(const std::string& path, const std::vector<int64_t>& sizes,
                       const Predictions& predictions);

}  // namespace floydnet
