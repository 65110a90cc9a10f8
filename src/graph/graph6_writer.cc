#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/file.h"
#include "floydnet/graph_io.h"
#include "graph/graph6.h"

namespace floydnet {
namespace {

using graph6::kBitsPerCharacter;

class BitWriter {
 public:
  explicit BitWriter(std::string& text) : text_(text) {}

  /// The lowest `count` bits of value, highest first.
  void put(int64_t value, int count) {
    for (int i = count - 1; i >= 0; --i) {
      bits_ = bits_ << 1 | (value >> i & 1);
      if (--free_ == 0) flush();
    }
  }

  /// Bits that are left in the current character; none if it has not been begun.
  int unfilled() const { return free_ % kBitsPerCharacter; }

 private:
  void flush() {
    text_ += static_cast<char>(bits_ + graph6::kBias);
    bits_ = 0;
    free_ = kBitsPerCharacter;
  }

  std::string& text_;
  int64_t bits_ = 0;
  int free_ = kBitsPerCharacter;
};

void append_node_count(std::string& text, int64_t nodes) {
  int bits = kBitsPerCharacter;
  if (nodes > graph6::kMaxShortNodes) {
    text += graph6::kHighest;
    bits = 3 * kBitsPerCharacter;
  }
  if (nodes > graph6::kMaxMediumNodes) {
    text += graph6::kHighest;
    bits = 6 * kBitsPerCharacter;
  }
  BitWriter(text).put(nodes, bits);
}

void append_matrix(std::string& text, const Graph& graph) {
  const int64_t nodes = graph.nodes();
  const int64_t bits = graph6::matrix_bits(nodes, graph.directed());
  const size_t start = text.size();
  text.append(static_cast<size_t>((bits + kBitsPerCharacter - 1) / kBitsPerCharacter),
              graph6::kBias);
  for (const auto& [from, to] : graph.edges()) {
    const int64_t bit = graph.directed() ? from * nodes + to : int64_t{to} * (to - 1) / 2 + from;
    char& character = text[start + static_cast<size_t>(bit / kBitsPerCharacter)];
    const int value = (character - graph6::kBias) |
                      1 << (kBitsPerCharacter - 1 - static_cast<int>(bit % kBitsPerCharacter));
    character = static_cast<char>(value + graph6::kBias);
  }
}

/// Edges by their larger node v, each once.
std::vector<Graph::Edge> sparse_order(const Graph& graph) {
  std::vector<Graph::Edge> edges = graph.edges();
  std::sort(edges.begin(), edges.end(), [](const Graph::Edge& a, const Graph::Edge& b) {
    return std::make_pair(a.second, a.first) < std::make_pair(b.second, b.first);
  });
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

void append_sparse(std::string& text, const Graph& graph) {
  const int width = graph6::sparse_width(graph.nodes());
  BitWriter writer(text);
  int64_t current = 0;
  for (const auto& [x, v] : sparse_order(graph)) {
    if (v > current + 1) {
      writer.put(1, 1);
      writer.put(v, width);
      writer.put(0, 1);
    } else {
      writer.put(v - current, 1);
    }
    writer.put(x, width);
    current = v;
  }
  // Ones, unless they would read as a loop at the last node.
  const int unfilled = writer.unfilled();
  const bool reads_as_loop =
      current == graph.nodes() - 2 && unfilled > width && graph.nodes() == int64_t{1} << width;
  writer.put(reads_as_loop ? (1 << unfilled) / 2 - 1 : (1 << unfilled) - 1, unfilled);
}

bool has_loop(const Graph& graph) {
  return std::any_of(graph.edges().begin(), graph.edges().end(),
                     [](const Graph::Edge& edge) { return edge.first == edge.second; });
}

void check_kind(const Graph& graph, GraphFormat format) {
  if (graph.directed() != (format == GraphFormat::kDigraph6)) {
    throw std::invalid_argument(graph.directed()
                                    ? "a directed graph can be written as digraph6 only"
                                    : "an undirected graph cannot be written as digraph6");
  }
  if (format == GraphFormat::kGraph6 && has_loop(graph)) {
    throw std::invalid_argument("graph6 has no loops; write the graph as sparse6");
  }
}

}  // namespace

std::string format_graph(const Graph& graph, GraphFormat format) {
  check_kind(graph, format);
  std::string text;
  if (format == GraphFormat::kDigraph6) text += graph6::kDigraphMark;
  if (format == GraphFormat::kSparse6) text += graph6::kSparseMark;
  append_node_count(text, graph.nodes());
  if (format == GraphFormat::kSparse6) {
    append_sparse(text, graph);
  } else {
    append_matrix(text, graph);
  }
  return text;
}

std::vector<Graph> read_graphs(const std::string& path, const GraphLimits& limits) {
  const std::string content = read_file(path);
  std::vector<Graph> graphs;
  std::string_view rest = content;
  for (uint64_t line = 1; !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (text.empty()) continue;
    graphs.push_back(parse_graph(text, path + ": line " + std::to_string(line), limits));
  }
  return graphs;
}

void write_graphs(const std::string& path, const std::vector<Graph>& graphs, GraphFormat format) {
  std::string content;
  for (const Graph& graph : graphs) content += format_graph(graph, format) + "\n";
  write_file_atomically(path, content);
}

}  // namespace floydnet
