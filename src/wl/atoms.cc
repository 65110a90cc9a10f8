#include "wl/atoms.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "wl/relabel.h"

namespace floydnet::wl {
namespace {

using Content = std::vector<uint64_t>;

uint64_t bits_of(double value) {
  if (value == 0) value = 0;  // there is a negative zero
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

Content row_content(const FeatureTable& table, int64_t row) {
  Content content = {static_cast<uint64_t>(table.category_columns)};
  for (int64_t c = 0; c < table.category_columns; ++c) {
    content.push_back(static_cast<uint64_t>(table.category(row, c)));
  }
  for (int64_t c = 0; c < table.real_columns; ++c) content.push_back(bits_of(table.real(row, c)));
  return content;
}

/// Numbers the rows of tables exactly; 0 stands for a table without columns.
class RowNumbers {
 public:
  std::vector<uint32_t> operator()(const FeatureTable& table, int64_t rows) {
    if (table.category_columns + table.real_columns == 0) {
      return std::vector<uint32_t>(static_cast<size_t>(rows), 0);
    }
    if (table.rows != rows) {
      throw std::invalid_argument("features of " + std::to_string(table.rows) + " rows, wanted " +
                                  std::to_string(rows));
    }
    std::vector<uint32_t> numbers;
    for (int64_t row = 0; row < rows; ++row) {
      const auto next = static_cast<uint32_t>(numbers_.size() + 1);
      numbers.push_back(numbers_.emplace(row_content(table, row), next).first->second);
    }
    return numbers;
  }

 private:
  std::map<Content, uint32_t> numbers_;
};

/// Dense matrix, row-major: 0 where there is no edge, else one more than its features' number.
std::vector<uint32_t> edge_matrix(const Graph& graph, const std::vector<uint32_t>& numbers) {
  const int64_t n = graph.nodes();
  std::vector<uint32_t> matrix(static_cast<size_t>(n * n), 0);
  for (size_t e = 0; e < numbers.size(); ++e) {
    const auto [from, to] = graph.edges()[e];
    matrix[static_cast<size_t>(from * n + to)] = numbers[e] + 1;
    if (!graph.directed()) matrix[static_cast<size_t>(to * n + from)] = numbers[e] + 1;
  }
  return matrix;
}

struct AtomKeys {
  RowNumbers node_numbers, edge_numbers, graph_numbers;
  std::map<uint64_t, uint32_t> looped_node_numbers;
  std::vector<Key> keys;

  /// A loop is a property of its node, and every pair with the node knows of it.
  std::vector<uint32_t> looped_nodes(const Graph& graph, const std::vector<uint32_t>& edge) {
    const auto n = static_cast<size_t>(graph.nodes());
    std::vector<uint32_t> node = node_numbers(graph.node_features, graph.nodes());
    for (size_t x = 0; x < n; ++x) {
      const auto next = static_cast<uint32_t>(looped_node_numbers.size());
      const uint64_t content = pack(node[x], edge[x * n + x]);
      node[x] = looped_node_numbers.emplace(content, next).first->second;
    }
    return node;
  }

  void append(const Graph& graph) {
    const auto n = static_cast<size_t>(graph.nodes());
    const auto edge = edge_matrix(
        graph, edge_numbers(graph.edge_features, static_cast<int64_t>(graph.edges().size())));
    const auto node = looped_nodes(graph, edge);
    const uint64_t of_graph = graph_numbers(graph.graph_features, 1)[0];
    for (size_t x = 0; x < n; ++x) {
      for (size_t y = 0; y < n; ++y) {
        Key key = mix(pack(node[x], node[y]), spread(pack(edge[x * n + y], edge[y * n + x])));
        key += mix(of_graph << 1 | (x == y ? 1 : 0), kOfGraph);
        keys.push_back(key);
      }
    }
  }
};

}  // namespace

std::vector<std::vector<uint32_t>> pair_atoms(const std::vector<const Graph*>& graphs) {
  AtomKeys atoms;
  for (const Graph* graph : graphs) atoms.append(*graph);
  std::vector<uint32_t> numbers(atoms.keys.size());
  relabel(atoms.keys, numbers);
  std::vector<std::vector<uint32_t>> matrices;
  auto begin = numbers.begin();
  for (const Graph* graph : graphs) {
    const auto end = begin + graph->nodes() * graph->nodes();
    matrices.emplace_back(begin, end);
    begin = end;
  }
  return matrices;
}

std::vector<uint32_t> node_classes(const Graph& graph) {
  const FeatureTable& table = graph.node_features;
  std::vector<uint32_t> classes = RowNumbers()(table, graph.nodes());
  std::map<Content, uint32_t> ranks;
  for (int64_t v = 0; v < table.rows; ++v) ranks[row_content(table, v)] = 0;
  uint32_t next = 0;
  for (auto& [content, rank] : ranks) rank = next++;
  for (int64_t v = 0; v < table.rows; ++v) {
    classes[static_cast<size_t>(v)] = ranks[row_content(table, v)];
  }
  return classes;
}

}  // namespace floydnet::wl
