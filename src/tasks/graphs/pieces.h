// A model and the graphs that it is applied to, some at a time.
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

#include "tasks/graphs/config.h"
#include "tasks/graphs/inputs.h"
#include "tasks/graphs/model.h"

namespace floydnet::graphs {

/// The inputs of graphs, with recomputation where they have more tuples than are computed at a
/// time.
GraphInputs piece_inputs(const GraphsConfig& config, const InputBuilder& builder,
                         const std::vector<int64_t>& graphs, bool all_pairs = false);

/// Graphs cut by the configuration's budget of tuples, those of about the same size together.
std::vector<std::vector<int64_t>> pieces_of(const GraphsConfig& config, const GraphSet& set,
                                            const std::vector<int64_t>& graphs);

/// Applies the model, without gradients, to all graphs, piece by piece. `use` is given the graphs
/// of a piece, and of each target the outputs for their rows; of pairs with `all_pairs` for all.
void for_each_piece(const GraphsConfig& config, GraphModel& model, const InputBuilder& builder,
                    const std::vector<int64_t>& graphs, bool all_pairs,
                    const std::function<void(const std::vector<int64_t>& graphs,
                                             const std::vector<torch::Tensor>& outputs)>& use);

/// Rows of a graph that are predicted.
int64_t rows_of(const InputBuilder& builder, Level level, int64_t graph, bool all_pairs = false);

/// [rows, width] float32 of some graphs; NaN where a label is missing. Pairs that are not listed
/// have none, or what the target says of them.
torch::Tensor labels_of(const Target& target, const InputBuilder& builder,
                        const std::vector<int64_t>& graphs, bool all_pairs = false);

}  // namespace floydnet::graphs
