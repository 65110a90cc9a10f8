/// \file
/// Counting small patterns in graphs: homomorphisms and copies, of the whole graph, through each
/// node and through each pair of nodes, exactly.
///
/// This header needs no libtorch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "floydnet/export.h"
#include "floydnet/graph.h"

namespace floydnet::counting {

constexpr int64_t kMinPatternNodes = 2;
constexpr int64_t kMaxPatternNodes = 10;

enum class Kind {
  kHomomorphisms,  ///< maps of the pattern's nodes that keep its edges
  kCopies,         ///< subgraphs that are the pattern: injective ones over automorphisms
};
/// "homomorphisms" or "copies".
FLOYDNET_EXPORT const char* text(Kind kind);

struct Pattern {
  std::string name;
  Kind kind = Kind::kCopies;
  Graph graph;
  /// The benchmark divides errors at node and at edge level further by these.
  double node_divisor = 1;
  double edge_divisor = 1;
};

/// The benchmark's 13 patterns: 7 counted by homomorphisms, then 6 counted by copies.
FLOYDNET_EXPORT const std::vector<Pattern>& benchmark_patterns();

/// A pattern with the divisors that the benchmark would give it: for copies the number of nodes and
/// twice that of edges. Throws InputError unless it is undirected, without loops and has 2 to 10
/// nodes.
FLOYDNET_EXPORT Pattern make_pattern(const std::string& name, Kind kind, const Graph& graph);

/// One pattern from a name of the benchmark ("cycle5"), or from a graph6 text, whose copies are
/// counted. Either may follow "hom:" (its homomorphisms) or "sub:" (its copies). The text is its
/// name. Throws InputError.
FLOYDNET_EXPORT Pattern parse_pattern(const std::string& text);
/// Several of those with commas between them, none twice; "all" is the benchmark.
FLOYDNET_EXPORT std::vector<Pattern> parse_patterns(const std::string& text);

/// The levels that are wanted besides that of the graph.
struct Levels {
  bool nodes = true;
  bool pairs = true;
};

/// Of one pattern in many graphs: their counts one behind the other. The rows of nodes and pairs
/// are those of TupleLayout(1, sizes) and TupleLayout(2, sizes), and so of a batch's packed states.
struct CountColumn {
  std::vector<int64_t> graphs;
  std::vector<int64_t> nodes;
  std::vector<int64_t> pairs;
};

struct CountTable {
  std::vector<int64_t> sizes;  ///< nodes of each graph
  std::vector<Pattern> patterns;
  std::vector<CountColumn> columns;  ///< one a pattern

  TupleLayout layout(int order) const { return TupleLayout(order, sizes); }
};

struct CountOptions {
  Levels levels;
  int threads = 1;
  int64_t max_bytes = int64_t{4} << 30;        ///< that the table may need
  std::function<void(int64_t done)> progress;  ///< told how many graphs are done
};
/// Throws InputError that names the graph by its place. Graphs and the table's size are checked
/// before anything is counted; the result does not depend on the number of threads.
FLOYDNET_EXPORT CountTable count_patterns(const std::vector<Graph>& graphs,
                                          const std::vector<Pattern>& patterns,
                                          const CountOptions& options = {});

/// Of the counts at graph level. The benchmark divides its targets, at every level, by the
/// deviation over all its graphs; nothing is subtracted.
struct Scale {
  double mean = 0;
  double deviation = 0;  ///< with n - 1 in the denominator; 0 for fewer than two counts

  /// What targets are divided by: the deviation, or 1 where it is 0.
  double divisor() const { return deviation > 0 ? deviation : 1; }
};
FLOYDNET_EXPORT Scale scale_of(const std::vector<int64_t>& graph_counts);
FLOYDNET_EXPORT std::vector<double> normalised(const std::vector<int64_t>& counts,
                                               const Scale& scale);

}  // namespace floydnet::counting
