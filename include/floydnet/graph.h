/// \file
/// What a graph is, and how the k-tuple states of a batch of graphs are laid out in memory.
///
/// This header knows nothing of tensors: it is shared by the readers, the colour refinement and the
/// model.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "floydnet/export.h"

namespace floydnet {

/// The largest tuple order k that is supported.
constexpr int kMaxOrder = 4;

/// Features of `rows` things (nodes, edges, or the one graph): categorical columns, then real ones.
/// Row-major; a table without columns has no storage.
struct FLOYDNET_EXPORT FeatureTable {
  int64_t rows = 0;
  int64_t category_columns = 0;
  int64_t real_columns = 0;
  std::vector<int64_t> categories;  ///< [rows, category_columns], values from 0
  std::vector<double> reals;        ///< [rows, real_columns]

  FeatureTable() = default;
  FeatureTable(int64_t rows, int64_t category_columns, int64_t real_columns);

  int64_t& category(int64_t row, int64_t column);
  int64_t category(int64_t row, int64_t column) const;
  double& real(int64_t row, int64_t column);
  double real(int64_t row, int64_t column) const;
};

/// A graph on nodes 0..n-1, directed or not, loops allowed, parallel edges not.
///
/// Edges are kept in the order in which they were added, and edge features follow that order. An
/// undirected edge is stored once, as (smaller, larger).
class FLOYDNET_EXPORT Graph {
 public:
  using Edge = std::pair<int32_t, int32_t>;

  explicit Graph(int64_t nodes = 0, bool directed = false);
  /// Builds a graph from a list of edges; throws std::invalid_argument on a repeated edge.
  Graph(int64_t nodes, const std::vector<Edge>& edges, bool directed = false);

  int64_t nodes() const { return nodes_; }
  bool directed() const { return directed_; }
  const std::vector<Edge>& edges() const { return edges_; }

  /// Adds an edge and returns its index. Node indices are checked; whether the edge is new is not.
  int64_t add_edge(int64_t from, int64_t to);
  /// Linear in the number of edges; use adjacency() for many questions.
  bool has_edge(int64_t from, int64_t to) const;
  /// Dense n*n matrix, row-major: 1 where there is an edge from row to column.
  std::vector<uint8_t> adjacency() const;
  /// Dense n*n matrix, row-major: the index of the edge from row to column, or -1.
  std::vector<int64_t> edge_indices() const;

  /// The same graph with node v renamed to names[v]; features move along.
  Graph relabeled(const std::vector<int64_t>& names) const;

  FeatureTable node_features;   ///< nodes() rows, or none
  FeatureTable edge_features;   ///< edges().size() rows, or none
  FeatureTable graph_features;  ///< 1 row, or none

 private:
  int64_t nodes_;
  bool directed_;
  std::vector<Edge> edges_;
};

/// Where the state of a k-tuple stands when the states of several graphs are packed, without
/// padding, into one [rows, d] matrix: graph b owns sizes[b]^k consecutive rows, tuples in
/// lexicographic order.
class FLOYDNET_EXPORT TupleLayout {
 public:
  TupleLayout() = default;
  /// Throws std::invalid_argument for an order outside 1..kMaxOrder, a negative size, or a number
  /// of rows that does not fit 63 bits.
  TupleLayout(int order, std::vector<int64_t> sizes);

  int order() const { return order_; }
  int64_t graphs() const { return static_cast<int64_t>(sizes_.size()); }
  const std::vector<int64_t>& sizes() const { return sizes_; }
  int64_t size(int64_t graph) const { return sizes_.at(graph); }
  /// First row of a graph; offset(graphs()) is rows().
  int64_t offset(int64_t graph) const { return offsets_.at(graph); }
  int64_t rows() const { return offsets_.back(); }
  /// Row of the tuple (v[0], ..., v[k-1]) of a graph.
  int64_t row(int64_t graph, const std::array<int64_t, kMaxOrder>& v) const;
  /// The graph and the tuple that a row belongs to; the inverse of row().
  std::pair<int64_t, std::array<int64_t, kMaxOrder>> tuple(int64_t row) const;
  /// The layout of the same graphs for tuples of another order.
  TupleLayout with_order(int order) const { return TupleLayout(order, sizes_); }

  bool operator==(const TupleLayout& other) const {
    return order_ == other.order_ && sizes_ == other.sizes_;
  }

 private:
  int order_ = 1;
  std::vector<int64_t> sizes_;
  std::vector<int64_t> offsets_ = {0};  // graphs + 1 entries
};

}  // namespace floydnet
