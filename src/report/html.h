// A report of runs: one HTML page that needs nothing but itself.
#pragma once

#include <string>
#include <vector>

#include "record/run.h"

namespace floydnet::report {

struct PageOptions {
  std::string title = "Training runs";
  std::vector<record::Table> of_several = {};  ///< before the results of each run
  /// Settings, "section.name", that final metrics are drawn against.
  std::vector<std::string> against = {};
};

/// Summary, curves, results and configuration of all runs, of which there is at least one.
std::string report_page(const std::vector<record::RunRecord>& runs, const PageOptions& options);

}  // namespace floydnet::report
