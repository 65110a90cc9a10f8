// dfs, topological_sort, dag_shortest_paths.
#include "tasks/clrs/data/depth_first.h"

#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/priority_search.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {

bool DepthFirstWalk::go_on(const Matrix& graph) {
  for (v_ = 0; v_ < nodes_; ++v_) {
    if (graph(u_, v_) == 0) continue;
    if (is_white(v_)) {
      follow();
      color_[v_] = kGrey;
      stack_below_[v_] = stack_top_;
      stack_top_ = v_;
      push();
      return true;
    }
    meet();
  }
  v_ = nodes_ - 1;  // where the reference's loop leaves it
  return false;
}

void DepthFirstWalk::take_turn(const Matrix& graph) {
  begin_turn();
  if (is_undiscovered()) {
    discover();
    color_[u_] = kGrey;
    push();
  }
  if (go_on(graph)) return;
  color_[u_] = kBlack;
  finish();
  push();
}

void DepthFirstWalk::walk(const Matrix& graph, int64_t root) {
  root_ = u_ = v_ = stack_top_ = root;
  push();
  while (true) {
    take_turn(graph);
    if (stack_top_ == u_) {  // u is finished and leaves the stack
      if (stack_below_[u_] == u_) return;
      stack_top_ = stack_below_[u_];
      stack_below_[u_] = u_;
    }
    u_ = stack_top_;
  }
}

void DepthFirstWalk::walk_all(const Matrix& graph, const Nodes& roots) {
  for (const int64_t root : roots) {
    if (is_white(root)) walk(graph, root);
  }
}

namespace {

class Dfs : public TimedWalk {
 public:
  Dfs(const Problem& problem, Trace& trace)
      : TimedWalk(problem.nodes),
        graph_(problem.graph),
        parent_(identity(problem.nodes)),
        trace_(trace) {}

  void run() {
    trace_.inputs(Positions{}, graph_, Adjacency{graph_});
    walk_all(graph_, identity(graph_.size()));
    trace_.outputs(parent_);
  }

 private:
  void push() override {
    trace_.push(parent_, OneHot{color_, kColors}, discovered_, finished_, stack_below_, One{root_},
                One{u_}, One{v_}, One{stack_top_}, time_);
  }
  void follow() override { parent_[v_] = u_; }

  const Matrix& graph_;
  Nodes parent_;
  Trace& trace_;
};

/// Links each finished node to the one finished before it.
class TopologicalWalk : public DepthFirstWalk {
 protected:
  explicit TopologicalWalk(int64_t nodes) : DepthFirstWalk(nodes), next_(identity(nodes)) {}

  void finish() override {
    if (color_[head_] == kBlack) next_[u_] = head_;
    head_ = u_;
  }

  Nodes next_;
  int64_t head_ = 0;
};

class TopologicalSort : public TopologicalWalk {
 public:
  TopologicalSort(const Problem& problem, Trace& trace)
      : TopologicalWalk(problem.nodes), graph_(problem.graph), trace_(trace) {}

  void run() {
    trace_.inputs(Positions{}, graph_, Adjacency{graph_});
    walk_all(graph_, identity(graph_.size()));
    trace_.outputs(next_, One{head_});
  }

 private:
  void push() override {
    trace_.push(next_, One{head_}, OneHot{color_, kColors}, stack_below_, One{root_}, One{u_},
                One{v_}, One{stack_top_});
  }

  const Matrix& graph_;
  Trace& trace_;
};

class DagShortestPaths : public TopologicalWalk {
 public:
  DagShortestPaths(const Problem& problem, Trace& trace)
      : TopologicalWalk(problem.nodes),
        problem_(problem),
        parent_(identity(problem.nodes)),
        distance_(problem.nodes, 0),
        marked_(problem.nodes, 0),
        trace_(trace) {}

  void run() {
    record_graph_with_source(problem_, trace_);
    walk(problem_.graph, problem_.source);
    relaxing_ = true;
    marked_[problem_.source] = 1;
    for (; next_[head_] != head_; head_ = next_[head_]) relax();
    push();
    trace_.outputs(parent_);
  }

 private:
  /// Along the edges of the next node in topological order.
  void relax() {
    marked_[head_] = 1;
    push();
    for (int64_t j = 0; j < trace_.nodes(); ++j) {
      const double weight = problem_.graph(head_, j);
      if (weight == 0) continue;
      const double through_head = distance_[head_] + weight;
      if (marked_[j] != 0 && !(through_head < distance_[j])) continue;
      distance_[j] = through_head;
      parent_[j] = head_;
      marked_[j] = 1;
    }
  }

  void push() override {
    trace_.push(parent_, distance_, marked_, next_, One{head_}, OneHot{color_, kColors},
                stack_below_, One{u_}, One{v_}, One{stack_top_}, relaxing_ ? 1.0 : 0.0);
  }

  const Problem& problem_;
  Nodes parent_;
  Reals distance_, marked_;
  bool relaxing_ = false;
  Trace& trace_;
};

}  // namespace

std::vector<Algorithm> depth_first_algorithms() {
  const std::vector<Probe> inputs = {node("pos", Type::kScalar), integer(edge("A", Type::kScalar)),
                                     edge("adj", Type::kMask)};
  const Probe parent = integer(node("pi", Type::kPointer));
  const Probe parent_h = node("pi_h", Type::kPointer);
  const Probe color = node("color", Type::kCategorical, 3);
  const Probe s_prev = node("s_prev", Type::kPointer);
  const Probe s = node("s", Type::kMaskOne);
  const Probe u = node("u", Type::kMaskOne);
  const Probe v = node("v", Type::kMaskOne);
  const Probe s_last = node("s_last", Type::kMaskOne);
  const Probe topo_h = node("topo_h", Type::kPointer);
  const Probe topo_head_h = node("topo_head_h", Type::kMaskOne);
  return {
      {"dfs", Category::kGraphs, &kDfsSampler, run_walk<Dfs>,
       make_spec(inputs, {parent},
                 {parent_h, color, node("d", Type::kScalar), node("f", Type::kScalar), s_prev, s, u,
                  v, s_last, graph("time", Type::kScalar)})},
      {"topological_sort", Category::kGraphs, &kTopologicalSampler, run_walk<TopologicalSort>,
       make_spec(inputs, {integer(node("topo", Type::kPointer)), node("topo_head", Type::kMaskOne)},
                 {topo_h, topo_head_h, color, s_prev, s, u, v, s_last})},
      {"dag_shortest_paths", Category::kGraphs, &kDagPathSampler, run_walk<DagShortestPaths>,
       make_spec(graph_with_source_probes(edge("A", Type::kScalar)), {parent},
                 {parent_h, node("d", Type::kScalar), node("mark", Type::kMask), topo_h,
                  topo_head_h, color, s_prev, u, v, s_last, graph("phase", Type::kMask)})},
  };
}

}  // namespace floydnet::clrs
