#include "tasks/graphs/data/graph_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/require.h"

namespace floydnet::graphs {
namespace {

int64_t entries(const Column& column) {
  return static_cast<int64_t>(column.real ? column.reals.size() : column.integers.size());
}

/// Rows of each graph at a level.
int64_t rows_of_graph(const GraphSet& set, Level level, int64_t graph) {
  const auto at = static_cast<size_t>(graph);
  const int64_t n = set.sizes[at];
  switch (level) {
    case Level::kGraph:
      return 1;
    case Level::kNode:
      return n;
    case Level::kEdge:
      return set.edge_offsets[at + 1] - set.edge_offsets[at];
    case Level::kPair:
      return set.pairs_listed ? set.pair_offsets[at + 1] - set.pair_offsets[at] : n * n;
  }
  return 0;
}

void check_sizes(const std::vector<int64_t>& sizes) {
  for (size_t g = 0; g < sizes.size(); ++g) {
    require(sizes[g] >= 1 && sizes[g] <= kMaxGraphNodes,
            "sizes: graph {} has {} nodes, wanted 1 to {}", g, sizes[g], kMaxGraphNodes);
  }
}

void check_offsets(const std::vector<int64_t>& offsets, size_t graphs, size_t total,
                   const char* what) {
  require(offsets.size() == graphs + 1, "{} offsets for {} graphs: {}, wanted one more", what,
          graphs, offsets.size());
  require(offsets.front() == 0, "{} offsets begin with {}, wanted 0", what, offsets.front());
  for (size_t g = 0; g < graphs; ++g) {
    require(offsets[g] <= offsets[g + 1], "graph {}: a negative number of {}s", g, what);
  }
  require(offsets.back() == static_cast<int64_t>(total),
          "{} offsets end with {}, but there are {} {}s", what, offsets.back(), total, what);
}

void check_ends(const GraphSet& set, const std::vector<Graph::Edge>& list,
                const std::vector<int64_t>& offsets, const char* what) {
  for (size_t g = 0; g < set.sizes.size(); ++g) {
    const int64_t n = set.sizes[g];
    for (int64_t i = offsets[g]; i < offsets[g + 1]; ++i) {
      const auto [u, v] = list[static_cast<size_t>(i)];
      require(u >= 0 && v >= 0 && u < n && v < n,
              "{}s: graph {}, {} {}: ({}, {}) is out of range, the graph has {} nodes", what, g,
              what, i - offsets[g], u, v, n);
    }
  }
}

/// Nothing is sorted where keys ascend already, as most writers have them.
void check_no_edge_twice(const GraphSet& set) {
  std::vector<int64_t> keys;
  for (size_t g = 0; g < set.sizes.size(); ++g) {
    keys.clear();
    for (int64_t e = set.edge_offsets[g]; e < set.edge_offsets[g + 1]; ++e) {
      auto [u, v] = set.edges[static_cast<size_t>(e)];
      if (!set.directed && u > v) std::swap(u, v);
      keys.push_back(u * set.sizes[g] + v);
    }
    if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice == keys.end()) continue;
    require(false, "edges: graph {}: the {} edge ({}, {}) is listed twice{}", g,
            set.directed ? "directed" : "undirected", *twice / set.sizes[g], *twice % set.sizes[g],
            set.directed ? "" : "; list it once, or set directed to 1");
  }
}

void check_column(const GraphSet& set, const Column& column) {
  const std::string name = full_name(column.level, column.name);
  require(!column.name.empty(), "a {} column has no name", name_of(column.level));
  require(column.width >= 1, "{}: the width is {}", name, column.width);
  const int64_t wanted = set.rows(column.level);
  require(entries(column) == wanted * column.width, "{}: {} rows of {}, wanted {}", name,
          column.rows(), column.width, wanted);
  require(column.real ? column.integers.empty() : column.reals.empty(),
          "{}: has both integers and reals", name);
  const auto infinite = std::find_if(column.reals.begin(), column.reals.end(),
                                     [](float value) { return std::isinf(value); });
  require(infinite == column.reals.end(), "{}: row {} is infinite", name,
          (infinite - column.reals.begin()) / column.width);
  const auto same = std::count_if(set.columns.begin(), set.columns.end(), [&](const Column& other) {
    return other.level == column.level && other.name == column.name;
  });
  require(same == 1, "{}: there are {} columns of that name", name, same);
}

template <typename T>
void copy_rows(const std::vector<T>& from, int64_t first, int64_t count, int64_t width,
               std::vector<T>& to) {
  const auto begin = from.begin() + first * width;
  to.insert(to.end(), begin, begin + count * width);
}

/// Edges or pairs of graph g.
void copy_ends(const std::vector<Graph::Edge>& from, const std::vector<int64_t>& offsets, size_t g,
               std::vector<Graph::Edge>& to, std::vector<int64_t>& to_offsets) {
  copy_rows(from, offsets[g], offsets[g + 1] - offsets[g], 1, to);
  to_offsets.push_back(static_cast<int64_t>(to.size()));
}

template <typename T>
void extend(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void extend_offsets(std::vector<int64_t>& to, const std::vector<int64_t>& from) {
  const int64_t before = to.back();
  for (size_t i = 1; i < from.size(); ++i) to.push_back(before + from[i]);
}

Column select_rows(const Column& column, const std::vector<int64_t>& offsets,
                   const std::vector<int64_t>& places) {
  Column chosen{column.name, column.level, column.width, column.real, {}, {}};
  for (const int64_t place : places) {
    const int64_t first = offsets[static_cast<size_t>(place)];
    const int64_t count = offsets[static_cast<size_t>(place) + 1] - first;
    if (column.real) {
      copy_rows(column.reals, first, count, column.width, chosen.reals);
    } else {
      copy_rows(column.integers, first, count, column.width, chosen.integers);
    }
  }
  return chosen;
}

/// The same columns; other orders of them are accepted.
void check_alike(const GraphSet& a, const GraphSet& b) {
  require(a.directed == b.directed, "one set is directed, the other is not");
  require(a.pairs_listed == b.pairs_listed, "one set lists its pairs, the other does not");
  require(a.splits.empty() == b.splits.empty(), "one set has splits, the other has none");
  require(a.names.empty() == b.names.empty(), "one set has names, the other has none");
  require(a.columns.size() == b.columns.size(), "one set has {} columns, the other {}",
          a.columns.size(), b.columns.size());
  for (const Column& column : a.columns) {
    const std::string name = full_name(column.level, column.name);
    const Column* other = b.find(column.level, column.name);
    require(other != nullptr, "one set has {}, the other has not", name);
    require(other->width == column.width && other->real == column.real,
            "{}: {} {} in one set, {} {} in the other", name, column.width,
            column.real ? "reals" : "integers", other->width, other->real ? "reals" : "integers");
  }
}

}  // namespace

int64_t Column::rows() const { return width > 0 ? entries(*this) / width : 0; }

int64_t GraphSet::rows(Level level) const {
  switch (level) {
    case Level::kGraph:
      return graphs();
    case Level::kNode:
      return std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
    case Level::kEdge:
      return static_cast<int64_t>(edges.size());
    case Level::kPair:
      break;
  }
  if (pairs_listed) return static_cast<int64_t>(pairs.size());
  return std::inner_product(sizes.begin(), sizes.end(), sizes.begin(), int64_t{0});
}

const Column* GraphSet::find(Level level, const std::string& name) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& column) {
    return column.level == level && column.name == name;
  });
  return found == columns.end() ? nullptr : &*found;
}

std::vector<int64_t> GraphSet::row_offsets(Level level) const {
  std::vector<int64_t> offsets = {0};
  offsets.reserve(sizes.size() + 1);
  for (int64_t g = 0; g < graphs(); ++g) {
    offsets.push_back(offsets.back() + rows_of_graph(*this, level, g));
  }
  return offsets;
}

void GraphSet::check() const {
  check_sizes(sizes);
  check_offsets(edge_offsets, sizes.size(), edges.size(), "edge");
  check_ends(*this, edges, edge_offsets, "edge");
  check_no_edge_twice(*this);
  if (pairs_listed) {
    check_offsets(pair_offsets, sizes.size(), pairs.size(), "pair");
    check_ends(*this, pairs, pair_offsets, "pair");
  } else {
    require(pairs.empty(), "pairs: {} are given, but not listed", pairs.size());
  }
  for (const Column& column : columns) check_column(*this, column);
  require(splits.empty() || splits.size() == sizes.size(), "split: {} entries for {} graphs",
          splits.size(), sizes.size());
  require(names.empty() || names.size() == sizes.size(), "names: {} entries for {} graphs",
          names.size(), sizes.size());
}

GraphSet GraphSet::select(const std::vector<int64_t>& places) const {
  GraphSet chosen;
  chosen.directed = directed;
  chosen.pairs_listed = pairs_listed;
  for (const int64_t place : places) {
    require(place >= 0 && place < graphs(), "there is no graph {}, only {}", place, graphs());
    const auto g = static_cast<size_t>(place);
    chosen.sizes.push_back(sizes[g]);
    copy_ends(edges, edge_offsets, g, chosen.edges, chosen.edge_offsets);
    if (pairs_listed) copy_ends(pairs, pair_offsets, g, chosen.pairs, chosen.pair_offsets);
    if (!splits.empty()) chosen.splits.push_back(splits[g]);
    if (!names.empty()) chosen.names.push_back(names[g]);
  }
  for (const Column& column : columns) {
    chosen.columns.push_back(select_rows(column, row_offsets(column.level), places));
  }
  return chosen;
}

void GraphSet::append(const GraphSet& other) {
  check_alike(*this, other);
  extend(sizes, other.sizes);
  extend_offsets(edge_offsets, other.edge_offsets);
  extend(edges, other.edges);
  if (pairs_listed) extend_offsets(pair_offsets, other.pair_offsets);
  extend(pairs, other.pairs);
  for (Column& column : columns) {
    const Column& more = *other.find(column.level, column.name);
    extend(column.integers, more.integers);
    extend(column.reals, more.reals);
  }
  extend(splits, other.splits);
  extend(names, other.names);
}

const char* name_of(Level level) {
  constexpr const char* kNames[] = {"graph", "node", "edge", "pair"};
  return kNames[static_cast<int>(level)];
}

std::string full_name(Level level, const std::string& name) {
  return std::string(name_of(level)) + "_" + name;
}

std::optional<std::pair<Level, std::string>> parse_full_name(const std::string& text) {
  for (const Level level : {Level::kGraph, Level::kNode, Level::kEdge, Level::kPair}) {
    const std::string prefix = full_name(level, "");
    if (text.size() > prefix.size() && text.compare(0, prefix.size(), prefix) == 0) {
      return std::make_pair(level, text.substr(prefix.size()));
    }
  }
  return std::nullopt;
}

}  // namespace floydnet::graphs
