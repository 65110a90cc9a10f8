#include "tasks/graphs/data/undirected.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/require.h"

namespace floydnet::graphs {
namespace {

/// Compares features of edges by their bits, so that missing values equal each other.
class EdgeFeatures {
 public:
  explicit EdgeFeatures(const GraphSet& set) {
    for (const Column& column : set.columns) {
      if (column.level != Level::kEdge) continue;
      const size_t width = static_cast<size_t>(column.width);
      if (column.real) {
        tables_.push_back({reinterpret_cast<const char*>(column.reals.data()), width * 4});
      } else {
        tables_.push_back({reinterpret_cast<const char*>(column.integers.data()), width * 8});
      }
    }
  }

  int compare(int64_t a, int64_t b) const {
    for (const Table& table : tables_) {
      const int order =
          std::memcmp(table.data + static_cast<size_t>(a) * table.row_bytes,
                      table.data + static_cast<size_t>(b) * table.row_bytes, table.row_bytes);
      if (order != 0) return order;
    }
    return 0;
  }

 private:
  struct Table {
    const char* data;
    size_t row_bytes;
  };
  std::vector<Table> tables_;
};

/// Finds the edges of one graph that stay, by sorting them.
class GraphEdges {
 public:
  GraphEdges(const GraphSet& set, const EdgeFeatures& features) : set_(set), features_(features) {}

  /// The first of each edge; the reverse of one counts as the same if `undirected`. In file order.
  std::vector<int64_t> distinct(size_t g, bool undirected) {
    std::vector<int64_t> order = all(g);
    const auto key = [&](int64_t e) { return ends(e, undirected); };
    sort_by(order, key);
    const auto same = [&](int64_t a, int64_t b) {
      return key(a) == key(b) && features_.compare(a, b) == 0;
    };
    order.erase(std::unique(order.begin(), order.end(), same), order.end());
    std::sort(order.begin(), order.end());
    return order;
  }

  /// Whether the list of (u, v, features) equals that of (v, u, features).
  bool is_symmetric(size_t g) {
    std::vector<int64_t> forward = distinct(g, false);
    std::vector<int64_t> backward = forward;
    const auto as_is = [&](int64_t e) { return ends(e, false); };
    const auto reversed = [&](int64_t e) {
      const auto [u, v] = as_is(e);
      return Graph::Edge(v, u);
    };
    sort_by(forward, as_is);
    sort_by(backward, reversed);
    for (size_t i = 0; i < forward.size(); ++i) {
      if (as_is(forward[i]) != reversed(backward[i])) return false;
      if (features_.compare(forward[i], backward[i]) != 0) return false;
    }
    return true;
  }

 private:
  std::vector<int64_t> all(size_t g) const {
    std::vector<int64_t> order(
        static_cast<size_t>(set_.edge_offsets[g + 1] - set_.edge_offsets[g]));
    std::iota(order.begin(), order.end(), set_.edge_offsets[g]);
    return order;
  }

  Graph::Edge ends(int64_t edge, bool undirected) const {
    const auto [u, v] = set_.edges[static_cast<size_t>(edge)];
    return undirected && u > v ? Graph::Edge(v, u) : Graph::Edge(u, v);
  }

  template <typename Key>
  void sort_by(std::vector<int64_t>& order, const Key& key) const {
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      const Graph::Edge x = key(a);
      const Graph::Edge y = key(b);
      if (x != y) return x < y;
      const int features = features_.compare(a, b);
      return features != 0 ? features < 0 : a < b;
    });
  }

  const GraphSet& set_;
  const EdgeFeatures& features_;
};

template <typename T>
void keep_rows(std::vector<T>& values, const std::vector<int64_t>& rows, int64_t width) {
  if (values.empty()) return;
  size_t to = 0;
  for (const int64_t row : rows) {
    for (int64_t i = row * width; i < (row + 1) * width; ++i) {
      values[to++] = values[static_cast<size_t>(i)];
    }
  }
  values.resize(to);
}

}  // namespace

bool collapse_directions(GraphSet& set) {
  require(set.directed, "the set is undirected already");
  const EdgeFeatures features(set);
  GraphEdges edges(set, features);
  bool symmetric = true;
  for (size_t g = 0; g < set.sizes.size() && symmetric; ++g) symmetric = edges.is_symmetric(g);
  std::vector<int64_t> kept;
  std::vector<int64_t> offsets = {0};
  for (size_t g = 0; g < set.sizes.size(); ++g) {
    const std::vector<int64_t> distinct = edges.distinct(g, symmetric);
    kept.insert(kept.end(), distinct.begin(), distinct.end());
    offsets.push_back(static_cast<int64_t>(kept.size()));
  }
  keep_rows(set.edges, kept, 1);
  set.edge_offsets = std::move(offsets);
  for (Column& column : set.columns) {
    if (column.level != Level::kEdge) continue;
    keep_rows(column.integers, kept, column.width);
    keep_rows(column.reals, kept, column.width);
  }
  set.directed = !symmetric;
  return symmetric;
}

}  // namespace floydnet::graphs
