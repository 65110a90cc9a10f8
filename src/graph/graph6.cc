#include "graph/graph6.h"

#include <algorithm>
#include <limits>
#include <string>

#include "base/text.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"

namespace floydnet {
namespace {

using graph6::kBitsPerCharacter;

/// Walks the cells of the adjacency matrix in the order of their bits: digraph6 row by row; graph6
/// column by column, down to the diagonal.
class MatrixCell {
 public:
  MatrixCell(int64_t nodes, bool directed)
      : nodes_(nodes), directed_(directed), column_(directed ? 0 : 1) {}

  int64_t row() const { return row_; }
  int64_t column() const { return column_; }
  void advance() {
    if (directed_) {
      if (++column_ == nodes_) {
        column_ = 0;
        ++row_;
      }
    } else if (++row_ == column_) {
      row_ = 0;
      ++column_;
    }
  }

 private:
  int64_t nodes_;
  bool directed_;
  int64_t row_ = 0;
  int64_t column_;
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& source, const GraphLimits& limits)
      : text_(text), source_(source), limits_(limits) {}

  Graph parse() {
    const GraphFormat format = read_format();
    nodes_ = read_node_count();
    check_characters();
    if (format == GraphFormat::kSparse6) return read_sparse();
    return read_matrix(format == GraphFormat::kDigraph6);
  }

 private:
  [[noreturn]] void fail(uint64_t offset, const std::string& problem) const {
    throw InputError::at_byte(source_, offset, problem);
  }

  /// An optional header and the mark of the format; they have to agree.
  GraphFormat read_format() {
    struct Form {
      GraphFormat format;
      std::string_view header;
      char mark;
    };
    static constexpr Form kForms[] = {
        {GraphFormat::kGraph6, ">>graph6<<", '\0'},
        {GraphFormat::kDigraph6, ">>digraph6<<", graph6::kDigraphMark},
        {GraphFormat::kSparse6, ">>sparse6<<", graph6::kSparseMark},
    };
    const Form* announced = nullptr;
    for (const Form& form : kForms) {
      if (text_.substr(0, form.header.size()) == form.header) announced = &form;
    }
    if (announced != nullptr) position_ = announced->header.size();
    if (position_ == text_.size()) fail(position_, "no graph");
    const Form* marked = &kForms[0];
    for (const Form& form : kForms) {
      if (form.mark != '\0' && text_[position_] == form.mark) marked = &form;
    }
    if (announced != nullptr && announced != marked) {
      fail(position_, "the graph is not of the kind that its header announces");
    }
    if (marked->mark != '\0') ++position_;
    return marked->format;
  }

  uint64_t bits_at(uint64_t offset) const {
    return static_cast<uint64_t>(text_[offset] - graph6::kBias);
  }

  void check_character(uint64_t offset) const {
    const char c = text_[offset];
    if (c < graph6::kBias || c > graph6::kHighest) {
      fail(offset, "the character " + in_quotes(text_.substr(offset, 1)) + " is outside '?'..'~'");
    }
  }

  /// n itself, or '~' and three characters, or '~~' and six.
  int64_t read_node_count() {
    const uint64_t start = position_;
    const auto is_long = [&] {
      return position_ < text_.size() && text_[position_] == graph6::kHighest;
    };
    int characters = 1;
    if (is_long()) {
      ++position_;
      characters = 3;
      if (is_long()) {
        ++position_;
        characters = 6;
      }
    }
    int64_t nodes = 0;
    for (int i = 0; i < characters; ++i, ++position_) {
      if (position_ == text_.size()) fail(position_, "the text ends within the number of nodes");
      check_character(position_);
      nodes = nodes << kBitsPerCharacter | static_cast<int64_t>(bits_at(position_));
    }
    const int64_t limit = std::min<int64_t>(limits_.max_nodes, std::numeric_limits<int32_t>::max());
    if (nodes > limit) {
      fail(start,
           std::to_string(nodes) + " nodes are claimed; the limit is " + std::to_string(limit));
    }
    return nodes;
  }

  void check_characters() const {
    for (uint64_t offset = position_; offset < text_.size(); ++offset) check_character(offset);
  }

  void check_edge_count(uint64_t edges, uint64_t offset) const {
    if (edges > static_cast<uint64_t>(std::max<int64_t>(limits_.max_edges, 0))) {
      fail(offset, "more edges than the limit of " + std::to_string(limits_.max_edges));
    }
  }

  // --- graph6 and digraph6: the adjacency matrix, bit by bit ---

  Graph read_matrix(bool directed) const {
    const auto bits = static_cast<uint64_t>(graph6::matrix_bits(nodes_, directed));
    check_matrix_text(bits);
    Graph graph(nodes_, directed);
    MatrixCell cell(nodes_, directed);
    for (uint64_t bit = 0; bit < bits; ++bit, cell.advance()) {
      if (bit_at(bit)) graph.add_edge(cell.row(), cell.column());
    }
    return graph;
  }

  bool bit_at(uint64_t bit) const {
    return (bits_at(position_ + bit / kBitsPerCharacter) >>
                (kBitsPerCharacter - 1 - bit % kBitsPerCharacter) &
            1) != 0;
  }

  void check_matrix_text(uint64_t bits) const {
    const uint64_t wanted = (bits + kBitsPerCharacter - 1) / kBitsPerCharacter;
    const uint64_t found = text_.size() - position_;
    if (found != wanted) {
      fail(position_ + std::min(found, wanted),
           std::string(found < wanted ? "the text ends early: " : "the text goes on: ") +
               std::to_string(nodes_) + " nodes take " + std::to_string(wanted) +
               " characters, not " + std::to_string(found));
    }
    for (uint64_t bit = bits; bit < wanted * kBitsPerCharacter; ++bit) {
      if (bit_at(bit)) fail(text_.size() - 1, "the bits after the last pair of nodes must be zero");
    }
    uint64_t edges = 0;
    for (uint64_t offset = position_; offset < text_.size(); ++offset) {
      edges += static_cast<uint64_t>(__builtin_popcountll(bits_at(offset)));
    }
    check_edge_count(edges, position_);
  }

  // --- sparse6: pairs of a bit b and a node x, and a current node v, at first 0 ---

  /// b moves v on by one; then x > v makes x the current node, and any other x is an edge {x, v}.
  Graph read_sparse() const {
    const int width = graph6::sparse_width(nodes_);
    const uint64_t bits = (text_.size() - position_) * kBitsPerCharacter;
    Graph graph(nodes_);
    std::vector<int32_t> last_neighbour(static_cast<size_t>(nodes_), -1);  // of x: the last v
    int64_t v = 0;
    int64_t last_v = 0;      // at the last edge
    uint64_t edges_end = 0;  // the bit after the last edge
    for (uint64_t bit = 0; v < nodes_ && bits - bit > static_cast<uint64_t>(width);) {
      const uint64_t pair_offset = position_ + bit / kBitsPerCharacter;
      if (bit_at(bit++)) ++v;
      const int64_t x = read_node(bit, width);
      bit += static_cast<uint64_t>(width);
      if (x > v) {
        v = x;
      } else if (v < nodes_) {
        int32_t& neighbour = last_neighbour[static_cast<size_t>(x)];
        if (neighbour == v) fail_repeated(pair_offset, x, v);
        neighbour = static_cast<int32_t>(v);
        graph.add_edge(x, v);
        check_edge_count(graph.edges().size(), pair_offset);
        last_v = v;
        edges_end = bit;
      }
    }
    check_sparse_padding(edges_end, bits, last_v);
    return graph;
  }

  int64_t read_node(uint64_t bit, int width) const {
    int64_t node = 0;
    for (int i = 0; i < width; ++i) {
      node = node << 1 | (bit_at(bit + static_cast<uint64_t>(i)) ? 1 : 0);
    }
    return node;
  }

  [[noreturn]] void fail_repeated(uint64_t offset, int64_t x, int64_t v) const {
    fail(offset, "the edge " + std::to_string(x) + "-" + std::to_string(v) +
                     " is repeated; parallel edges are not supported");
  }

  /// The rest of the last character is ones. Where nodes is a power of two, ones might read as a
  /// loop at the last node, and writers then put one zero first (some whenever v is not the last
  /// node).
  void check_sparse_padding(uint64_t edges_end, uint64_t bits, int64_t last_v) const {
    const uint64_t padding = bits - edges_end;
    if (padding >= kBitsPerCharacter) {
      fail(position_ + (edges_end + kBitsPerCharacter - 1) / kBitsPerCharacter,
           "the text goes on after the last edge");
    }
    if (padding == 0) return;
    const int width = graph6::sparse_width(nodes_);
    const bool zero_allowed = nodes_ == int64_t{1} << width && last_v < nodes_ - 1 &&
                              padding >= static_cast<uint64_t>(width);
    const uint64_t first_one = edges_end + (zero_allowed && !bit_at(edges_end) ? 1 : 0);
    for (uint64_t bit = first_one; bit < bits; ++bit) {
      if (!bit_at(bit)) fail(text_.size() - 1, "the bits after the last edge must be ones");
    }
  }

  std::string_view text_;
  const std::string& source_;
  const GraphLimits& limits_;
  uint64_t position_ = 0;  // of what is to be read next
  int64_t nodes_ = 0;
};

}  // namespace

Graph parse_graph(std::string_view text, const std::string& source, const GraphLimits& limits) {
  return Parser(text, source, limits).parse();
}

}  // namespace floydnet
