// Sampled tours as one HTML page.
#pragma once

#include <string>
#include <vector>

#include "tasks/tsp/data/problem.h"
#include "tasks/tsp/edges/judge.h"
#include "tasks/tsp/edges/judged_figure.h"

namespace floydnet::tsp {

/// Figures, tables, and pictures of some tours beside the optimal ones, where the problems tell
/// where cities are. `overview` is a sentence on how the samples were made.
std::string judged_page(const std::vector<JudgedInstance>& instances,
                        const std::vector<Problem>& problems, const std::string& title,
                        const std::string& overview, TrainedSizes trained);

}  // namespace floydnet::tsp
