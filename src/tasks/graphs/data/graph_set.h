// A set of graphs with features and labels, held column by column.
//
// A file of thousands of graphs is a few long arrays, in memory as on disk (docs/graphs.md), so
// readers, features and batches never hold an object for each graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::graphs {

/// What a row of a column belongs to.
enum class Level { kGraph, kNode, kEdge, kPair };

/// A named array [rows, width] with a row for each graph, node, edge or pair of the set, in their
/// order. Integers are categories or classes, from 0; reals are numbers. NaN, or an integer below
/// 0, is a missing label.
struct Column {
  std::string name;  // without its level: "x" of node_x
  Level level = Level::kGraph;
  int64_t width = 1;
  bool real = false;
  std::vector<int64_t> integers;  // [rows, width] unless real
  std::vector<float> reals;       // [rows, width] if real

  int64_t rows() const;
};

enum class Split : int8_t { kNone = -1, kTrain = 0, kValidation = 1, kTest = 2 };

/// Graph g has nodes 0..sizes[g]-1, the edges edge_offsets[g]..edge_offsets[g+1]-1 and, where pairs
/// are listed, the pairs pair_offsets[g]..pair_offsets[g+1]-1. Edges and pairs name nodes by their
/// index within the graph.
struct GraphSet {
  std::vector<int64_t> sizes;
  bool directed = false;  // otherwise an edge is listed once, for both directions
  std::vector<int64_t> edge_offsets = {0};
  std::vector<Graph::Edge> edges;
  /// Pairs that pair columns are about; none listed: all n * n pairs of each graph, row by row.
  bool pairs_listed = false;
  std::vector<int64_t> pair_offsets = {0};
  std::vector<Graph::Edge> pairs;
  std::vector<Column> columns;
  std::vector<Split> splits;       // one a graph, or empty
  std::vector<std::string> names;  // one a graph, such as its SMILES, or empty

  int64_t graphs() const { return static_cast<int64_t>(sizes.size()); }
  /// Rows that a column of this level has.
  int64_t rows(Level level) const;
  /// Null if there is none.
  const Column* find(Level level, const std::string& name) const;
  /// Where the rows of each graph begin in columns of this level, and, last, rows(level).
  std::vector<int64_t> row_offsets(Level level) const;
  /// Throws std::invalid_argument that names the first thing that does not fit together: a graph
  /// without nodes or with more than kMaxGraphNodes, an edge out of range or listed twice, a column
  /// with too few rows, an infinite number.
  void check() const;

  /// The graphs at these places, in this order; a place may come twice.
  GraphSet select(const std::vector<int64_t>& places) const;
  /// Adds the graphs of a set with the same columns; throws std::invalid_argument if they differ.
  void append(const GraphSet& other);
};

/// Pair states take n * n rows, so larger graphs are beyond any memory.
constexpr int64_t kMaxGraphNodes = 100'000;

/// "graph", "node", "edge", "pair".
const char* name_of(Level level);
/// As files spell it: "node_x".
std::string full_name(Level level, const std::string& name);
/// The level and the column's own name; nullopt if the text is not of that form.
std::optional<std::pair<Level, std::string>> parse_full_name(const std::string& text);

}  // namespace floydnet::graphs
