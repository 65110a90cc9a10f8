// What is counted: the patterns of the benchmark by name, and the user's own as graph6.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::counting {

constexpr int64_t kMinPatternNodes = 2;
constexpr int64_t kMaxPatternNodes = 10;

enum class Kind {
  kHomomorphisms,  // maps of the pattern's nodes that keep its edges
  kCopies,         // subgraphs that are the pattern: injective ones over automorphisms
};
/// "homomorphisms" or "copies".
const char* text(Kind kind);

struct Pattern {
  std::string name;
  Kind kind = Kind::kCopies;
  Graph graph;
  /// The benchmark divides errors at node and at edge level further by these.
  double node_divisor = 1;
  double edge_divisor = 1;
};

/// The benchmark's 13 patterns: 7 counted by homomorphisms, then 6 counted by copies.
const std::vector<Pattern>& benchmark_patterns();

/// A pattern with the divisors that the benchmark would give it: for copies the number of nodes and
/// twice that of edges. Throws InputError unless it is undirected, without loops and has 2 to 10
/// nodes.
Pattern make_pattern(const std::string& name, Kind kind, const Graph& graph);

/// One pattern from a name of the benchmark ("cycle5"), or from a graph6 text, whose copies are
/// counted. Either may follow "hom:" (its homomorphisms) or "sub:" (its copies). The text is its
/// name. Throws InputError.
Pattern parse_pattern(const std::string& text);
/// Several of those with commas between them, none twice; "all" is the benchmark.
std::vector<Pattern> parse_patterns(const std::string& text);

/// The nodes of `rest` behind those of `first`, each time one with the most neighbours among those
/// before it.
std::vector<int32_t> linked_order(const Graph& pattern, std::vector<int32_t> first,
                                  std::vector<int32_t> rest);
/// For each place of an order the earlier places that hold a neighbour.
std::vector<std::vector<int32_t>> linked_places(const Graph& pattern,
                                                const std::vector<int32_t>& order);

}  // namespace floydnet::counting
