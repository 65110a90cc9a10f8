// Plots and tables of predictions beside labels.
#pragma once

#include <vector>

#include "record/table.h"
#include "report/plot.h"
#include "tasks/graphs/metrics/predicted.h"

namespace floydnet::graphs {

/// Columns of a target that are shown; of more, the first ones.
constexpr int64_t kMostColumnsShown = 12;

/// One a column: of numbers, predictions against labels, as many points as can be told apart and
/// the largest errors among them; of yes or no, how often each probability is given to true and
/// to false ones. None of classes.
std::vector<PlotPanel> agreement_panels(const Predicted& p);

/// Of yes or no the four counts of each column; of classes labels against predictions, or, where
/// they are many, the most frequent mistakes.
std::vector<record::Table> confusion_tables(const Predicted& p);

/// Mean errors, in the data's units, or the share of wrong ones, by the size of graphs. Of one
/// column of numbers also the median and what 90 % of the errors stay below. The panel has no
/// series where all graphs have the same size.
PlotPanel size_panel(const Predicted& p);
record::Table size_table(const Predicted& p);

}  // namespace floydnet::graphs
