// Node features of K-hop peripheral subgraphs, after KP-GNN (Feng et al., "How Powerful are K-hop
// Message Passing Graph Neural Networks").
//
// The peripheral subgraph of node v at hop h is induced by the nodes at distance h from v.
#pragma once

#include "floydnet/graph.h"

namespace floydnet::brec {

constexpr int64_t kPeripheralHops = 4;
/// At each hop: nodes, edges, sum of squared degrees, triangles, connected components, sum of their
/// squared sizes, and pairs at distance 2, 3, and 4 or more, all inside the peripheral subgraph.
constexpr int64_t kPeripheralCounts = 9;
constexpr int64_t kPeripheralFeatures = kPeripheralHops * kPeripheralCounts;

/// Appends the features of each node, log(1 + count), as real columns. For undirected graphs
/// without node features.
void add_peripheral_features(Graph& graph);

}  // namespace floydnet::brec
