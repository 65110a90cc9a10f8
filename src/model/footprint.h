// About how much memory a model takes, known before any is taken.
#pragma once

#include "floydnet/model.h"

namespace floydnet {

/// A lower bound of the parameters that a model of this configuration has; a double, since a
/// hostile file may claim anything.
double least_parameters(const ModelConfig& config);

/// What is computed at a time: tuple states of graphs of up to `nodes` nodes.
struct StateSize {
  double rows = 0;
  double nodes = 0;

  /// Of `graphs` graphs, all of that size; the SuperNode counts.
  static StateSize of_graphs(const ModelConfig& config, double graphs, double nodes);
};

/// In bytes, for float32: parameters, and the states of one block.
double evaluation_bytes(const ModelConfig& config, StateSize size);
/// The same with gradients, AdamW's moments and an average of weights, and with what `passes` of
/// all blocks keep for the backward pass.
double training_bytes(const ModelConfig& config, StateSize size, double passes);

}  // namespace floydnet
