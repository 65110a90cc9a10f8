// Counts of one pattern in one graph, and the file of many; the rest is in floydnet/counting.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "floydnet/counting.h"
#include "floydnet/graph.h"
#include "floydnet/graph_io.h"
#include "tasks/counting/data/pattern.h"
#include "tasks/counting/data/target.h"

namespace floydnet::counting {

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

/// The arrays of a file: graph/NAME [graphs], node/NAME and edge/NAME (concatenated, the latter n*n
/// row-major a graph), and sizes, graphs (graph6), patterns, mean, deviation, node_divisor and
/// edge_divisor.
NpzArchive to_arrays(const CountTable& table, const std::vector<Graph>& graphs);

}  // namespace floydnet::counting
