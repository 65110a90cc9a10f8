// Predictions as files: CSV for people, NPZ for programs.
#pragma once

#include <string>
#include <vector>

#include "floydnet/graph_io.h"
#include "tasks/graphs/schema/schema.h"

namespace floydnet::graphs {

/// About all rows of a target: numbers, probabilities of yes, or of each class of each column.
struct TargetPredictions {
  const Target* target = nullptr;
  std::vector<float> values;  // [rows, target->outputs()]
};

/// Names of a target's columns in CSV files: "y", or "y_0", "y_1" of several.
std::vector<std::string> column_names(const Target& target);

/// One line a row: graph (and its name), node, or the ends of an edge or pair; predictions; and
/// labels, as y_true, where the set has them. Classes are followed by the probability of each. The
/// targets must have the same level.
std::string csv_text(const GraphSet& set, const std::vector<TargetPredictions>& predictions);
/// `sizes`, what names the rows, and an array for each target, called as the target's.
NpzArchive npz_predictions(const GraphSet& set, const std::vector<TargetPredictions>& predictions);

}  // namespace floydnet::graphs
