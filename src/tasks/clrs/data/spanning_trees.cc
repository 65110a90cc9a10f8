// mst_kruskal, mst_prim.
#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/priority_search.h"
#include "tasks/clrs/data/sorted_order.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {
namespace {

void mst_prim(const Problem& problem, Trace& trace) {
  search_by_priority(problem, trace, [](double, double weight) { return weight; });
}

/// One end of an edge on its way to the root of its tree.
struct Climber {
  int64_t start = 0;
  int64_t root = 0;
  Reals path;  // the nodes passed

  void begin(int64_t node) {
    start = root = node;
    std::fill(path.begin(), path.end(), 0);
    path[node] = 1;
  }
};

class Kruskal {
 public:
  Kruskal(const Problem& problem, Trace& trace)
      : graph_(problem.graph),
        in_tree_(trace.nodes()),
        parent_(identity(trace.nodes())),
        trace_(trace) {
    u_.path = v_.path = Reals(trace.nodes(), 0);
  }

  void run() {
    push(kUnion);
    Reals weights;
    std::vector<std::pair<int64_t, int64_t>> edges;
    for (int64_t i = 0; i < graph_.size(); ++i) {
      for (int64_t j = i + 1; j < graph_.size(); ++j) {
        if (graph_(i, j) <= 0) continue;
        weights.push_back(graph_(i, j));
        edges.emplace_back(i, j);
      }
    }
    for (const int64_t index : sorted_order(weights))
      unite(edges[index].first, edges[index].second);
    trace_.outputs(in_tree_);
  }

 private:
  enum Phase { kUnion, kClimbU, kClimbV };

  void push(Phase phase) {
    trace_.push(in_tree_, parent_, One{u_.start}, One{v_.start}, One{u_.root}, One{v_.root},
                u_.path, v_.path, One{phase});
  }

  /// Path compression: all nodes passed point to the highest one found so far.
  void climb(Climber& climber, Phase phase) {
    while (parent_[climber.root] != climber.root) {
      climber.root = parent_[climber.root];
      for (size_t node = 0; node < parent_.size(); ++node) {
        if (climber.path[node] != 0) parent_[node] = climber.root;
      }
      climber.path[climber.root] = 1;
      push(phase);
    }
  }

  void unite(int64_t u, int64_t v) {
    u_.begin(u);
    v_.begin(v);
    push(kClimbU);
    climb(u_, kClimbU);
    climb(v_, kClimbV);
    if (u_.root != v_.root) {
      in_tree_(u, v) = in_tree_(v, u) = 1;
      parent_[std::min(u_.root, v_.root)] = std::max(u_.root, v_.root);
    }
    push(kUnion);
  }

  const Matrix& graph_;
  Matrix in_tree_;
  Nodes parent_;
  Climber u_, v_;
  Trace& trace_;
};

void mst_kruskal(const Problem& problem, Trace& trace) {
  trace.inputs(Positions{}, problem.graph, Adjacency{problem.graph});
  Kruskal(problem, trace).run();
}

}  // namespace

std::vector<Algorithm> spanning_tree_algorithms() {
  return {
      {"mst_prim", Category::kGraphs, &kShortestPathSampler, mst_prim, priority_search_spec("key")},
      {"mst_kruskal", Category::kGraphs, &kSpanningTreeSampler, mst_kruskal,
       make_spec(
           {node("pos", Type::kScalar), edge("A", Type::kScalar), edge("adj", Type::kMask)},
           {edge("in_mst", Type::kMask)},
           {edge("in_mst_h", Type::kMask), node("pi", Type::kPointer), node("u", Type::kMaskOne),
            node("v", Type::kMaskOne), node("root_u", Type::kMaskOne),
            node("root_v", Type::kMaskOne), node("mask_u", Type::kMask),
            node("mask_v", Type::kMask), graph("phase", Type::kCategorical, 3)})},
  };
}

}  // namespace floydnet::clrs
