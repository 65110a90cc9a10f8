// Copies of a small pattern, found by a search along the target's edges.
//
// Nodes of the pattern are placed one by one, each beside a neighbour that has its place. Of the
// injective maps that differ by an automorphism of the pattern exactly one is visited: with the
// stabilisers of the first, of the first two, ... nodes, node i's image must be the smallest among
// the images of its orbit under the automorphisms that fix the nodes before it.
#pragma once

#include <cstdint>
#include <vector>

#include "floydnet/graph.h"
#include "tasks/counting/data/target.h"

namespace floydnet::counting {

class CopyCounter {
 public:
  /// A simple graph.
  explicit CopyCounter(const Graph& pattern);

  /// How many copies there are. Unless they are null, nodes [n] are set to the copies through each
  /// node and pairs [n, n], symmetric, to those that use each edge.
  int64_t count(const Target& target, std::vector<int64_t>* nodes, std::vector<int64_t>* pairs);

  /// The order of the pattern's automorphism group.
  int64_t automorphisms() const { return automorphisms_; }

 private:
  struct Place {
    std::vector<int32_t> linked;   // earlier places that its image must be adjacent to
    std::vector<int32_t> smaller;  // earlier places whose images must be smaller
  };

  void break_symmetry(const Graph& ordered);
  void visit(const Target& target, size_t place);
  bool fits(size_t place, int32_t image) const;
  void add_copy(int64_t target_nodes);

  std::vector<Place> places_;
  std::vector<Graph::Edge> edges_;  // between places
  int64_t automorphisms_ = 1;
  std::vector<int32_t> images_;  // by place
  int64_t copies_ = 0;
  std::vector<int64_t>* nodes_ = nullptr;
  std::vector<int64_t>* pairs_ = nullptr;
};

}  // namespace floydnet::counting
