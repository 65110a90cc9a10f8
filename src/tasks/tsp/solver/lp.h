// The linear program: degree equations, cuts, bounds of edges.
#pragma once

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

#include "tasks/tsp/solver/bound.h"
#include "tasks/tsp/solver/limit.h"

namespace floydnet::tsp {

enum class LpStatus { kOptimal, kInfeasible, kInterrupted };

class Lp {
 public:
  /// Keeps references. `forbidden` may be null.
  Lp(const Instance& instance, Length scale, const CutPool& pool, const Tour* forbidden,
     const Limit& limit);
  ~Lp();

  bool has(const Edge& edge) const { return columns_.count(key(edge)) > 0; }
  void add_edges(const std::vector<Edge>& edges);
  /// By their numbers in the pool; those that are there already are left out. How many are new.
  int add_cuts(const std::vector<int>& cuts);
  /// Removes cuts that have been slack for `rounds` optima in a row.
  void remove_slack_cuts(int rounds);
  /// Removes all others; where they are in the basis they stay, at zero.
  void keep_edges(const std::vector<Edge>& edges);
  void fix(const Edge& edge, bool taken);
  void release(const Edge& edge);

  LpStatus solve();
  /// Edges of the solution, and how much of each is in it.
  const std::vector<Edge>& edges() const { return edges_; }
  const double* values() const;
  /// Those of the last solve; where that was infeasible, with the ray that proves it, times `ray`
  /// and the largest cost.
  Duals duals(double ray) const;
  int cuts() const { return static_cast<int>(rows_.size()); }
  /// Its number in the pool.
  int cut(int i) const { return rows_[i].cut; }

  struct Trial {
    int column;
    double down;  ///< growth of the objective without the edge
    double up;    ///< with it
  };
  /// Tries to branch on each column, with few iterations.
  void try_branches(std::vector<Trial>& trials, int iterations);

 private:
  struct Row {
    int cut;
    int slack_rounds;
  };
  struct Model;

  std::int64_t key(const Edge& edge) const {
    return static_cast<std::int64_t>(std::min(edge.u, edge.v)) * instance_.cities() +
           std::max(edge.u, edge.v);
  }
  double objective_with(int column, double value, const std::vector<unsigned char>& basis);
  int first_cut_row() const { return instance_.cities() + (next_forbidden_.empty() ? 0 : 1); }

  const Instance& instance_;
  Length scale_;
  Length least_ = 0;  // weight; costs are what weights exceed it by, times cost_unit_
  double cost_unit_ = 1;
  double largest_cost_ = 1;
  const CutPool& pool_;
  std::vector<int> next_forbidden_;  // by city; empty if no tour is forbidden
  std::unique_ptr<Model> model_;
  std::vector<Edge> edges_;  // by column
  std::unordered_map<std::int64_t, int> columns_;
  std::vector<Row> rows_;    // from first_cut_row() on
  std::vector<bool> in_lp_;  // by cut
};

}  // namespace floydnet::tsp
