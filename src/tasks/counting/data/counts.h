// Counts of patterns in graphs, at graph, node and edge level, and the benchmark's normalisation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "floydnet/graph.h"
#include "floydnet/graph_io.h"
#include "tasks/counting/data/pattern.h"
#include "tasks/counting/data/target.h"

namespace floydnet::counting {

/// The levels that are wanted besides that of the graph.
struct Levels {
  bool nodes = true;
  bool pairs = true;
};

/// Of one pattern in one graph with n nodes. Homomorphisms: all; those that send the pattern's node
/// 0 to each node; those that send nodes (0, 1) to each pair. Copies: all; those through each node;
/// those that use each edge, symmetric.
struct Counts {
  int64_t graph = 0;
  std::vector<int64_t> nodes;  // [n], or none
  std::vector<int64_t> pairs;  // [n, n], or none
};

/// Counts one pattern in graph after graph. Holds scratch: one for each thread.
class Counter {
 public:
  explicit Counter(const Pattern& pattern);
  ~Counter();
  Counter(Counter&&) noexcept;
  Counter& operator=(Counter&&) noexcept;

  /// Throws InputError, with the pattern's name, for a number that does not fit 63 bits.
  Counts count(const Target& target, Levels levels = {});

 private:
  class Method;
  std::string name_;
  std::unique_ptr<Method> method_;
};

/// Of one pattern in many graphs: their counts one behind the other. The rows of nodes and pairs
/// are those of TupleLayout(1, sizes) and TupleLayout(2, sizes), and so of a batch's packed states.
struct CountColumn {
  std::vector<int64_t> graphs;
  std::vector<int64_t> nodes;
  std::vector<int64_t> pairs;
};

struct CountTable {
  std::vector<int64_t> sizes;  // nodes of each graph
  std::vector<Pattern> patterns;
  std::vector<CountColumn> columns;  // one a pattern

  TupleLayout layout(int order) const { return TupleLayout(order, sizes); }
};

struct CountOptions {
  Levels levels;
  int threads = 1;
  int64_t max_bytes = int64_t{4} << 30;        // that the table may need
  std::function<void(int64_t done)> progress;  // told how many graphs are done
};
/// Throws InputError that names the graph by its place. Graphs and the table's size are checked
/// before anything is counted; the result does not depend on the number of threads.
CountTable count_patterns(const std::vector<Graph>& graphs, const std::vector<Pattern>& patterns,
                          const CountOptions& options = {});

/// Of the counts at graph level. The benchmark divides its targets, at every level, by the
/// deviation over all its graphs; nothing is subtracted.
struct Scale {
  double mean = 0;
  double deviation = 0;  // with n - 1 in the denominator; 0 for fewer than two counts

  /// What targets are divided by: the deviation, or 1 where it is 0.
  double divisor() const { return deviation > 0 ? deviation : 1; }
};
Scale scale_of(const std::vector<int64_t>& graph_counts);
std::vector<double> normalised(const std::vector<int64_t>& counts, const Scale& scale);

/// The arrays of a file: graph/NAME [graphs], node/NAME and edge/NAME (concatenated, the latter n*n
/// row-major a graph), and sizes, graphs (graph6), patterns, mean, deviation, node_divisor and
/// edge_divisor.
NpzArchive to_arrays(const CountTable& table, const std::vector<Graph>& graphs);

}  // namespace floydnet::counting
