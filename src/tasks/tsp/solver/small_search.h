// Depth-first search with bounds from 1-trees (Held and Karp): for few cities it takes a fraction
// of the time that a linear program takes to set up.
#pragma once

#include <optional>
#include <vector>

#include "tasks/tsp/data/instance.h"

namespace floydnet::tsp {

inline constexpr int kMaxSmallCities = 30;

class SmallSearch {
 public:
  /// Looks for tours shorter than `start`, or, if `forbid_start`, for another that is no longer.
  SmallSearch(const Instance& instance, const Tour& start, bool forbid_start);

  /// Whether the search was complete. It is given up after some thousand nodes.
  bool run();
  const Tour& best() const { return best_; }
  bool found_other() const { return found_other_; }
  int nodes() const { return nodes_; }

 private:
  enum class State : char { kFree, kIn, kOut };
  struct OneTree {
    std::vector<std::pair<int, int>> edges;
    std::vector<int> degrees;
    Length bound = 0;  ///< in fixed point
  };
  struct Node {
    std::vector<State> states;  // [cities, cities]
    std::vector<Length> potentials;
  };

  State& state(Node& node, int u, int v) const { return node.states[u * n_ + v]; }
  bool decide(Node& node, int u, int v, State decision) const;
  Length cost(const Node& node, int u, int v) const;
  bool one_tree(const Node& node, OneTree& tree) const;
  bool ascend(Node& node, OneTree& tree, int steps) const;
  bool hopeless(Length bound) const { return bound > target_ * kScale; }
  std::pair<int, int> branching_edge(const Node& node, const OneTree& tree) const;
  bool is_forbidden(const OneTree& tree) const;
  void offer(const OneTree& tree);
  void visit(Node node, int steps);

  static constexpr Length kScale = 256;

  const Instance& instance_;
  int n_;
  bool forbid_start_;
  std::vector<int> next_;  // in the tour to start from
  Tour best_;
  Length target_;  // tours longer than this do not matter
  bool found_other_ = false;
  int nodes_ = 0;
};

}  // namespace floydnet::tsp
