// Steps of algorithms cut out of their trajectories, so that each is an example of its own.
#pragma once

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
  kOrder,   // of nodes: the pairs mask x_i < x_j; of edges and graphs: left out
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
  struct Source {
    int64_t place;  // of the probe in the samples that come in
    bool is_order;
  };

  Spec original_, spec_;
  std::vector<Source> sources_;  // of each probe of spec_
};

}  // namespace floydnet::clrs
