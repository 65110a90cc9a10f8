// How the benchmark scores predictions of outputs.
#pragma once

#include <torch/types.h>

#include <string>
#include <utility>
#include <vector>

#include "tasks/clrs/features.h"

namespace floydnet::clrs {

/// Scores of all samples together, not means over batches:
///
///   mask                       F1 of the positive class; entries of truth -1 do not count
///   mask_one, categorical      the part of right rows among those without a -1
///   pointer                    the part of right pointers
///   permutation and its mask   one output: the node of the mask points to itself
///   scalar                     mean squared error
class Scores {
 public:
  explicit Scores(const Spec& spec);

  /// predictions: of each output, as the Decoder gives them.
  void add(const std::vector<torch::Tensor>& predictions, const BatchTensors& batch);

  /// All that scores are made of, such that those of several parts of a set add up.
  std::vector<double> sums() const;
  void add(const std::vector<double>& sums);

  /// Of each output, from 0 to 1.
  std::vector<std::pair<std::string, double>> by_output() const;
  /// The algorithm's: their mean.
  double mean() const;
  /// The part of the samples whose outputs are all right. Scalars, of which none can be, are left
  /// out.
  double whole() const;
  double samples() const { return samples_; }

 private:
  struct Tally {
    std::string name;
    Type type;
    size_t output;                     // its first, of a permutation and its mask
    double right = 0, counted = 0;     // of rows or pointers; squared errors of scalars
    double predicted = 0, actual = 0;  // positives of masks, of which `right` are both
  };

  /// Adds output p; [samples, ...], true where it is wrong, or undefined if that cannot be said.
  torch::Tensor add_output(Tally& tally, size_t p, const std::vector<torch::Tensor>& predictions,
                           const BatchTensors& batch);

  std::vector<Probe> outputs_;
  int64_t first_output_;
  std::vector<Tally> tallies_;
  double whole_ = 0, samples_ = 0;
};

}  // namespace floydnet::clrs
