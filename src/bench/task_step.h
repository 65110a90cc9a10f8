// A task's own training step, and where its time goes.
#pragma once

#include <map>
#include <string>

#include "train/task_config.h"

namespace floydnet::bench {

struct TaskStep {
  int64_t steps = 0;   // that were measured
  double seconds = 0;  // of the fastest
  double mean_seconds = 0;
  int64_t examples = 0;                 // of one
  std::map<std::string, double> parts;  // seconds of a step on average, all threads together
};

/// Steps for at least so many seconds, two or more, after two that are not counted. Batches are
/// made within a step here, since what a thread beside it would take could not be told apart.
TaskStep run_task_step(const train::TaskConfig& config, double seconds);

/// The parts by size, with their shares.
void print_parts(const TaskStep& step);

}  // namespace floydnet::bench
