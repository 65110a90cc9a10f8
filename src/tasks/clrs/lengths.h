// Scores of runs against the length of the samples.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "record/table.h"
#include "report/plot.h"

namespace floydnet::clrs {

struct ScoresByLength {
  std::string algorithm;
  std::vector<std::pair<int64_t, double>> scores;  ///< length and score in %, by length
};

/// Reads config.json and lengths.json of a run's folder, which is what `floydnet eval RUN --lengths
/// 16,32,64 --json` prints. Throws InputError.
ScoresByLength read_scores_by_length(const std::string& folder);

/// A row for each algorithm, by category, and their mean; a column for each length.
/// Throws InputError if two runs have the same algorithm.
record::Table lengths_table(const std::vector<ScoresByLength>& runs);

/// A panel for each category, and one with the means of all.
std::vector<PlotPanel> lengths_panels(const std::vector<ScoresByLength>& runs);

}  // namespace floydnet::clrs
