// Counting by the definitions alone, for tests: all maps of the pattern's nodes are tried.
#pragma once

#include <set>
#include <vector>

#include "tasks/counting/data/counts.h"

namespace floydnet::counting {

class Oracle {
 public:
  Oracle(const Pattern& pattern, const Graph& graph)
      : pattern_(pattern),
        n_(static_cast<size_t>(graph.nodes())),
        adjacency_(graph.adjacency()),
        images_(static_cast<size_t>(pattern.graph.nodes())) {
    counts_.nodes.resize(n_);
    counts_.pairs.resize(n_ * n_);
  }

  Counts count() {
    try_images(0);
    return counts_;
  }

 private:
  void try_images(size_t node) {
    if (node == images_.size()) return try_map();
    for (size_t image = 0; image < n_; ++image) {
      images_[node] = image;
      try_images(node + 1);
    }
  }

  void try_map() {
    for (const auto& [u, v] : pattern_.graph.edges()) {
      if (adjacency_[images_[u] * n_ + images_[v]] == 0) return;
    }
    if (pattern_.kind == Kind::kCopies) return add_copy();
    ++counts_.graph;
    ++counts_.nodes[images_[0]];
    ++counts_.pairs[images_[0] * n_ + images_[1]];
  }

  /// A copy is a set of nodes and a set of edges; the same sets count once.
  void add_copy() {
    const std::set<size_t> nodes(images_.begin(), images_.end());
    if (nodes.size() < images_.size()) return;
    std::set<size_t> pairs;
    for (const auto& [u, v] : pattern_.graph.edges()) {
      pairs.insert(images_[u] * n_ + images_[v]);
      pairs.insert(images_[v] * n_ + images_[u]);
    }
    if (!seen_.emplace(nodes, pairs).second) return;
    ++counts_.graph;
    for (const size_t node : nodes) ++counts_.nodes[node];
    for (const size_t pair : pairs) ++counts_.pairs[pair];
  }

  const Pattern& pattern_;
  size_t n_;
  std::vector<uint8_t> adjacency_;
  std::vector<size_t> images_;
  std::set<std::pair<std::set<size_t>, std::set<size_t>>> seen_;
  Counts counts_;
};

}  // namespace floydnet::counting
