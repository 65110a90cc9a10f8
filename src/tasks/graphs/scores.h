// Metrics of predictions, as the official evaluators of benchmarks compute them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/metrics.h"
#include "record/table.h"
#include "tasks/graphs/loss.h"
#include "tasks/graphs/schema/schema.h"

namespace floydnet::graphs {

/// What a model said about all rows of a target in some graphs, beside the labels.
struct Predicted {
  const Target* target = nullptr;
  const GraphSet* set = nullptr;
  std::vector<int64_t> graphs;
  std::vector<int64_t> first_entry;  // of each graph, and at last the end
  std::vector<float> labels;         // [rows, width]; NaN where there is none
  std::vector<double> values;        // [rows, width]: numbers, logits of yes, or classes
};

/// All metrics that suit the target. In detail also by column and by size of the graph.
record::Metrics scores_of(const Predicted& predicted, bool in_detail);

/// What the best weights are told by, on no split yet. Several targets are told by their loss
/// unless a metric is named. InputError if no target has such a metric.
record::Goal goal_of(const Schema& schema, const TargetConfig& config);

/// Metrics of all splits side by side, and those by size.
std::vector<record::Table> result_tables(const record::SplitMetrics& finals);

}  // namespace floydnet::graphs
