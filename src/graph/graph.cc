#include "floydnet/graph.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace floydnet {
namespace {

void check_index(const char* what, int64_t index, int64_t size) {
  if (index >= 0 && index < size) return;
  throw std::invalid_argument(std::string(what) + " " + std::to_string(index) + " is not in 0.." +
                              std::to_string(size - 1));
}

int64_t table_size(int64_t rows, int64_t columns) {
  int64_t size = 0;
  if (rows < 0 || columns < 0 || __builtin_mul_overflow(rows, columns, &size)) {
    throw std::invalid_argument("a feature table cannot have " + std::to_string(rows) +
                                " rows and " + std::to_string(columns) + " columns");
  }
  return size;
}

int64_t cell(int64_t row, int64_t column, int64_t rows, int64_t columns) {
  check_index("feature row", row, rows);
  check_index("feature column", column, columns);
  return row * columns + column;
}

Graph::Edge ordered(int64_t from, int64_t to, bool directed) {
  if (!directed && from > to) std::swap(from, to);
  return {static_cast<int32_t>(from), static_cast<int32_t>(to)};
}

void check_permutation(const std::vector<int64_t>& names, int64_t nodes) {
  if (static_cast<int64_t>(names.size()) != nodes) {
    throw std::invalid_argument(std::to_string(names.size()) + " new names for " +
                                std::to_string(nodes) + " nodes");
  }
  std::vector<bool> taken(names.size(), false);
  for (const int64_t name : names) {
    check_index("new name", name, nodes);
    if (taken[static_cast<size_t>(name)]) {
      throw std::invalid_argument("two nodes get the new name " + std::to_string(name));
    }
    taken[static_cast<size_t>(name)] = true;
  }
}

template <typename T>
void move_rows(const std::vector<T>& from, int64_t columns, const std::vector<int64_t>& names,
               std::vector<T>& to) {
  for (size_t row = 0; row < names.size(); ++row) {
    std::copy_n(from.begin() + static_cast<int64_t>(row) * columns, columns,
                to.begin() + names[row] * columns);
  }
}

FeatureTable relabeled_rows(const FeatureTable& table, const std::vector<int64_t>& names) {
  FeatureTable result = table;
  if (table.rows == 0) return result;
  if (table.rows != static_cast<int64_t>(names.size())) {
    throw std::invalid_argument(std::to_string(table.rows) + " rows of node features for " +
                                std::to_string(names.size()) + " nodes");
  }
  move_rows(table.categories, table.category_columns, names, result.categories);
  move_rows(table.reals, table.real_columns, names, result.reals);
  return result;
}

}  // namespace

FeatureTable::FeatureTable(int64_t row_count, int64_t category_count, int64_t real_count)
    : rows(row_count),
      category_columns(category_count),
      real_columns(real_count),
      categories(static_cast<size_t>(table_size(row_count, category_count))),
      reals(static_cast<size_t>(table_size(row_count, real_count))) {}

int64_t& FeatureTable::category(int64_t row, int64_t column) {
  return categories[static_cast<size_t>(cell(row, column, rows, category_columns))];
}

int64_t FeatureTable::category(int64_t row, int64_t column) const {
  return categories[static_cast<size_t>(cell(row, column, rows, category_columns))];
}

double& FeatureTable::real(int64_t row, int64_t column) {
  return reals[static_cast<size_t>(cell(row, column, rows, real_columns))];
}

double FeatureTable::real(int64_t row, int64_t column) const {
  return reals[static_cast<size_t>(cell(row, column, rows, real_columns))];
}

Graph::Graph(int64_t nodes, bool directed) : nodes_(nodes), directed_(directed) {
  if (nodes < 0 || nodes > std::numeric_limits<int32_t>::max()) {
    throw std::invalid_argument("a graph cannot have " + std::to_string(nodes) + " nodes");
  }
}

Graph::Graph(int64_t nodes, const std::vector<Edge>& edges, bool directed)
    : Graph(nodes, directed) {
  edges_.reserve(edges.size());
  for (const auto& [from, to] : edges) add_edge(from, to);
  std::vector<Edge> sorted = edges_;
  std::sort(sorted.begin(), sorted.end());
  const auto repeated = std::adjacent_find(sorted.begin(), sorted.end());
  if (repeated != sorted.end()) {
    throw std::invalid_argument("the edge " + std::to_string(repeated->first) + "-" +
                                std::to_string(repeated->second) + " is given twice");
  }
}

int64_t Graph::add_edge(int64_t from, int64_t to) {
  check_index("node", from, nodes_);
  check_index("node", to, nodes_);
  edges_.push_back(ordered(from, to, directed_));
  return static_cast<int64_t>(edges_.size()) - 1;
}

bool Graph::has_edge(int64_t from, int64_t to) const {
  check_index("node", from, nodes_);
  check_index("node", to, nodes_);
  return std::find(edges_.begin(), edges_.end(), ordered(from, to, directed_)) != edges_.end();
}

std::vector<uint8_t> Graph::adjacency() const {
  std::vector<uint8_t> matrix(static_cast<size_t>(nodes_ * nodes_), 0);
  for (const auto& [from, to] : edges_) {
    matrix[static_cast<size_t>(from * nodes_ + to)] = 1;
    if (!directed_) matrix[static_cast<size_t>(to * nodes_ + from)] = 1;
  }
  return matrix;
}

std::vector<int64_t> Graph::edge_indices() const {
  std::vector<int64_t> matrix(static_cast<size_t>(nodes_ * nodes_), -1);
  for (size_t index = 0; index < edges_.size(); ++index) {
    const auto [from, to] = edges_[index];
    matrix[static_cast<size_t>(from * nodes_ + to)] = static_cast<int64_t>(index);
    if (!directed_) matrix[static_cast<size_t>(to * nodes_ + from)] = static_cast<int64_t>(index);
  }
  return matrix;
}

Graph Graph::relabeled(const std::vector<int64_t>& names) const {
  check_permutation(names, nodes_);
  Graph result(nodes_, directed_);
  result.edges_.reserve(edges_.size());
  for (const auto& [from, to] : edges_) {
    result.add_edge(names[static_cast<size_t>(from)], names[static_cast<size_t>(to)]);
  }
  result.node_features = relabeled_rows(node_features, names);
  result.edge_features = edge_features;
  result.graph_features = graph_features;
  return result;
}

}  // namespace floydnet
