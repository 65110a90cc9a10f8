// A report of runs: one HTML page that needs nothing but itself.
#pragma once

#include <string>
#include <vector>

#include "report/run.h"

namespace floydnet::report {

/// Summary, curves, results and configuration of all runs, of which there is at least one.
std::string report_page(const std::vector<RunRecord>& runs, const std::string& title);

}  // namespace floydnet::report
