// One solved problem, and several stacked as the official benchmark stacks them.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/clrs/data/spec.h"

namespace floydnet::clrs {

/// One solved problem. Its arrays stand in the order of the Spec's probes.
struct Sample {
  int64_t nodes = 0;
  /// Steps of the algorithm, at least 1; known even where hints are not recorded.
  int64_t steps = 0;
  /// Inputs and outputs: [probe.elements(nodes)]. Hints: [steps, probe.elements(nodes)], or empty
  /// where they are not recorded.
  std::vector<std::vector<double>> values;

  /// Empties the arrays and keeps their memory, so that a stream needs no more than its largest
  /// sample.
  void reset(const Spec& spec, int64_t node_count);
};

/// Samples of equal size in the official layout: inputs and outputs [batch, ...], hints
/// [steps, batch, ...], padded with zeros.
struct Batch {
  int64_t samples = 0;
  int64_t nodes = 0;
  int64_t steps = 0;
  std::vector<int64_t> sample_steps;  // of each
  int64_t snapshots = 0;              // of hints: as many as steps, unless samples have fewer
  std::vector<std::vector<double>> values;
};

/// Pads to the longest sample or to `least_steps`, whichever is more. Hints that were not recorded
/// stay empty. Throws std::invalid_argument for samples of different sizes.
Batch stack(const Spec& spec, const std::vector<Sample>& samples, int64_t least_steps = 0);

}  // namespace floydnet::clrs
