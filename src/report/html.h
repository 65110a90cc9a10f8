// A report of runs: one HTML page that needs nothing but itself.
#pragma once

#include <string>
#include <vector>

#include "record/run.h"

namespace floydnet::report {

/// Summary, curves, results and configuration of all runs, of which there is at least one, and
/// before the results of each the tables that are of several.
std::string report_page(const std::vector<record::RunRecord>& runs, const std::string& title,
                        const std::vector<record::Table>& of_several = {});

}  // namespace floydnet::report
