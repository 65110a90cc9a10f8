// Sets whose targets can be learned in seconds, for tests only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/draws.h"
#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

/// Lengths of shortest paths between all nodes; -1 where there is none.
inline std::vector<int64_t> distances_in(int64_t n, const std::vector<Graph::Edge>& edges) {
  std::vector<int64_t> d(static_cast<size_t>(n * n), n + 1);
  for (int64_t i = 0; i < n; ++i) d[static_cast<size_t>(i * n + i)] = 0;
  for (const auto& [u, v] : edges) {
    d[static_cast<size_t>(u * n + v)] = d[static_cast<size_t>(v * n + u)] = 1;
  }
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t k = 0; k < n; ++k) {
        auto& own = d[static_cast<size_t>(i * n + k)];
        own = std::min(own, d[static_cast<size_t>(i * n + j)] + d[static_cast<size_t>(j * n + k)]);
      }
    }
  }
  for (int64_t& distance : d) distance = distance > n ? -1 : distance;
  return d;
}

/// Random graphs of 4 to 9 nodes with a feature of every level and, of every level, a target:
///   graph_y  number of edges, and of edges whose kind is 1 (reals)
///   node_y   degree (integers)
///   edge_y   whether it is in a triangle (0 or 1)
///   pair_y   distance (reals), missing where there is no path
inline GraphSet random_set(int64_t graphs, uint64_t seed) {
  GraphSet set;
  Column x{"x", Level::kNode, 1, false, {}, {}}, kind{"kind", Level::kEdge, 1, false, {}, {}};
  Column size{"size", Level::kGraph, 1, true, {}, {}}, y{"y", Level::kGraph, 2, true, {}, {}};
  Column degree{"y", Level::kNode, 1, false, {}, {}}, inside{"y", Level::kEdge, 1, false, {}, {}};
  Column distance{"y", Level::kPair, 1, true, {}, {}};
  Draws draws({seed, 0x9a4});
  for (int64_t g = 0; g < graphs; ++g) {
    const auto n = static_cast<int64_t>(4 + draws.below(6));
    std::vector<Graph::Edge> edges;
    for (int32_t u = 0; u < n; ++u) {
      for (int32_t v = u + 1; v < n; ++v) {
        if (draws.below(100) < 40) edges.emplace_back(u, v);
      }
    }
    const auto adjacent = [&](int64_t a, int64_t b) {
      const Graph::Edge edge(static_cast<int32_t>(std::min(a, b)),
                             static_cast<int32_t>(std::max(a, b)));
      return std::find(edges.begin(), edges.end(), edge) != edges.end();
    };
    int64_t of_kind_1 = 0;
    for (const auto& [u, v] : edges) {
      kind.integers.push_back(static_cast<int64_t>(draws.below(2)));
      of_kind_1 += kind.integers.back();
      bool triangle = false;
      for (int64_t w = 0; w < n; ++w) triangle = triangle || (adjacent(u, w) && adjacent(v, w));
      inside.integers.push_back(triangle ? 1 : 0);
    }
    for (int64_t v = 0; v < n; ++v) {
      x.integers.push_back(static_cast<int64_t>(draws.below(3)));
      degree.integers.push_back(std::count_if(edges.begin(), edges.end(), [v](const auto& edge) {
        return edge.first == v || edge.second == v;
      }));
    }
    for (const int64_t d : distances_in(n, edges)) {
      distance.reals.push_back(d < 0 ? std::numeric_limits<float>::quiet_NaN()
                                     : static_cast<float>(d));
    }
    y.reals.push_back(static_cast<float>(edges.size()));
    y.reals.push_back(static_cast<float>(of_kind_1));
    size.reals.push_back(static_cast<float>(n));
    set.sizes.push_back(n);
    set.edges.insert(set.edges.end(), edges.begin(), edges.end());
    set.edge_offsets.push_back(static_cast<int64_t>(set.edges.size()));
  }
  set.columns = {x, kind, size, y, degree, inside, distance};
  set.check();
  return set;
}

/// The same graphs, whose nodes have other names; columns of all levels move along. Of undirected
/// sets without listed pairs.
inline GraphSet renamed(const GraphSet& set, uint64_t seed) {
  GraphSet other = set;
  Draws draws({seed, 0x7e5});
  const std::vector<int64_t> nodes = set.row_offsets(Level::kNode);
  const std::vector<int64_t> pairs = set.row_offsets(Level::kPair);
  for (size_t g = 0; g < set.sizes.size(); ++g) {
    const int64_t n = set.sizes[g];
    std::vector<int64_t> names;
    for (int64_t v = 0; v < n; ++v) names.push_back(v);
    draws.shuffle(names);
    for (int64_t e = set.edge_offsets[g]; e < set.edge_offsets[g + 1]; ++e) {
      auto& [u, v] = other.edges[static_cast<size_t>(e)];
      u = static_cast<int32_t>(names[static_cast<size_t>(u)]);
      v = static_cast<int32_t>(names[static_cast<size_t>(v)]);
    }
    for (size_t c = 0; c < set.columns.size(); ++c) {
      const Column& from = set.columns[c];
      const auto move = [&](int64_t source, int64_t target) {
        for (int64_t i = 0; i < from.width; ++i) {
          const auto s = static_cast<size_t>(source * from.width + i);
          const auto t = static_cast<size_t>(target * from.width + i);
          if (from.real) other.columns[c].reals[t] = from.reals[s];
          if (!from.real) other.columns[c].integers[t] = from.integers[s];
        }
      };
      for (int64_t u = 0; from.level == Level::kNode && u < n; ++u) {
        move(nodes[g] + u, nodes[g] + names[static_cast<size_t>(u)]);
      }
      for (int64_t p = 0; from.level == Level::kPair && p < n * n; ++p) {
        const int64_t u = names[static_cast<size_t>(p / n)], v = names[static_cast<size_t>(p % n)];
        move(pairs[g] + p, pairs[g] + u * n + v);
      }
    }
  }
  other.check();
  return other;
}

}  // namespace floydnet::graphs
