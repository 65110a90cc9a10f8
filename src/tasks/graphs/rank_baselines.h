// How well pairs are ranked without a model: what the ranking metrics of a run compare with.
#pragma once

#include <string>
#include <vector>

#include "record/table.h"
#include "tasks/graphs/config.h"
#include "tasks/graphs/inputs.h"

namespace floydnet::graphs {

/// A table for each ranked target, with a row for each ranking metric and two columns for each
/// split: for the true labels as scores, which no model can exceed, and for the fraction of true
/// pairs among all training pairs at the same distance. None without training graphs.
std::vector<record::Table> rank_baselines(const GraphsConfig& run, const InputBuilder& builder,
                                          const std::vector<std::string>& splits);

}  // namespace floydnet::graphs
