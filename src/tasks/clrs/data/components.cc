// articulation_points, bridges, strongly_connected_components.
#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/depth_first.h"
#include "tasks/clrs/data/sorted_order.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {
namespace {

/// Notes how far back each subtree reaches: low.
class LowWalk : public TimedWalk {
 protected:
  explicit LowWalk(const Problem& problem)
      : TimedWalk(problem.nodes),
        graph_(problem.graph),
        parent_(identity(problem.nodes)),
        low_(problem.nodes, 0) {}

  /// `child` is a child of u in the tree and finished, or u itself where that is a root.
  virtual void leave_child(int64_t child) = 0;

  void discover() override {
    TimedWalk::discover();
    low_[u_] = time_;
  }
  void follow() override { parent_[v_] = u_; }
  void meet() override {
    if (v_ == parent_[u_]) return;
    low_[u_] = std::min(low_[u_], discovered_[v_]);
    push();
  }
  void finish() override {
    TimedWalk::finish();
    for (int64_t child = 0; child < graph_.size(); ++child) {
      if (parent_[child] != u_) continue;
      low_[u_] = std::min(low_[u_], low_[child]);
      leave_child(child);
    }
  }

  const Matrix& graph_;
  Nodes parent_;
  Reals low_;
};

class ArticulationPoints : public LowWalk {
 public:
  ArticulationPoints(const Problem& problem, Trace& trace)
      : LowWalk(problem), is_cut_(problem.nodes, 0), children_(problem.nodes, 0), trace_(trace) {}

  void run() {
    trace_.inputs(Positions{}, graph_, Adjacency{graph_});
    walk_all(graph_, identity(graph_.size()));
    trace_.outputs(is_cut_);
  }

 private:
  static constexpr double kChild = 0.01;

  void push() override {
    trace_.push(is_cut_, parent_, OneHot{color_, kColors}, discovered_, finished_, low_, children_,
                stack_below_, One{root_}, One{u_}, One{v_}, One{stack_top_}, time_);
  }
  void follow() override {
    LowWalk::follow();
    children_[u_] += kChild;
  }
  void leave_child(int64_t child) override {
    if (parent_[u_] != u_ && low_[child] >= discovered_[u_]) is_cut_[u_] = 1;
  }
  void finish() override {
    LowWalk::finish();
    if (parent_[u_] == u_ && children_[u_] > kChild) is_cut_[u_] = 1;
  }

  Reals is_cut_;
  Reals children_;  // hundredths of their number
  Trace& trace_;
};

class Bridges : public LowWalk {
 public:
  Bridges(const Problem& problem, Trace& trace)
      : LowWalk(problem), is_bridge_(problem.nodes), trace_(trace) {
    for (int64_t i = 0; i < problem.nodes; ++i) {
      for (int64_t j = 0; j < problem.nodes; ++j) {
        is_bridge_(i, j) = i == j || graph_(i, j) != 0 ? 0 : kMasked;
      }
    }
  }

  void run() {
    trace_.inputs(Positions{}, graph_, Adjacency{graph_});
    walk_all(graph_, identity(graph_.size()));
    trace_.outputs(is_bridge_);
  }

 private:
  void push() override {
    trace_.push(is_bridge_, parent_, OneHot{color_, kColors}, discovered_, finished_, low_,
                stack_below_, One{root_}, One{u_}, One{v_}, One{stack_top_}, time_);
  }
  void leave_child(int64_t child) override {
    if (low_[child] > discovered_[u_]) is_bridge_(u_, child) = is_bridge_(child, u_) = 1;
  }

  Matrix is_bridge_;
  Trace& trace_;
};

/// Kosaraju's: a walk, and another on the transpose in the order of decreasing finishing times.
class StronglyConnectedComponents : public TimedWalk {
 public:
  StronglyConnectedComponents(const Problem& problem, Trace& trace)
      : TimedWalk(problem.nodes),
        graph_(problem.graph),
        transposed_(problem.nodes),
        component_(identity(problem.nodes)),
        trace_(trace) {
    for (int64_t i = 0; i < problem.nodes; ++i) {
      for (int64_t j = 0; j < problem.nodes; ++j) transposed_(i, j) = problem.graph(j, i);
    }
  }

  void run() {
    const Nodes nodes = identity(graph_.size());
    trace_.inputs(Positions{}, graph_, Adjacency{graph_});
    walk_all(graph_, nodes);
    second_walk_ = true;
    color_.assign(color_.size(), kWhite);
    stack_below_ = nodes;
    walk_all(transposed_, descending_order(finished_));
    trace_.outputs(component_);
  }

 private:
  void push() override {
    trace_.push(component_, Adjacency{transposed_}, OneHot{color_, kColors}, discovered_, finished_,
                stack_below_, One{root_}, One{u_}, One{v_}, One{stack_top_}, time_,
                second_walk_ ? 1.0 : 0.0);
  }
  void begin_turn() override {
    if (second_walk_) component_[u_] = root_;
  }

  const Matrix& graph_;
  Matrix transposed_;
  Nodes component_;
  bool second_walk_ = false;
  Trace& trace_;
};

/// The hints that all three end with, after those of their own.
std::vector<Probe> walk_hints(std::vector<Probe> first, const std::vector<Probe>& extra) {
  first.push_back(node("color", Type::kCategorical, 3));
  first.push_back(node("d", Type::kScalar));
  first.push_back(node("f", Type::kScalar));
  first.insert(first.end(), extra.begin(), extra.end());
  first.push_back(node("s_prev", Type::kPointer));
  for (const char* name : {"s", "u", "v", "s_last"}) first.push_back(node(name, Type::kMaskOne));
  first.push_back(graph("time", Type::kScalar));
  return first;
}

}  // namespace

std::vector<Algorithm> component_algorithms() {
  const Probe pos = node("pos", Type::kScalar);
  const Probe edges = edge("A", Type::kScalar);
  const Probe adj = edge("adj", Type::kMask);
  const Probe parent_h = node("pi_h", Type::kPointer);
  const Probe low = node("low", Type::kScalar);
  std::vector<Probe> component_hints =
      walk_hints({node("scc_id_h", Type::kPointer), edge("A_t", Type::kMask)}, {});
  component_hints.push_back(graph("phase", Type::kMask));
  return {
      {"articulation_points", Category::kGraphs, &kArticulationSampler,
       run_walk<ArticulationPoints>,
       make_spec({pos, integer(edges), adj}, {node("is_cut", Type::kMask)},
                 walk_hints({node("is_cut_h", Type::kMask), parent_h},
                            {low, node("child_cnt", Type::kScalar)}))},
      {"bridges", Category::kGraphs, &kArticulationSampler, run_walk<Bridges>,
       make_spec({pos, integer(edges), adj}, {edge("is_bridge", Type::kMask)},
                 walk_hints({edge("is_bridge_h", Type::kMask), parent_h}, {low}))},
      {"strongly_connected_components", Category::kGraphs, &kComponentsSampler,
       run_walk<StronglyConnectedComponents>,
       make_spec({pos, edges, adj}, {integer(node("scc_id", Type::kPointer))}, component_hints)},
  };
}

}  // namespace floydnet::clrs
