// Combs that are nearly violated, changed until they are.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "tasks/tsp/solver/support.h"

namespace floydnet::tsp {

/// Moves one city after the other into or out of the handle and the teeth of a comb, as long as
/// that lowers the comb's value. Each city may move once without a gain.
class CombTightener {
 public:
  /// `support` has single cities as nodes.
  explicit CombTightener(const Support& support);

  Cut operator()(const Cut& cut);

 private:
  struct Place {
    int tooth;
    bool in_handle;
    bool operator==(const Place& other) const {
      return tooth == other.tooth && in_handle == other.in_handle;
    }
  };
  struct Near {
    int tooth;
    double x;
  };

  /// Whether its tooth, if it has one, keeps a city on either side of the handle without it.
  bool may_leave(const Place& place) const;
  /// What the value grows by.
  double best_move(int city, Place& best) const;
  void move(int city, const Place& to);

  SupportArcs arcs_;
  std::vector<Place> places_;               // by city
  std::vector<int> sideways_;               // by city: moves without a gain
  std::vector<std::array<int, 2>> counts_;  // by tooth: cities outside and inside of the handle
  mutable std::vector<Near> near_;
};

}  // namespace floydnet::tsp
