// Pictures of single graphs, on which some nodes, edges and pairs stand out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

/// What stands out, and how much, from 0 to 1.
struct GraphMarks {
  std::vector<std::pair<int32_t, double>> nodes;
  std::vector<std::pair<Graph::Edge, double>> edges;
  std::vector<std::pair<Graph::Edge, double>> pairs;

  bool empty() const { return nodes.empty() && edges.empty() && pairs.empty(); }
};

/// Larger graphs are not drawn: no one could tell anything apart.
constexpr int64_t kMostNodesDrawn = 1500;

/// An SVG document for light and dark pages. A graph whose name is the SMILES of a molecule with
/// these atoms and bonds is drawn by RDKit where the program has it, unless pairs are marked. Empty
/// for a graph that is too large.
std::string graph_picture(const GraphSet& set, int64_t graph, const GraphMarks& marks);

}  // namespace floydnet::graphs
