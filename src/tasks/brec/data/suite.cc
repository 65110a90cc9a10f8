#include "tasks/brec/data/suite.h"

#include <array>
#include <functional>
#include <set>
#include <utility>

#include "graph/families.h"

namespace floydnet::brec {
namespace {

/// Nodes i and j > i are adjacent where `adjacent` says so.
Graph graph_where(int64_t n, const std::function<bool(int64_t, int64_t)>& adjacent) {
  Graph graph(n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i + 1; j < n; ++j) {
      if (adjacent(i, j)) graph.add_edge(i, j);
    }
  }
  return graph;
}

/// A cycle of n nodes with links between nodes `skip` steps apart.
Graph circulant_skip_links(int64_t n, int64_t skip) {
  return graph_where(n, [&](int64_t i, int64_t j) {
    const int64_t step = j - i;
    return step == 1 || step == n - 1 || step == skip || step == n - skip;
  });
}

Graph prism_graph(int64_t n) {
  Graph graph = disjoint_union(cycle_graph(n), cycle_graph(n));
  for (int64_t i = 0; i < n; ++i) graph.add_edge(i, n + i);
  return graph;
}

/// Two-element subsets of 0..n-1.
std::vector<std::pair<int64_t, int64_t>> two_subsets(int64_t n) {
  std::vector<std::pair<int64_t, int64_t>> subsets;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i + 1; j < n; ++j) subsets.emplace_back(i, j);
  }
  return subsets;
}

bool intersect(const std::pair<int64_t, int64_t>& s, const std::pair<int64_t, int64_t>& t) {
  return s.first == t.first || s.first == t.second || s.second == t.first || s.second == t.second;
}

/// T(n): edges of K_n, adjacent where they share a node.
Graph triangular_graph(int64_t n) {
  const auto subsets = two_subsets(n);
  return graph_where(static_cast<int64_t>(subsets.size()), [&](int64_t i, int64_t j) {
    return intersect(subsets[static_cast<size_t>(i)], subsets[static_cast<size_t>(j)]);
  });
}

Graph petersen_graph() {
  const Graph line = triangular_graph(5);
  const std::vector<uint8_t> adjacency = line.adjacency();
  return graph_where(
      10, [&](int64_t i, int64_t j) { return adjacency[static_cast<size_t>(10 * i + j)] == 0; });
}

/// T(8) with adjacency exchanged between the edges of a subgraph of K_8 and all others (Seidel
/// switching). The subgraphs 4 K_2, C_8 and C_3 + C_5 give the three Chang graphs.
Graph switched_t8(const Graph& subgraph) {
  const auto subsets = two_subsets(8);
  std::set<std::pair<int64_t, int64_t>> switched;
  for (const auto& [u, v] : subgraph.edges()) switched.insert({u, v});
  return graph_where(28, [&](int64_t i, int64_t j) {
    const auto& s = subsets[static_cast<size_t>(i)];
    const auto& t = subsets[static_cast<size_t>(j)];
    return intersect(s, t) != (switched.count(s) != switched.count(t));
  });
}

Graph perfect_matching(int64_t n) {
  return graph_where(n, [](int64_t i, int64_t j) { return i % 2 == 0 && j == i + 1; });
}

/// Cells of an n x n Latin square, adjacent where they share row, column or symbol; strongly
/// regular (n^2, 3n - 3, n, 6).
Graph latin_square_graph(int64_t n, const std::function<int64_t(int64_t, int64_t)>& symbol) {
  return graph_where(n * n, [&](int64_t a, int64_t b) {
    return a / n == b / n || a % n == b % n || symbol(a / n, a % n) == symbol(b / n, b % n);
  });
}

int64_t cyclic_sum(int64_t n, int64_t i, int64_t j) { return (i + j) % n; }

/// The product in the dihedral group of order 6; 3 s + r stands for the s-th power of a reflection
/// times the r-th of a rotation.
int64_t dihedral_product(int64_t a, int64_t b) {
  const int64_t turn = b / 3 == 0 ? a % 3 : 3 - a % 3;
  return 3 * ((a / 3 + b / 3) % 2) + (turn + b % 3) % 3;
}

/// A Latin square of order 5 with a subsquare of order 2, which that of Z5 has not.
int64_t lopsided_symbol(int64_t i, int64_t j) {
  constexpr const char* kRows[] = {"01234", "10342", "24013", "32401", "43120"};
  return kRows[i][j] - '0';
}

Graph grid_graph(int64_t n) {
  return graph_where(
      n * n, [&](int64_t a, int64_t b) { return (b == a + n) || (b == a + 1 && b % n != 0); });
}

Graph octahedron() {
  return graph_where(6, [](int64_t i, int64_t j) { return i / 2 != j / 2; });
}

void add_regular_pairs(std::vector<SuitePair>& suite) {
  suite.push_back({"two triangles, hexagon", "Regular",
                   disjoint_union(cycle_graph(3), cycle_graph(3)), cycle_graph(6), 2});
  suite.push_back({"prism, K3,3", "Regular", prism_graph(3), complete_bipartite_graph(3, 3), 2});
  suite.push_back({"prism, Petersen graph", "Regular", prism_graph(5), petersen_graph(), 2});
  suite.push_back({"C11(1,2), C11(1,3)", "Skip links", circulant_skip_links(11, 2),
                   circulant_skip_links(11, 3), 2});
  suite.push_back({"C41(1,2), C41(1,9)", "Skip links", circulant_skip_links(41, 2),
                   circulant_skip_links(41, 9), 2});
  suite.push_back({"C41(1,5), C41(1,6)", "Skip links", circulant_skip_links(41, 5),
                   circulant_skip_links(41, 6), 2});
}

void add_strongly_regular_pairs(std::vector<SuitePair>& suite) {
  const auto add = [&](const char* name, const Graph& a, const Graph& b) {
    suite.push_back({name, "Strongly regular", a, b, 3});
  };
  const Graph t8 = triangular_graph(8);
  const Graph chang1 = switched_t8(perfect_matching(8));
  const Graph chang2 = switched_t8(cycle_graph(8));
  const Graph chang3 = switched_t8(disjoint_union(cycle_graph(3), cycle_graph(5)));
  add("4x4 rook, Shrikhande", rook_graph(4), shrikhande_graph());
  add("Latin squares of order 5",
      latin_square_graph(5, [](int64_t i, int64_t j) { return cyclic_sum(5, i, j); }),
      latin_square_graph(5, lopsided_symbol));
  add("T(8), Chang 1", t8, chang1);
  add("T(8), Chang 2", t8, chang2);
  add("T(8), Chang 3", t8, chang3);
  add("Chang 1, Chang 2", chang1, chang2);
  add("Chang 2, Chang 3", chang2, chang3);
  add("Latin squares of Z6 and D3",
      latin_square_graph(6, [](int64_t i, int64_t j) { return cyclic_sum(6, i, j); }),
      latin_square_graph(6, dihedral_product));
}

void add_cfi_pairs(std::vector<SuitePair>& suite) {
  const auto add = [&](const char* name, const Graph& base, int64_t treewidth) {
    suite.push_back({std::string("CFI over ") + name, "CFI", cfi_graph(base, false),
                     cfi_graph(base, true), treewidth});
  };
  add("C5", cycle_graph(5), 2);
  add("K2,3", complete_bipartite_graph(2, 3), 2);
  add("K4", complete_graph(4), 3);
  add("K3,3", complete_bipartite_graph(3, 3), 3);
  add("the 3x3 grid", grid_graph(3), 3);
  add("the Petersen graph", petersen_graph(), 4);
  add("the octahedron", octahedron(), 4);
  add("K5", complete_graph(5), 4);
  add("K6", complete_graph(6), 5);
}

}  // namespace

std::vector<SuitePair> embedded_suite() {
  std::vector<SuitePair> suite;
  add_regular_pairs(suite);
  add_strongly_regular_pairs(suite);
  add_cfi_pairs(suite);
  return suite;
}

}  // namespace floydnet::brec
