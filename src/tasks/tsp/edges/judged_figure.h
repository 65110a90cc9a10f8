// Sampled tours as a figure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/plot.h"
#include "tasks/tsp/edges/judge.h"

namespace floydnet::tsp {

/// The least and the largest number of cities in training, or 0 if they are not known.
using TrainedSizes = std::pair<int, int>;

/// Against the number of cities: optimal tours beside Lin-Kernighan and the prior; what strict
/// decoding gives; F1 beside optimality. Sizes of the training data are shaded.
std::vector<PlotPanel> judged_panels(const std::vector<JudgedInstance>& instances,
                                     TrainedSizes trained);
/// The same as a figure of its own.
std::string judged_svg(const std::vector<JudgedInstance>& instances, TrainedSizes trained);

}  // namespace floydnet::tsp
