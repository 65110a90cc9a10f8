// Graphs made in code: families whose place in the Weisfeiler-Leman hierarchy is known.
#pragma once

#include <cstdint>

#include "floydnet/graph.h"

namespace floydnet {

Graph complete_graph(int64_t n);
Graph cycle_graph(int64_t n);
Graph complete_bipartite_graph(int64_t left, int64_t right);
/// Nodes of b follow those of a.
Graph disjoint_union(const Graph& a, const Graph& b);

/// The n x n rook's graph: squares of a board, adjacent in a row or column. Strongly regular.
Graph rook_graph(int64_t n);
/// The Shrikhande graph: strongly regular with the parameters (16, 6, 2, 2) of the 4x4 rook's
/// graph.
Graph shrikhande_graph();

/// The Cai-Fuerer-Immerman graph of a connected base graph with degrees up to 20. Each base node v
/// becomes one node for each even set S of the edges at v; (u, S) and (v, T) are adjacent where uv
/// is an edge e of the base and e is in both or neither of S and T. `twisted` turns "both or
/// neither" to "exactly one" for one edge. The two graphs of a base of treewidth t are not
/// isomorphic, and k-FWL tells them apart exactly if k >= t.
Graph cfi_graph(const Graph& base, bool twisted);

}  // namespace floydnet
