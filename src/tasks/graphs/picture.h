// Plots of how predictions relate to labels.
#pragma once

#include <string>

#include "tasks/graphs/target_metrics.h"

namespace floydnet::graphs {

/// SVG: labels against predictions (their mean and the middle 80 % in groups of equal number; of
/// yes or no, the fraction of yes against its probability), and the main metric by size.
std::string prediction_picture(const Predicted& predicted, const std::string& title);

}  // namespace floydnet::graphs
