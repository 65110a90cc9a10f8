// Graphs, relabelings and a slow, exact k-FWL, for tests only.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "floydnet/graph.h"
#include "floydnet/wl.h"
#include "wl/automorphisms.h"

namespace floydnet::wl {

inline Graph shuffled(const Graph& graph, std::mt19937& random) {
  std::vector<int64_t> names(static_cast<size_t>(graph.nodes()));
  std::iota(names.begin(), names.end(), 0);
  std::shuffle(names.begin(), names.end(), random);
  return graph.relabeled(names);
}

/// Categories drawn from 0..values-1.
inline FeatureTable random_features(int64_t rows, int64_t values, std::mt19937& random) {
  FeatureTable table(rows, 1, 0);
  for (int64_t& value : table.categories) value = static_cast<int64_t>(random() % values);
  return table;
}

/// One graph of each isomorphism class on n nodes: those on n-1 nodes with one more node, joined to
/// every set of the others, of which nauty's canonical form keeps one each.
inline std::vector<Graph> all_graphs(int64_t n) {
  if (n == 0) return {Graph(0)};
  std::map<std::vector<uint64_t>, Graph> found;
  for (const Graph& smaller : all_graphs(n - 1)) {
    for (int64_t neighbours = 0; neighbours < int64_t{1} << (n - 1); ++neighbours) {
      Graph graph(n);
      for (const auto& [u, v] : smaller.edges()) graph.add_edge(u, v);
      for (int64_t u = 0; u + 1 < n; ++u) {
        if ((neighbours >> u & 1) != 0) graph.add_edge(u, n - 1);
      }
      found.emplace(Automorphisms(graph).canonical_form(), graph);
    }
  }
  std::vector<Graph> graphs;
  for (const auto& [form, graph] : found) graphs.push_back(graph);
  return graphs;
}

/// The definition, by sorting and exact comparison: colours of all tuples of all graphs, numbered
/// in the order of their content.
class ExactRefinement {
 public:
  ExactRefinement(const std::vector<const Graph*>& graphs, int order)
      : graphs_(graphs), order_(static_cast<size_t>(order)) {
    Contents contents;
    for (const Graph* graph : graphs) {
      contents.emplace_back();
      for (int64_t t = 0; t < tuples(*graph); ++t) contents.back().push_back(type(*graph, t));
    }
    number(contents);
  }

  /// Returns whether a colour was split.
  bool refine() {
    const int64_t before = colours_;
    Contents contents;
    for (size_t g = 0; g < graphs_.size(); ++g) {
      contents.emplace_back();
      for (int64_t t = 0; t < tuples(*graphs_[g]); ++t) contents.back().push_back(signature(g, t));
    }
    number(contents);
    return colours_ > before;
  }

  int64_t colours() const { return colours_; }
  /// The numbers of tuples of each colour in each graph, without the colours' names.
  std::multiset<std::vector<int64_t>> counts() const {
    std::vector<std::vector<int64_t>> table(static_cast<size_t>(colours_),
                                            std::vector<int64_t>(graphs_.size(), 0));
    for (size_t g = 0; g < graphs_.size(); ++g) {
      for (const int64_t colour : colour_[g]) ++table[static_cast<size_t>(colour)][g];
    }
    return {table.begin(), table.end()};
  }

 private:
  using Content = std::vector<int64_t>;
  using Contents = std::vector<std::vector<Content>>;

  int64_t tuples(const Graph& graph) const {
    int64_t count = 1;
    for (size_t r = 0; r < order_; ++r) count *= graph.nodes();
    return count;
  }

  std::vector<int64_t> tuple(const Graph& graph, int64_t t) const {
    std::vector<int64_t> v(order_);
    for (size_t r = order_; r-- > 0; t /= graph.nodes()) v[r] = t % graph.nodes();
    return v;
  }

  static void append_row(Content& content, const FeatureTable& table, int64_t row) {
    for (int64_t c = 0; c < table.category_columns; ++c) content.push_back(table.category(row, c));
  }

  Content type_of(const Graph& graph, const std::vector<int64_t>& v) const {
    Content content;
    append_row(content, graph.graph_features, 0);
    const std::vector<int64_t> edges = graph.edge_indices();
    for (const int64_t x : v) {
      append_row(content, graph.node_features, x);
      for (const int64_t y : v) {
        const int64_t edge = edges[static_cast<size_t>(x * graph.nodes() + y)];
        content.insert(content.end(), {x == y ? 1 : 0, edge >= 0 ? 1 : 0});
        if (edge >= 0) append_row(content, graph.edge_features, edge);
      }
    }
    return content;
  }

  Content type(const Graph& graph, int64_t t) const { return type_of(graph, tuple(graph, t)); }

  Content signature(size_t g, int64_t t) const {
    const Graph& graph = *graphs_[g];
    const std::vector<int64_t> v = tuple(graph, t);
    std::vector<Content> pivots;
    for (int64_t p = 0; p < graph.nodes(); ++p) {
      Content vector;
      int64_t stride = 1;
      for (size_t r = order_; r-- > 0; stride *= graph.nodes()) {
        vector.push_back(colour_[g][static_cast<size_t>(t + (p - v[r]) * stride)]);
      }
      if (order_ == 1) {
        const Content pair = type_of(graph, {v[0], p});
        vector.insert(vector.end(), pair.begin(), pair.end());
      }
      pivots.push_back(vector);
    }
    std::sort(pivots.begin(), pivots.end());
    Content content = {colour_[g][static_cast<size_t>(t)]};
    for (const Content& pivot : pivots) {
      content.push_back(static_cast<int64_t>(pivot.size()));
      content.insert(content.end(), pivot.begin(), pivot.end());
    }
    return content;
  }

  void number(const Contents& contents) {
    std::map<Content, int64_t> numbers;
    for (const auto& of_graph : contents) {
      for (const Content& content : of_graph) numbers.emplace(content, 0);
    }
    colours_ = 0;
    for (auto& [content, colour] : numbers) colour = colours_++;
    colour_.clear();
    for (const auto& of_graph : contents) {
      colour_.emplace_back();
      for (const Content& content : of_graph) colour_.back().push_back(numbers.at(content));
    }
  }

  std::vector<const Graph*> graphs_;
  size_t order_;
  std::vector<std::vector<int64_t>> colour_;  // [graph][tuple]
  int64_t colours_ = 0;
};

/// As ExactRefinement::counts, from histograms.
inline std::multiset<std::vector<int64_t>> counts(const WlRefinement& refinement) {
  std::vector<std::vector<int64_t>> table(static_cast<size_t>(refinement.colours),
                                          std::vector<int64_t>(refinement.histograms.size(), 0));
  for (size_t g = 0; g < refinement.histograms.size(); ++g) {
    for (const auto& [colour, tuples] : refinement.histograms[g]) table[colour][g] = tuples;
  }
  return {table.begin(), table.end()};
}

inline WlOptions order(int k) {
  WlOptions options;
  options.order = k;
  return options;
}

}  // namespace floydnet::wl
