// For each row of packed tuple states: which nodes, pairs and graph it speaks of.
#pragma once

#include <torch/types.h>

#include <vector>

#include "floydnet/graph.h"

namespace floydnet {

/// Index tensors, [rows] int64, over the tuples of a batch. Without a SuperNode, node and pair
/// numbers count through the batch's packed node and pair rows. With one, it is the last node of
/// each graph, and what involves it has the number one past the end (`node_count`, `pair_count`),
/// which `gathered` takes for zeros.
class TupleIndex {
 public:
  /// sizes: real nodes of each graph.
  TupleIndex(int order, const std::vector<int64_t>& sizes, bool supernode);

  const TupleLayout& layout() const { return layout_; }
  int64_t node_count() const { return node_count_; }
  int64_t pair_count() const { return pair_count_; }

  /// Node at coordinate a.
  torch::Tensor node(int a) const;
  /// Pair of the nodes at coordinates a and b.
  torch::Tensor pair(int a, int b) const;
  torch::Tensor graph() const;
  /// Bit c is set where coordinate c is the SuperNode.
  torch::Tensor supernode_bits() const;
  /// Whether coordinates a and b are the same node, bool.
  torch::Tensor equal(int a, int b) const;

 private:
  template <typename F>
  torch::Tensor for_each_tuple(const F& value) const;
  bool is_supernode(int64_t graph, int64_t v) const {
    return supernode_ && v == layout_.size(graph) - 1;
  }

  bool supernode_;
  TupleLayout layout_;  // sizes count the SuperNode
  std::vector<int64_t> first_node_, first_pair_;
  int64_t node_count_ = 0, pair_count_ = 0;
};

}  // namespace floydnet
