#include "graph/families.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace floydnet {

Graph complete_graph(int64_t n) {
  Graph graph(n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i + 1; j < n; ++j) graph.add_edge(i, j);
  }
  return graph;
}

Graph cycle_graph(int64_t n) {
  if (n < 3) throw std::invalid_argument(fmt::format("cycle_graph: n is {}, wanted 3 or more", n));
  Graph graph(n);
  for (int64_t i = 0; i < n; ++i) graph.add_edge(i, (i + 1) % n);
  return graph;
}

Graph complete_bipartite_graph(int64_t left, int64_t right) {
  Graph graph(left + right);
  for (int64_t i = 0; i < left; ++i) {
    for (int64_t j = 0; j < right; ++j) graph.add_edge(i, left + j);
  }
  return graph;
}

Graph disjoint_union(const Graph& a, const Graph& b) {
  Graph graph(a.nodes() + b.nodes());
  for (const auto& [u, v] : a.edges()) graph.add_edge(u, v);
  for (const auto& [u, v] : b.edges()) graph.add_edge(a.nodes() + u, a.nodes() + v);
  return graph;
}

Graph rook_graph(int64_t n) {
  Graph graph(n * n);
  for (int64_t a = 0; a < n * n; ++a) {
    for (int64_t b = a + 1; b < n * n; ++b) {
      if (a / n == b / n || a % n == b % n) graph.add_edge(a, b);
    }
  }
  return graph;
}

Graph shrikhande_graph() {
  // The Cayley graph of Z4 x Z4 with the steps +-(0,1), +-(1,0), +-(1,1).
  Graph graph(16);
  for (int64_t x = 0; x < 4; ++x) {
    for (int64_t y = 0; y < 4; ++y) {
      const int64_t here = 4 * x + y;
      const int64_t right = 4 * x + (y + 1) % 4;
      const int64_t down = 4 * ((x + 1) % 4) + y;
      const int64_t diagonal = 4 * ((x + 1) % 4) + (y + 1) % 4;
      for (const int64_t there : {right, down, diagonal}) graph.add_edge(here, there);
    }
  }
  return graph;
}

namespace {

constexpr int64_t kMaxCfiDegree = 20;

/// For each base node, the indices of the edges at it.
std::vector<std::vector<size_t>> incident_edges(const Graph& base) {
  std::vector<std::vector<size_t>> incident(base.nodes());
  for (size_t e = 0; e < base.edges().size(); ++e) {
    const auto [u, v] = base.edges()[e];
    if (u == v) throw std::invalid_argument("cfi_graph: the base has a loop, wanted none");
    incident[u].push_back(e);
    incident[v].push_back(e);
  }
  for (const auto& edges : incident) {
    if (static_cast<int64_t>(edges.size()) > kMaxCfiDegree) {
      throw std::invalid_argument(fmt::format(
          "cfi_graph: the base has degree {}, wanted {} at most", edges.size(), kMaxCfiDegree));
    }
  }
  return incident;
}

struct CfiNode {
  int64_t base;
  uint32_t subset;  // bit i: the i-th edge at the base node is in it
};

}  // namespace

Graph cfi_graph(const Graph& base, bool twisted) {
  const auto incident = incident_edges(base);
  std::vector<CfiNode> nodes;
  for (int64_t v = 0; v < base.nodes(); ++v) {
    for (uint32_t subset = 0; subset < (1u << incident[v].size()); ++subset) {
      if (__builtin_popcount(subset) % 2 == 0) nodes.push_back({v, subset});
    }
  }
  const auto contains = [&](const CfiNode& node, size_t edge) {
    const auto& edges = incident[node.base];
    for (size_t i = 0; i < edges.size(); ++i) {
      if (edges[i] == edge) return ((node.subset >> i) & 1) == 1;
    }
    return false;
  };
  const std::vector<int64_t> edge_between = base.edge_indices();
  Graph graph(static_cast<int64_t>(nodes.size()));
  for (size_t a = 0; a < nodes.size(); ++a) {
    for (size_t b = a + 1; b < nodes.size(); ++b) {
      const int64_t edge = edge_between[nodes[a].base * base.nodes() + nodes[b].base];
      if (edge < 0) continue;
      const size_t e = static_cast<size_t>(edge);
      const bool same = contains(nodes[a], e) == contains(nodes[b], e);
      const bool is_twisted_edge = twisted && e == 0;
      if (same != is_twisted_edge) graph.add_edge(static_cast<int64_t>(a), static_cast<int64_t>(b));
    }
  }
  return graph;
}

}  // namespace floydnet
