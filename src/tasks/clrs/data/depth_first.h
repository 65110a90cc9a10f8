// The depth-first walk with an explicit stack that six of the algorithms are made of.
#pragma once

#include "tasks/clrs/data/problem.h"

namespace floydnet::clrs {

class Trace;

/// A walk takes turns. In each it discovers the node u if that is new, goes on to its first white
/// neighbour if there is one, and finishes u otherwise. The algorithms differ in what they note at
/// each event, and record a step after it.
class DepthFirstWalk {
 public:
  virtual ~DepthFirstWalk() = default;

 protected:
  enum Color { kWhite, kGrey, kBlack };
  static constexpr int64_t kColors = 3;

  explicit DepthFirstWalk(int64_t nodes)
      : color_(nodes, kWhite), stack_below_(identity(nodes)), nodes_(nodes) {}

  /// Visits all that is white and can be reached from `root`.
  void walk(const Matrix& graph, int64_t root);
  /// From each root that is white when its turn comes.
  void walk_all(const Matrix& graph, const Nodes& roots);
  bool is_white(int64_t node) const { return color_[node] == kWhite; }

  virtual void push() = 0;
  virtual void begin_turn() {}
  virtual bool is_undiscovered() const { return is_white(u_); }
  virtual void discover() {}
  /// The edge from u to the white node v.
  virtual void follow() {}
  /// An edge from u to a node v that is not white. u's edges are met again in each of its turns.
  virtual void meet() {}
  virtual void finish() {}

  Nodes color_;
  Nodes stack_below_;  // hint s_prev; the lowest of the stack and all off it point to themselves
  int64_t stack_top_ = 0;
  int64_t root_ = 0, u_ = 0, v_ = 0;

 private:
  void take_turn(const Matrix& graph);
  bool go_on(const Matrix& graph);

  int64_t nodes_;
};

/// Notes when nodes are discovered and finished.
class TimedWalk : public DepthFirstWalk {
 protected:
  explicit TimedWalk(int64_t nodes)
      : DepthFirstWalk(nodes), discovered_(nodes, 0), finished_(nodes, 0) {}

  bool is_undiscovered() const override { return is_white(u_) || discovered_[u_] == 0; }
  void discover() override { discovered_[u_] = tick(); }
  void finish() override { finished_[u_] = tick(); }

  Reals discovered_, finished_;
  double time_ = 0;

 private:
  /// A running sum: multiples of 0.01 would round differently.
  double tick() { return time_ += 0.01; }
};

/// For the tables of algorithms.
template <typename Walk>
void run_walk(const Problem& problem, Trace& trace) {
  Walk(problem, trace).run();
}

}  // namespace floydnet::clrs
