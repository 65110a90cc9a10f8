// What a trained model says about graphs, labelled or not.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tasks/graphs/config.h"
#include "tasks/graphs/model.h"
#include "tasks/graphs/prediction_table.h"

namespace floydnet::graphs {

class TrainedModel {
 public:
  /// `weights` is the file of a run of this configuration.
  TrainedModel(GraphsConfig config, const std::string& weights);

  const Schema& schema() const { return config_.schema; }
  /// Of each target of the schema. `finished`, which may be empty, is told how many graphs of how
  /// many are done. InputError names `source`, in one line, if the graphs do not have the features
  /// that the run was trained with.
  std::vector<TargetPredictions> predict(const std::shared_ptr<const GraphSet>& set,
                                         const std::string& source,
                                         const std::function<void(int64_t, int64_t)>& finished);

 private:
  GraphsConfig config_;
  GraphModel model_{nullptr};
};

/// To NPZ or, where the output's name ends in .csv, to CSV.
train::PredictionSummary write_predictions(const GraphsConfig& config,
                                           const train::PredictionFiles& files);

}  // namespace floydnet::graphs
