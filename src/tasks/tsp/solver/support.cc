#include "tasks/tsp/solver/support.h"

#include <algorithm>
#include <numeric>

namespace floydnet::tsp {
namespace {

constexpr double kZero = 1e-6;
constexpr double kOne = 1 - 1e-6;

}  // namespace

DisjointSets::DisjointSets(int size) : parent_(static_cast<std::size_t>(size)) {
  std::iota(parent_.begin(), parent_.end(), 0);
}

int DisjointSets::find(int i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

Components DisjointSets::components() {
  Components result;
  result.of.assign(parent_.size(), -1);
  for (int i = 0; i < static_cast<int>(parent_.size()); ++i) {
    int& number = result.of[find(i)];
    if (number < 0) number = result.count++;
    result.of[i] = number;
  }
  return result;
}

Support support_of(int cities, const std::vector<Edge>& edges, const double* values) {
  Support support;
  for (int city = 0; city < cities; ++city) support.nodes.push_back({city});
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (values[i] > kZero) support.edges.push_back({edges[i].u, edges[i].v, values[i]});
  }
  return support;
}

Support contracted(const Support& support, const std::vector<int>& group, int groups) {
  Support result;
  result.nodes.resize(static_cast<std::size_t>(groups));
  for (int i = 0; i < support.size(); ++i) {
    NodeSet& node = result.nodes[group[i]];
    node.insert(node.end(), support.nodes[i].begin(), support.nodes[i].end());
  }
  for (const auto& [u, v, x] : support.edges) {
    const auto [a, b] = std::minmax(group[u], group[v]);
    if (a != b) result.edges.push_back({a, b, x});
  }
  std::sort(result.edges.begin(), result.edges.end(),
            [](const WeightedEdge& e, const WeightedEdge& f) {
              return e.u != f.u ? e.u < f.u : e.v < f.v;
            });
  std::size_t last = 0;
  for (std::size_t i = 1; i < result.edges.size(); ++i) {
    const WeightedEdge& edge = result.edges[i];
    if (edge.u == result.edges[last].u && edge.v == result.edges[last].v) {
      result.edges[last].x += edge.x;
    } else {
      result.edges[++last] = edge;
    }
  }
  if (!result.edges.empty()) result.edges.resize(last + 1);
  return result;
}

Support shrunk(Support support) {
  while (true) {
    const Components joined =
        components(support, [](const WeightedEdge& edge) { return edge.x >= kOne; });
    if (joined.count == support.size() || joined.count < 3) return support;
    support = contracted(support, joined.of, joined.count);
  }
}

SupportArcs::SupportArcs(const Support& support)
    : of(support.nodes.size()), total(support.nodes.size()) {
  for (const auto& [u, v, x] : support.edges) {
    of[u].push_back({v, x});
    of[v].push_back({u, x});
    total[u] += x;
    total[v] += x;
  }
}

double CutValues::operator()(const Cut& cut) {
  double sum = 0;
  for (const NodeSet& set : cut.sets) {
    for (const int node : set) inside_[node] = 1;
    for (const int node : set) {
      sum += arcs_.total[node];
      for (const auto& [to, x] : arcs_.of[node]) {
        if (inside_[to] != 0) sum -= x;
      }
    }
    for (const int node : set) inside_[node] = 0;
  }
  return sum;
}

}  // namespace floydnet::tsp
