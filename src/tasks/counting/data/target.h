// The graph in which patterns are counted, laid out for searching along its edges.
#pragma once

#include <cstdint>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::counting {

/// Graphs with more nodes are refused: pairs are kept in dense tables.
constexpr int64_t kMaxTargetNodes = 4096;

/// Throws InputError for a directed graph, a loop or too many nodes.
void require_countable(const Graph& graph);

class Target {
 public:
  struct Nodes {
    const int32_t* first;
    const int32_t* last;

    const int32_t* begin() const { return first; }
    const int32_t* end() const { return last; }
  };

  /// The graph must be countable.
  explicit Target(const Graph& graph);

  int64_t nodes() const { return nodes_; }
  Nodes all() const { return {all_.data(), all_.data() + nodes_}; }
  Nodes neighbours(int32_t node) const {
    const int64_t* offset = offsets_.data() + node;
    return {neighbours_.data() + offset[0], neighbours_.data() + offset[1]};
  }
  bool adjacent(int32_t u, int32_t v) const { return adjacency_[u * nodes_ + v] != 0; }

 private:
  int64_t nodes_;
  std::vector<uint8_t> adjacency_;  // [n, n]
  std::vector<int32_t> all_;
  std::vector<int64_t> offsets_;  // n + 1
  std::vector<int32_t> neighbours_;
};

/// Calls visit(x) for the nodes x that are adjacent to images[p] for every p in `linked`; that is
/// every node if there is none.
template <typename Visit>
void for_each_candidate(const Target& target, const std::vector<int32_t>& linked,
                        const int32_t* images, Visit visit) {
  const auto candidates = linked.empty() ? target.all() : target.neighbours(images[linked[0]]);
  for (const int32_t x : candidates) {
    bool fits = true;
    for (size_t i = 1; i < linked.size() && fits; ++i) {
      fits = target.adjacent(images[linked[i]], x);
    }
    if (fits) visit(x);
  }
}

}  // namespace floydnet::counting
