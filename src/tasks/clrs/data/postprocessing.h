// What the official training script does to samples before a model sees them. None of it is part
// of the stored benchmark.
#pragma once

#include "tasks/clrs/data/algorithm.h"
#include "tasks/clrs/data/random_state.h"

namespace floydnet::clrs {

struct Postprocessing {
  /// Sorted uniform numbers instead of i / n, one run for each string. For training and
  /// validation, never for testing.
  bool random_positions = true;
  /// Where the hint pred_h does not change over time, it becomes the input pred.
  bool predecessor_as_input = true;
  /// A sort's pointers become a cyclic permutation, in which the first node points to the last,
  /// and the mask pred_mask of the first. Otherwise they are plain pointers.
  bool permutation_outputs = true;
};

/// The input pred: each node points to the one before it, the first of each string to itself.
Reals predecessors(const Reals& positions);

class Postprocessor {
 public:
  Postprocessor(const Algorithm& algorithm, const Postprocessing& options);

  /// Of the samples that come out.
  const Spec& spec() const { return spec_; }
  /// `random` is for positions, and not touched without them. As in the script, it is not the
  /// sampler's.
  void apply(Sample& sample, RandomState& random) const;

 private:
  Postprocessing options_;
  int64_t positions_;    // the input pos
  int64_t order_hint_;   // the hint to drop, or -1
  int64_t order_input_;  // where the input pred is put
  int64_t permutation_;  // the output to convert, or -1
  Spec spec_;
};

}  // namespace floydnet::clrs
