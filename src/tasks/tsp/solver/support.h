// The graph of edges in an LP solution, perhaps with sets of cities contracted.
#pragma once

#include <vector>

#include "tasks/tsp/solver/cut.h"
#include "tasks/tsp/solver/greedy.h"

namespace floydnet::tsp {

struct WeightedEdge {
  int u;
  int v;
  double x;
};

struct Support {
  /// The cities that each node stands for.
  std::vector<NodeSet> nodes;
  std::vector<WeightedEdge> edges;

  int size() const { return static_cast<int>(nodes.size()); }
};

/// Each city a node; edges with positive values only.
Support support_of(int cities, const std::vector<Edge>& edges, const double* values);

/// Node i becomes part of node group[i]; parallel edges add up.
Support contracted(const Support& support, const std::vector<int>& group, int groups);

/// For each node the number of its component, counted from 0, along edges that `joins` accepts.
struct Components {
  std::vector<int> of;
  int count = 0;
};
template <typename Joins>
Components components(const Support& support, Joins joins);

/// Nodes that edges of value one join are contracted, again and again: no cut below 2 is lost.
Support shrunk(Support support);

/// The edges at each node.
struct SupportArcs {
  struct Arc {
    int to;
    double x;
  };
  explicit SupportArcs(const Support& support);

  std::vector<std::vector<Arc>> of;  ///< by node
  std::vector<double> total;         ///< by node
};

/// x(delta(S1)) + ... of cuts.
class CutValues {
 public:
  explicit CutValues(const Support& support) : arcs_(support), inside_(support.nodes.size()) {}
  double operator()(const Cut& cut);
  double violation(const Cut& cut) { return cut.rhs() - (*this)(cut); }

 private:
  SupportArcs arcs_;
  std::vector<char> inside_;
};

// How components() does it.

class DisjointSets {
 public:
  explicit DisjointSets(int size);
  int find(int i);
  void unite(int i, int j) { parent_[find(i)] = find(j); }
  /// Numbers the sets.
  Components components();

 private:
  std::vector<int> parent_;
};

template <typename Joins>
Components components(const Support& support, Joins joins) {
  DisjointSets sets(support.size());
  for (const WeightedEdge& edge : support.edges) {
    if (joins(edge)) sets.unite(edge.u, edge.v);
  }
  return sets.components();
}

}  // namespace floydnet::tsp
