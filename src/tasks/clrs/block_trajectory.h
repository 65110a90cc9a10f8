// How the prediction forms from block to block, beside how the algorithm itself proceeds.
#pragma once

#include <string>
#include <vector>

#include "tasks/clrs/batches.h"
#include "tasks/clrs/model.h"

namespace floydnet::clrs {

struct BlockTrajectory {
  /// [blocks][places]: the part of entries in which the outputs decoded after a block are what the
  /// algorithm's hints hold at that place of its trajectory, from its beginning to its end.
  std::vector<std::vector<double>> agreement;
  /// Of each block's outputs, from 0 to 1.
  std::vector<double> scores;
};

/// Hints that hold the outputs as they stand so far: Kadane's best_low and best_high, otherwise
/// what is called as the output with _h behind it. InputError if an output has none, or if the
/// model itself is stepped along the hints.
BlockTrajectory follow_blocks(ClrsModel& model, const Recipe& recipe, const ClrsDataConfig& config);

std::string block_trajectory_svg(const BlockTrajectory& probe, const Recipe& recipe);

}  // namespace floydnet::clrs
