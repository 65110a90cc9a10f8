// Branch and cut on edges.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "tasks/tsp/solver/exact.h"
#include "tasks/tsp/solver/limit.h"
#include "tasks/tsp/solver/lp.h"
#include "tasks/tsp/solver/support.h"

namespace floydnet::tsp {

/// A node of the search tree. Leaves have the multipliers that prove that nothing better is below.
struct SearchNode {
  int parent = -1;
  Decision decision{};  ///< how it differs from its parent
  Length bound = 0;     ///< in fixed point
  std::array<int, 2> children = {-1, -1};
  Duals duals;
};

class BranchAndCut {
 public:
  /// Looks for tours shorter than `start`, or, if `forbid_start`, for others that are no longer.
  /// Keeps references.
  BranchAndCut(const Instance& instance, const ExactOptions& options, const Limit& limit,
               const Tour& start, bool forbid_start);

  void run();

  /// Whether the search was complete.
  bool complete() const { return complete_; }
  const Tour& best() const { return best_; }
  Length best_length() const { return best_length_; }
  /// No tour that is allowed is shorter.
  Length lower_bound() const;
  bool found_other() const { return found_other_; }

  Length scale() const { return scale_; }
  const CutPool& pool() const { return pool_; }
  /// The first is the root.
  const std::vector<SearchNode>& nodes() const { return nodes_; }
  /// Of the root: edges whose reduced costs exceed the gap are fixed.
  const std::optional<Duals>& elimination() const { return elimination_; }

 private:
  class TailingOff;
  enum class Outcome { kDone, kBranch, kInterrupted };

  /// Whether nothing that matters has this bound.
  bool hopeless(Length bound) const;
  Length target() const;
  void add_first_edges();
  void move_to(int node);
  /// Whether the search can go on.
  bool run_node(int node);
  Outcome solve_node(SearchNode& node, TailingOff tailing_off);
  /// The node's bound from the LP's multipliers, and edges that the LP lacks; whether that settles
  /// the node.
  bool bound_node(SearchNode& node, LpStatus status, std::vector<PricedEdge>& missing);
  bool try_duals(SearchNode& node, const Duals& duals, std::vector<PricedEdge>* missing);
  void add_missing(std::vector<PricedEdge>& missing);
  std::vector<Cut> separate(const Support& support, CutValues& values) const;
  bool add_violated_cuts(const Support& support);
  void offer_tour(const Support& support);
  void offer(const Tour& tour);
  void improve_by_lp(const Support& support);
  void eliminate();
  std::optional<Edge> branching_edge();
  std::optional<Edge> undecided_edge() const;
  bool branch(int node);
  void report() const;

  const Instance& instance_;
  const ExactOptions& options_;
  const Limit& limit_;
  Length scale_;
  bool forbid_start_;
  Tour start_;
  Tour best_;
  Length best_length_;
  bool found_other_ = false;
  bool complete_ = false;
  CutPool pool_;
  Edges edges_;
  Lp lp_;
  std::vector<SearchNode> nodes_;
  std::set<std::pair<Length, int>> open_;  // bound, node
  std::vector<Decision> decisions_;        // in force in the LP
  std::optional<Duals> elimination_;
};

}  // namespace floydnet::tsp
