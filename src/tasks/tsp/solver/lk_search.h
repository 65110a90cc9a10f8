// The Lin-Kernighan step: chains of exchanges that pay off as a whole.
#pragma once

#include <vector>

#include "tasks/tsp/solver/neighbours.h"
#include "tasks/tsp/solver/tour_array.h"

namespace floydnet::tsp {

/// Removes the edge between t1 and t2 = next(t1), which leaves a path from t2 to t1, and exchanges
/// edges of that path as long as what was removed outweighs what was added.
class LkSearch {
 public:
  /// Keeps references.
  LkSearch(const Instance& instance, const Neighbours& neighbours, TourArray& tour);

  /// By how much the tour got shorter; 0 if nothing was found, and the tour is as before.
  Length improve(int t1);
  /// Cities whose edges the last successful improvement changed.
  const std::vector<int>& touched() const { return touched_; }

  /// Reverses a path, and remembers how to undo it.
  void reverse(int first, int last);
  std::size_t mark() const { return log_.size(); }
  void undo_to(std::size_t mark);
  void forget() { log_.clear(); }

 private:
  /// A path from t2 to t1 and what it gained so far.
  struct State {
    int t1;
    int t2;
    Length gain;
  };
  enum class Kind { kFromT2, kFromT1, kSwap, kReverseBoth };
  struct Move {
    Kind kind;
    int c;
    int d;
    Length gain;
  };
  struct Flip {
    int first;
    int last;
  };
  struct AddedEdge {
    int u;
    int v;
  };
  class Best;

  Length weight(int u, int v) const { return instance_.row(u)[v]; }
  bool may_remove(int u, int v) const;
  void collect(const State& state, int level, Best& best) const;
  void collect_from_t2(const State& state, Best& best) const;
  void collect_from_t1(const State& state, Best& best) const;
  void collect_three_exchanges(const State& state, Best& best) const;
  State apply(const State& state, const Move& move);
  void turn();
  void search(const State& state, int level);
  void touch_all(std::initializer_list<int> cities);

  const Instance& instance_;
  const Neighbours& neighbours_;
  TourArray& tour_;
  int max_depth_;
  std::vector<Flip> log_;
  std::vector<AddedEdge> added_;
  std::vector<int> touched_;
  Length best_gain_ = 0;
  std::size_t best_mark_ = 0;
  std::size_t best_touched_ = 0;
};

}  // namespace floydnet::tsp
