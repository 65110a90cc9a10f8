// Final metrics of several runs against one of their settings, such as depth or the size of the
// data.
#pragma once

#include <string>
#include <vector>

#include "record/run.h"
#include "report/plot.h"

namespace floydnet::report {

/// A panel for each metric that is the goal of a run, with a line for each split. Runs with the
/// same value of the setting count by their mean; those without final results are left out. `key`
/// is "section.name"; InputError if a run has no such number.
std::vector<PlotPanel> panels_against(const std::vector<record::RunRecord>& runs,
                                      const std::string& key);

}  // namespace floydnet::report
