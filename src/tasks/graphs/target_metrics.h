// How good predictions of a target are, and what tells the best weights.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/metrics.h"
#include "record/table.h"
#include "tasks/graphs/loss.h"
#include "tasks/graphs/metrics/predicted.h"
#include "tasks/graphs/schema/schema.h"

namespace floydnet::graphs {

/// Whether pairs are ranked: then predictions are of all pairs of a graph.
bool is_ranked(const Target& target);

/// All metrics that suit the target. In detail also by column and by size of the graph.
record::Metrics metrics_of(const Predicted& predicted, bool in_detail);

/// The main metric of graphs of some sizes.
struct SizeScore {
  std::string metric;
  int64_t smallest = 0, largest = 0;
  double value = 0;
};
/// About as many graphs in each; those of one size are together. None if all have the same size.
std::vector<SizeScore> scores_by_size(const Predicted& predicted);

/// What the best weights are told by, on no split yet. Unless a metric is named, several targets
/// are told by their loss. InputError if there is no such metric.
record::Goal goal_of(const Schema& schema, const TargetConfig& config);

/// Metrics of all splits side by side, and those of columns and sizes.
std::vector<record::Table> result_tables(const record::SplitMetrics& finals);

}  // namespace floydnet::graphs
