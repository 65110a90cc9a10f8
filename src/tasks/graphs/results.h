// What a model said about the graphs of a split, and how good that was.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "record/metrics.h"
#include "tasks/graphs/inputs.h"
#include "tasks/graphs/loss.h"
#include "tasks/graphs/target_metrics.h"

namespace floydnet::graphs {

/// Numbers about all rows of a split, of all targets. Each part of the split fills in its own, and
/// zeros stand for those of others, so that parts add up to the whole.
class SplitResults {
 public:
  /// Both must outlive it.
  SplitResults(const Schema& schema, const InputBuilder& builder, std::vector<int64_t> graphs);

  /// Whether predictions of pairs are of all pairs.
  bool all_pairs() const { return all_pairs_; }
  int64_t numbers() const { return losses_ + 2 * static_cast<int64_t>(schema_.targets.size()); }
  /// Puts what a model said about some of the graphs into `sums`. Of numbers that is what it said
  /// in the data's units, of yes or no the logit, of classes the class and its probability.
  void add(const std::vector<int64_t>& graphs, const std::vector<torch::Tensor>& outputs,
           const TargetConfig& config, std::vector<double>* sums) const;
  record::Metrics metrics(const std::vector<double>& sums, bool in_detail) const;
  /// All that was said about a target, by its place in the schema.
  Predicted of_target(size_t target, const std::vector<double>& sums) const;

 private:
  const Schema& schema_;
  const InputBuilder& builder_;
  std::vector<int64_t> graphs_;
  bool all_pairs_ = false;
  /// Of each target, where the numbers of each graph begin, and at last the end.
  std::vector<std::vector<int64_t>> first_;
  int64_t losses_ = 0;  // where losses and their weights begin
};

}  // namespace floydnet::graphs
