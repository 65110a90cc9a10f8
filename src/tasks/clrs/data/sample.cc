#include "tasks/clrs/data/sample.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace floydnet::clrs {
namespace {

void check_sizes(const Spec& spec, const std::vector<Sample>& samples) {
  for (const Sample& sample : samples) {
    if (sample.nodes == samples[0].nodes && sample.values.size() == spec.probes.size()) continue;
    throw std::invalid_argument(
        "samples of " + std::to_string(samples[0].nodes) + " and " + std::to_string(sample.nodes) +
        " nodes with " + std::to_string(sample.values.size()) +
        " arrays do not stack for a spec of " + std::to_string(spec.probes.size()) + " probes");
  }
}

/// values: [steps, element count] of one sample -> column `index` of [steps, samples, ...].
void copy_column(const std::vector<double>& values, int64_t elements, int64_t index,
                 int64_t samples, std::vector<double>& stacked) {
  auto from = values.begin();
  for (int64_t to = index * elements; from != values.end(); to += samples * elements) {
    std::copy(from, from + elements, stacked.begin() + to);
    from += elements;
  }
}

int64_t recorded_snapshots(const Spec& spec, const std::vector<Sample>& samples) {
  int64_t most = 0;
  if (spec.count(Stage::kHint) == 0) return most;
  const int64_t hint = spec.first(Stage::kHint);
  for (const Sample& sample : samples) {
    const int64_t elements = spec.probes[hint].elements(sample.nodes);
    if (elements == 0) continue;
    most = std::max(most, static_cast<int64_t>(sample.values[hint].size()) / elements);
  }
  return most;
}

}  // namespace

void Sample::reset(const Spec& spec, int64_t node_count) {
  nodes = node_count;
  steps = 0;
  values.resize(spec.probes.size());
  for (std::vector<double>& array : values) array.clear();
}

Batch stack(const Spec& spec, const std::vector<Sample>& samples, int64_t least_steps) {
  check_sizes(spec, samples);
  Batch batch;
  batch.samples = static_cast<int64_t>(samples.size());
  batch.nodes = samples.empty() ? 0 : samples[0].nodes;
  batch.steps = least_steps;
  for (const Sample& sample : samples) {
    batch.sample_steps.push_back(sample.steps);
    batch.steps = std::max(batch.steps, sample.steps);
  }
  batch.values.resize(spec.probes.size());
  batch.snapshots = std::max(least_steps, recorded_snapshots(spec, samples));
  for (size_t p = 0; p < spec.probes.size(); ++p) {
    const bool recorded = !samples.empty() && !samples[0].values[p].empty();
    if (!recorded) continue;
    const int64_t elements = spec.probes[p].elements(batch.nodes);
    const int64_t steps = spec.probes[p].stage == Stage::kHint ? batch.snapshots : 1;
    batch.values[p].resize(steps * batch.samples * elements);
    for (int64_t i = 0; i < batch.samples; ++i) {
      copy_column(samples[i].values[p], elements, i, batch.samples, batch.values[p]);
    }
  }
  return batch;
}

}  // namespace floydnet::clrs
