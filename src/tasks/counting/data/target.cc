#include "tasks/counting/data/target.h"

#include <fmt/format.h>

#include <numeric>

#include "floydnet/error.h"

namespace floydnet::counting {

void require_countable(const Graph& graph) {
  if (graph.directed()) {
    throw InputError("the graph is directed; patterns are counted in undirected graphs");
  }
  if (graph.nodes() > kMaxTargetNodes) {
    throw InputError(
        fmt::format("the graph has {} nodes; patterns are counted in graphs of up to {}",
                    graph.nodes(), kMaxTargetNodes));
  }
  for (const auto& [u, v] : graph.edges()) {
    if (u == v) throw InputError(fmt::format("node {} has a loop; wanted a graph without", u));
  }
}

Target::Target(const Graph& graph) : nodes_(graph.nodes()) {
  require_countable(graph);
  adjacency_ = graph.adjacency();
  all_.resize(static_cast<size_t>(nodes_));
  std::iota(all_.begin(), all_.end(), 0);
  offsets_.push_back(0);
  for (int64_t u = 0; u < nodes_; ++u) {
    const uint8_t* row = adjacency_.data() + u * nodes_;
    for (const int32_t v : all_) {
      if (row[v] != 0) neighbours_.push_back(v);
    }
    offsets_.push_back(static_cast<int64_t>(neighbours_.size()));
  }
}

}  // namespace floydnet::counting
