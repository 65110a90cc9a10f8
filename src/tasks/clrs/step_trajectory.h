// How far a model of transitions follows the algorithm, step by step.
#pragma once

#include <string>
#include <vector>

#include "tasks/clrs/batches.h"
#include "tasks/clrs/model.h"

namespace floydnet::clrs {

struct StepTrajectory {
  struct OfHint {
    std::string name;
    /// [places]: the part of entries that are right at that place of the trajectory, from its
    /// beginning to its end.
    std::vector<double> right;
    /// Samples in which this hint was wrong before, or at the same step as, all others.
    int64_t first_wrong = 0;
  };
  std::vector<OfHint> hints;
  /// [places]: the part of samples in which nothing has been wrong so far.
  std::vector<double> intact;
  int64_t samples = 0;
};

/// The model carries out the algorithm by itself; its hints are compared with the true ones.
/// InputError unless it is a model of transitions.
StepTrajectory follow_steps(ClrsModel& model, const Recipe& recipe, const ClrsDataConfig& config);

std::string step_trajectory_svg(const StepTrajectory& followed, const Recipe& recipe);

}  // namespace floydnet::clrs
