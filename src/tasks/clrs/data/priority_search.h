// Inputs of problems on a graph with a source, and the search by priority that dijkstra and
// mst_prim share.
#pragma once

#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {

inline std::vector<Probe> graph_with_source_probes(const Probe& weights) {
  return {node("pos", Type::kScalar), node("s", Type::kMaskOne), weights, edge("adj", Type::kMask)};
}

inline void record_graph_with_source(const Problem& problem, Trace& trace) {
  trace.inputs(Positions{}, One{problem.source}, problem.graph, Adjacency{problem.graph});
}

inline Spec priority_search_spec(const char* priority) {
  return make_spec(
      graph_with_source_probes(edge("A", Type::kScalar)), {integer(node("pi", Type::kPointer))},
      {node("pi_h", Type::kPointer), node(priority, Type::kScalar), node("mark", Type::kMask),
       node("in_queue", Type::kMask), node("u", Type::kMaskOne)});
}

/// The queued node of the least priority, or -1.
inline int64_t least_queued(const Reals& priority, const Reals& queued) {
  int64_t least = -1;
  for (size_t v = 0; v < priority.size(); ++v) {
    const bool less = least < 0 || priority[v] < priority[least];
    if (queued[v] != 0 && less) least = static_cast<int64_t>(v);
  }
  return least;
}

/// `priority_of(priority of u, weight of uv)` is what v gets when it is reached from u.
template <typename PriorityOf>
void search_by_priority(const Problem& problem, Trace& trace, const PriorityOf& priority_of) {
  const int64_t n = trace.nodes();
  record_graph_with_source(problem, trace);
  Reals priority(n, 0), marked(n, 0), queued(n, 0);
  Nodes parent = identity(n);
  queued[problem.source] = 1;
  trace.push(parent, priority, marked, queued, One{problem.source});
  while (true) {
    const int64_t u = least_queued(priority, queued);
    if (u < 0) break;
    marked[u] = 1;
    queued[u] = 0;
    for (int64_t v = 0; v < n; ++v) {
      const double weight = problem.graph(u, v);
      if (weight == 0 || marked[v] != 0) continue;
      const double reached = priority_of(priority[u], weight);
      if (queued[v] != 0 && !(reached < priority[v])) continue;
      parent[v] = u;
      priority[v] = reached;
      queued[v] = 1;
    }
    trace.push(parent, priority, marked, queued, One{u});
  }
  trace.outputs(parent);
}

}  // namespace floydnet::clrs
