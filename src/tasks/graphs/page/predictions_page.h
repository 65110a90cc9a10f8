// Predictions beside labels as one HTML page.
#pragma once

#include <string>
#include <vector>

#include "record/table.h"
#include "tasks/graphs/data/graph_set.h"
#include "tasks/graphs/metrics/predicted.h"

namespace floydnet::graphs {

struct PageHeading {
  std::string title;
  std::string overview;  // a sentence on what was predicted
};

/// Tables of metrics; then, of each target, figures, tables, and pictures of the graphs whose
/// predictions are worst. The predictions are of graphs of the set.
std::string predictions_page(const PageHeading& heading, const GraphSet& set,
                             const std::vector<record::Table>& metrics,
                             const std::vector<Predicted>& targets);

}  // namespace floydnet::graphs
