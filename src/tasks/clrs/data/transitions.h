// Steps of algorithms cut out of their trajectories, so that each is an example of its own.
#pragma once

#include "tasks/clrs/data/problem.h"
#include "tasks/clrs/data/sample.h"

namespace floydnet::clrs {

/// What of a trajectory samples have.
enum class Hints {
  kNone,
  kAll,
  kTransitions,  // in training the two snapshots of a step, in evaluation the first one
  kTrajectories  // all snapshots, as transitions have them
};

/// What becomes of hints that are numbers. Fed back for hundreds of steps, a number drifts; whether
/// one is less than another does not.
enum class NumberHints {
  kOrder,   // of nodes: the pairs mask x_i < x_j; of pairs, where nodes have predecessors i - 1:
            // whether x_ij is less than, equals or exceeds those of (i - 1, j), (i, j - 1) and
            // (i - 1, j - 1), which are 0 where there is none; others are left out
  kValues,  // as they are
  kNone     // left out
};

class TransitionCutter {
 public:
  TransitionCutter(const Spec& spec, NumberHints numbers);

  /// Of the samples that come out.
  const Spec& spec() const { return spec_; }
  /// Of the hints, keeps `count` snapshots from `first` on.
  void cut(Sample& sample, int64_t first, int64_t count) const;

 private:
  enum class Form { kAsItIs, kOrder, kBesideRow, kBesideColumn, kBesideBoth };
  struct Source {
    int64_t place;  // of the probe in the samples that come in
    Form form;
  };

  std::vector<Form> forms_of(const Probe& probe, NumberHints numbers) const;
  static void append(Form form, const double* numbers, int64_t n, const Reals& predecessor,
                     Reals& to);

  Spec original_, spec_;
  int64_t predecessors_;         // the input pred, or -1
  std::vector<Source> sources_;  // of each probe of spec_
};

}  // namespace floydnet::clrs
