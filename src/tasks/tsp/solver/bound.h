// Lower bounds in integers, from multipliers that a linear program suggests.
#pragma once

#include <utility>
#include <vector>

#include "tasks/tsp/solver/cut.h"
#include "tasks/tsp/solver/greedy.h"

namespace floydnet::tsp {

/// Multipliers in fixed point. Whatever their values, they give a valid bound if those of the cuts
/// are not negative.
struct Duals {
  std::vector<Length> cities;
  std::vector<std::pair<int, Length>> cuts;  ///< number in the pool, multiplier
  Length forbidden = 0;  ///< of x(T) <= n - 2, where a tour T is forbidden; even
};

/// One in fixed point: small enough that sums of scaled weights stay far from overflow.
Length fixed_point_scale(const Instance& instance);
/// The nearest multiplier, at most 2^52 either way.
Length to_fixed_point(double value, Length scale);

/// Edges of the problem, without those that are known to be in no better tour.
class Edges {
 public:
  explicit Edges(const Instance& instance) : cities_(instance.cities()) {}

  /// Calls visit(u, v), u < v.
  template <typename Visit>
  void for_each(Visit visit) const {
    if (reduced_) {
      for (const auto& [u, v] : left_) visit(u, v);
      return;
    }
    for (int u = 0; u < cities_; ++u) {
      for (int v = u + 1; v < cities_; ++v) visit(u, v);
    }
  }
  void keep(std::vector<Edge> edges) {
    left_ = std::move(edges);
    reduced_ = true;
  }
  /// Known to be in all better tours.
  std::vector<Edge> fixed;

 private:
  int cities_;
  bool reduced_ = false;
  std::vector<Edge> left_;
};

/// What branching says: the edge is in the tour, or not.
struct Decision {
  Edge edge;
  bool taken;
};

struct PricedEdge {
  Edge edge;
  Length cost;
};

/// c_uv - pi_u - pi_v - sum of the multipliers of all sets that separate u and v, in fixed point.
class ReducedCosts {
 public:
  /// `forbidden` may be null.
  ReducedCosts(const Instance& instance, Length scale, const CutPool& pool, const Duals& duals,
               const Tour* forbidden);

  Length operator()(int u, int v) const { return at_least(u, v) + 2 * common(u, v); }
  /// Lower, and fast to compute: as if no set held both cities.
  Length at_least(int u, int v) const {
    return instance_.row(u)[v] * scale_ - potential_[u] - potential_[v];
  }
  /// The bound of the relaxation, times the scale: 2 sum pi + sum mu rhs + sum min(0, reduced
  /// cost), with the costs of edges that are taken in full, and without those that are not. Appends
  /// edges with negative costs to `negative`, if given.
  Length bound(const Edges& edges, const std::vector<Decision>& decisions,
               std::vector<PricedEdge>* negative) const;

 private:
  Length common(int u, int v) const;

  struct Membership {
    int set;
    Length multiplier;
  };

  const Instance& instance_;
  Length scale_;
  __int128 constant_ = 0;
  std::vector<Length> potential_;
  std::vector<std::vector<Membership>> sets_of_;  // by city, in the order of sets
  std::vector<int> next_forbidden_;
  Length forbidden_ = 0;
};

}  // namespace floydnet::tsp
