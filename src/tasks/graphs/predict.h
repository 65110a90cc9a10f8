// What a trained model says about a file of graphs, labelled or not.
#pragma once

#include "tasks/graphs/config.h"

namespace floydnet::graphs {

/// To NPZ or, where the output's name ends in .csv, to CSV. InputError, in one line, if the file
/// does not have the features that the run was trained with.
train::PredictionSummary write_predictions(const GraphsConfig& config,
                                           const train::PredictionFiles& files);

}  // namespace floydnet::graphs
