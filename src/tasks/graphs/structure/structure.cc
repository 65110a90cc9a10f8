#include "tasks/graphs/structure/structure.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/require.h"

namespace floydnet::graphs {
namespace {

/// Nodes that an edge leads to, node by node.
class Successors {
 public:
  Successors(const EdgeList& graph, bool directed) : first_(static_cast<size_t>(graph.nodes) + 1) {
    for (int64_t e = 0; e < graph.count; ++e) {
      const auto [u, v] = graph.edges[e];
      require(u >= 0 && v >= 0 && u < graph.nodes && v < graph.nodes,
              "the edge ({}, {}) is out of range for {} nodes", u, v, graph.nodes);
      ++first_[static_cast<size_t>(u) + 1];
      if (!directed && u != v) ++first_[static_cast<size_t>(v) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    nodes_.resize(static_cast<size_t>(first_.back()));
    std::vector<int32_t> next(first_.begin(), first_.end() - 1);
    for (int64_t e = 0; e < graph.count; ++e) {
      const auto [u, v] = graph.edges[e];
      nodes_[static_cast<size_t>(next[static_cast<size_t>(u)]++)] = v;
      if (!directed && u != v) nodes_[static_cast<size_t>(next[static_cast<size_t>(v)]++)] = u;
    }
  }

  const int32_t* begin(int32_t node) const {
    return nodes_.data() + first_[static_cast<size_t>(node)];
  }
  const int32_t* end(int32_t node) const {
    return nodes_.data() + first_[static_cast<size_t>(node) + 1];
  }
  int64_t degree(int32_t node) const { return end(node) - begin(node); }

 private:
  std::vector<int32_t> first_;
  std::vector<int32_t> nodes_;
};

/// Breadth-first search, again and again in the same memory.
class Search {
 public:
  explicit Search(int64_t nodes) : distance_(static_cast<size_t>(nodes), kFar) {}

  /// Calls use(node, distance) for each node within `cap` steps, until it returns false. The edge
  /// between `start` and `without`, if that is a node, is not taken at the start.
  template <typename Use>
  void run(const Successors& successors, int32_t start, int32_t without, int64_t cap,
           const Use& use) {
    queue_.assign(1, start);
    at(start) = 0;
    bool more = true;
    for (size_t head = 0; head < queue_.size() && more; ++head) {
      const int32_t node = queue_[head];
      const int64_t steps = at(node);
      more = use(node, steps);
      if (steps == cap) continue;
      for (const int32_t* next = successors.begin(node); next != successors.end(node); ++next) {
        if (at(*next) != kFar || (node == start && *next == without)) continue;
        at(*next) = steps + 1;
        queue_.push_back(*next);
      }
    }
    for (const int32_t node : queue_) at(node) = kFar;
  }

 private:
  static constexpr int64_t kFar = -1;
  int64_t& at(int32_t node) { return distance_[static_cast<size_t>(node)]; }

  std::vector<int64_t> distance_;
  std::vector<int32_t> queue_;
};

constexpr int32_t kNoNode = -1;

/// What a walk of one more step is made of: probability[u] / degree(u) goes to each successor.
void step_walk(const Successors& successors, const std::vector<double>& before,
               std::vector<double>& after) {
  std::fill(after.begin(), after.end(), 0);
  for (size_t u = 0; u < before.size(); ++u) {
    const auto node = static_cast<int32_t>(u);
    const int64_t degree = successors.degree(node);
    if (before[u] == 0 || degree == 0) continue;
    const double share = before[u] / static_cast<double>(degree);
    for (const int32_t* next = successors.begin(node); next != successors.end(node); ++next) {
      after[static_cast<size_t>(*next)] += share;
    }
  }
}

}  // namespace

void shortest_distances(const EdgeList& graph, int64_t cap, float* distances) {
  require(cap >= 0, "distances up to {}", cap);
  const int64_t n = graph.nodes;
  const Successors successors(graph, graph.directed);
  std::fill_n(distances, n * n, static_cast<float>(cap + 1));
  Search search(n);
  for (int32_t start = 0; start < n; ++start) {
    float* row = distances + start * n;
    search.run(successors, start, kNoNode, cap, [row](int32_t node, int64_t steps) {
      row[node] = static_cast<float>(steps);
      return true;
    });
  }
}

void walk_probabilities(const EdgeList& graph, int64_t steps, float* probabilities) {
  const int64_t n = graph.nodes;
  const Successors successors(graph, graph.directed);
  std::vector<double> now(static_cast<size_t>(n));
  std::vector<double> next(static_cast<size_t>(n));
  for (int64_t start = 0; start < n; ++start) {
    std::fill(now.begin(), now.end(), 0);
    now[static_cast<size_t>(start)] = 1;
    float* row = probabilities + start * n * steps;
    for (int64_t step = 0; step < steps; ++step) {
      for (int64_t node = 0; node < n; ++node) {
        row[node * steps + step] = static_cast<float>(now[static_cast<size_t>(node)]);
      }
      if (step + 1 == steps) break;
      step_walk(successors, now, next);
      std::swap(now, next);
    }
  }
}

void smallest_rings(const EdgeList& graph, int64_t largest, float* edge_rings, float* node_rings) {
  const Successors successors(graph, /*directed=*/false);
  Search search(graph.nodes);
  if (node_rings != nullptr) std::fill_n(node_rings, graph.nodes, 0.F);
  for (int64_t e = 0; e < graph.count; ++e) {
    const auto [u, v] = graph.edges[e];
    float ring = 0;
    const auto arrive = [target = v, &ring](int32_t node, int64_t steps) {
      if (node == target) ring = static_cast<float>(steps + 1);
      return node != target;
    };
    // The ring is the edge and the shortest other way between its ends.
    if (u != v && largest >= 3) search.run(successors, u, v, largest - 1, arrive);
    if (edge_rings != nullptr) edge_rings[e] = ring;
    if (node_rings == nullptr || ring == 0) continue;
    for (const int32_t node : {u, v}) {
      if (node_rings[node] == 0 || ring < node_rings[node]) node_rings[node] = ring;
    }
  }
}

}  // namespace floydnet::graphs
