#include "tasks/graphs/molecules/cycle_basis.h"

#include <algorithm>

namespace floydnet::graphs {
namespace {

using NeighbourLists = std::vector<std::vector<int32_t>>;

bool has_node(const std::vector<int32_t>& list, int32_t node) {
  return std::find(list.begin(), list.end(), node) != list.end();
}

NeighbourLists sorted_neighbours(int64_t nodes, const std::vector<Graph::Edge>& edges) {
  NeighbourLists neighbours(static_cast<size_t>(nodes));
  for (const auto& [u, v] : edges) {
    neighbours[static_cast<size_t>(u)].push_back(v);
    neighbours[static_cast<size_t>(v)].push_back(u);
  }
  for (auto& list : neighbours) std::sort(list.begin(), list.end());
  return neighbours;
}

class CycleSearch {
 public:
  CycleSearch(int64_t nodes, const std::vector<Graph::Edge>& edges)
      : neighbours_(sorted_neighbours(nodes, edges)),
        used_(neighbours_.size()),
        parent_(neighbours_.size(), -1) {}

  std::vector<int64_t> run() {
    for (size_t root = 0; root < parent_.size(); ++root) {
      if (parent_[root] < 0) grow(static_cast<int32_t>(root));
    }
    return std::move(lengths_);
  }

 private:
  void grow(int32_t root) {
    parent_[at(root)] = root;
    std::vector<int32_t> stack = {root};
    while (!stack.empty()) {
      const int32_t node = stack.back();
      stack.pop_back();
      for (const int32_t next : neighbours_[at(node)]) {
        if (parent_[at(next)] < 0) {
          parent_[at(next)] = node;
          used_[at(next)] = {node};
          stack.push_back(next);
        } else if (!has_node(used_[at(node)], next)) {
          lengths_.push_back(cycle_length(node, next));
          used_[at(next)].push_back(node);
        }
      }
    }
  }

  /// From `next` to `node` and up the tree to the first that `next` has seen.
  int64_t cycle_length(int32_t node, int32_t next) const {
    int64_t length = 3;
    int32_t above = parent_[at(node)];
    for (; !has_node(used_[at(next)], above); above = parent_[at(above)]) ++length;
    return length;
  }

  static size_t at(int32_t node) { return static_cast<size_t>(node); }

  const NeighbourLists neighbours_;
  NeighbourLists used_;  // neighbours whose edge is in the tree or in a cycle, by node
  std::vector<int32_t> parent_;
  std::vector<int64_t> lengths_;
};

}  // namespace

std::vector<int64_t> cycle_basis_lengths(int64_t nodes, const std::vector<Graph::Edge>& edges) {
  return CycleSearch(nodes, edges).run();
}

}  // namespace floydnet::graphs
