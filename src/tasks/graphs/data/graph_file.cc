#include "tasks/graphs/data/graph_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/file.h"
#include "base/options.h"
#include "base/require.h"
#include "base/shape.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "graph/npz_stream.h"

namespace floydnet::graphs {
namespace {

const std::vector<std::string> kPlainArrays = {"sizes", "edges",       "edge_counts", "directed",
                                               "pairs", "pair_counts", "split",       "names"};

bool is_plain_array(const std::string& name) {
  return std::find(kPlainArrays.begin(), kPlainArrays.end(), name) != kPlainArrays.end();
}

/// Turns the arrays of an archive into a set, one after the other.
class ArchiveReader {
 public:
  explicit ArchiveReader(const NpzArchive& archive) : archive_(archive) {}

  GraphSet read() {
    refuse_unknown_arrays();
    set_.sizes = integers(wanted("sizes", "the number of nodes of each graph"));
    require(!set_.sizes.empty(), "sizes: there are no graphs");
    if (const NpyArray* directed = find("directed")) {
      const std::vector<int64_t> value = integers(*directed);
      require(value.size() == 1 && (value[0] == 0 || value[0] == 1), "directed: wanted 0 or 1");
      set_.directed = value[0] == 1;
    }
    read_ends("edges", "edge_counts", set_.edges, set_.edge_offsets);
    set_.pairs_listed = find("pairs") != nullptr;
    read_ends("pairs", "pair_counts", set_.pairs, set_.pair_offsets);
    for (const auto& [name, array] : archive_) {
      const auto parts = parse_full_name(name);
      if (parts && !is_plain_array(name)) set_.columns.push_back(column(*parts, array));
    }
    read_split();
    read_names();
    set_.check();
    return std::move(set_);
  }

 private:
  const NpyArray* find(const std::string& name) {
    const auto found = archive_.find(name);
    if (found == archive_.end()) return nullptr;
    array_ = name;
    return &found->second;
  }

  const NpyArray& wanted(const std::string& name, const char* what) {
    const NpyArray* array = find(name);
    require(array != nullptr, "has no array '{}', {}", name, what);
    return *array;
  }

  void refuse_unknown_arrays() const {
    for (const auto& [name, array] : archive_) {
      require(is_plain_array(name) || parse_full_name(name), "unknown array {}{}", in_quotes(name),
              suggestion(name, kPlainArrays));
    }
  }

  /// NumPy makes real numbers of an empty list, so the type of an empty array does not matter.
  std::vector<int64_t> integers(const NpyArray& array) const {
    if (array.elements() == 0) return {};
    require(array.kind == 'i' || array.kind == 'u' || array.kind == 'b',
            "{}: wanted integers, got {}", array_, array.type());
    try {
      return array.as<int64_t>();
    } catch (const InputError& error) {
      throw std::invalid_argument(fmt::format("{}: {}", array_, error.what()));
    }
  }

  void read_ends(const std::string& name, const std::string& counts_name,
                 std::vector<Graph::Edge>& ends, std::vector<int64_t>& offsets) {
    const NpyArray* array = find(name);
    if (array == nullptr) {
      require(find(counts_name) == nullptr, "has '{}', but no '{}'", counts_name, name);
      offsets.assign(set_.sizes.size() + 1, 0);
      return;
    }
    const bool two_columns = array->shape.size() == 2 && array->shape[1] == 2;
    require(array->elements() == 0 || two_columns, "{}: the shape is {}, wanted [n, 2]", name,
            shape_text(array->shape));
    const std::vector<int64_t> nodes = integers(*array);
    for (size_t i = 0; i < nodes.size(); i += 2) {
      ends.emplace_back(node(name, i / 2, nodes[i]), node(name, i / 2, nodes[i + 1]));
    }
    add_up(integers(wanted(counts_name, "how many each graph has")), name, offsets);
  }

  /// Beyond what a graph may have is refused here, so that the number fits; the rest by check().
  static int32_t node(const std::string& name, size_t row, int64_t value) {
    require(value >= 0 && value < kMaxGraphNodes, "{}: row {}: no graph has a node {}", name, row,
            value);
    return static_cast<int32_t>(value);
  }

  void add_up(const std::vector<int64_t>& counts, const std::string& name,
              std::vector<int64_t>& offsets) const {
    require(counts.size() == set_.sizes.size(), "{}: {} entries for {} graphs", array_,
            counts.size(), set_.sizes.size());
    const auto total =
        static_cast<int64_t>(name == "edges" ? set_.edges.size() : set_.pairs.size());
    for (size_t g = 0; g < counts.size(); ++g) {
      require(counts[g] >= 0 && counts[g] <= total - offsets.back(),
              "{}: graph {}: {} of them, but '{}' has {} rows and {} are taken", array_, g,
              counts[g], name, total, offsets.back());
      offsets.push_back(offsets.back() + counts[g]);
    }
    require(offsets.back() == total, "{}: the sum is {}, but '{}' has {} rows", array_,
            offsets.back(), name, total);
  }

  Column column(const std::pair<Level, std::string>& parts, const NpyArray& array) {
    array_ = full_name(parts.first, parts.second);
    const size_t dimensions = array.shape.size();
    require(dimensions == 1 || dimensions == 2, "{}: the shape is {}, wanted [rows] or [rows, n]",
            array_, shape_text(array.shape));
    Column column;
    column.level = parts.first;
    column.name = parts.second;
    column.width = dimensions == 2 ? array.shape[1] : 1;
    column.real = array.kind == 'f';
    if (!column.real) return column.integers = integers(array), column;
    try {
      column.reals = array.as<float>();
    } catch (const InputError& error) {
      throw std::invalid_argument(fmt::format("{}: {}", array_, error.what()));
    }
    return column;
  }

  void read_split() {
    const NpyArray* array = find("split");
    if (array == nullptr) return;
    const std::vector<int64_t> values = integers(*array);
    for (size_t g = 0; g < values.size(); ++g) {
      require(values[g] >= -1 && values[g] <= 2,
              "split: graph {}: {}, wanted 0 (training), 1 (validation), 2 (test) or -1 (none)", g,
              values[g]);
      set_.splits.push_back(static_cast<Split>(values[g]));
    }
  }

  void read_names() {
    const NpyArray* array = find("names");
    if (array == nullptr) return;
    require(array->kind == 'S' || array->kind == 'U', "names: wanted texts, got {}", array->type());
    set_.names = array->strings();
  }

  const NpzArchive& archive_;
  std::string array_;  // the one that was looked at last
  GraphSet set_;
};

/// Writes the arrays of a set piece by piece.
class SetWriter {
 public:
  SetWriter(const std::string& path, const GraphSet& set) : stream_(path), set_(set) {}

  void write() {
    const auto graphs = set_.graphs();
    integers("sizes", set_.sizes, {graphs});
    integers("directed", std::vector<int64_t>{set_.directed ? 1 : 0}, {});
    ends("edges", set_.edges, set_.edge_offsets);
    if (set_.pairs_listed) ends("pairs", set_.pairs, set_.pair_offsets);
    for (const Column& column : set_.columns) write_column(column);
    if (!set_.splits.empty()) {
      std::vector<int64_t> splits;
      for (const Split split : set_.splits) splits.push_back(static_cast<int64_t>(split));
      integers("split", splits, {graphs});
    }
    if (!set_.names.empty()) names();
    stream_.finish();
  }

 private:
  template <typename Stored, typename T>
  void pieces(const std::vector<T>& values) {
    constexpr size_t kPiece = size_t{1} << 16;
    std::vector<Stored> piece;
    for (size_t first = 0; first < values.size(); first += kPiece) {
      const size_t last = std::min(first + kPiece, values.size());
      piece.clear();
      for (size_t i = first; i < last; ++i) piece.push_back(static_cast<Stored>(values[i]));
      stream_.append({reinterpret_cast<const char*>(piece.data()), piece.size() * sizeof(Stored)});
    }
  }

  void integers(const std::string& name, const std::vector<int64_t>& values,
                const std::vector<int64_t>& shape) {
    int64_t least = 0;
    int64_t most = 0;
    for (const int64_t value : values) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
    const auto fits = [&](auto limits) { return least >= limits.min() && most <= limits.max(); };
    if (fits(std::numeric_limits<int8_t>())) {
      stream_.begin(name, 'i', 1, shape);
      return pieces<int8_t>(values);
    }
    if (fits(std::numeric_limits<int32_t>())) {
      stream_.begin(name, 'i', 4, shape);
      return pieces<int32_t>(values);
    }
    stream_.begin(name, 'i', 8, shape);
    pieces<int64_t>(values);
  }

  void ends(const std::string& name, const std::vector<Graph::Edge>& list,
            const std::vector<int64_t>& offsets) {
    static_assert(sizeof(Graph::Edge) == 2 * sizeof(int32_t), "edges are written as they stand");
    stream_.begin(name, 'i', 4, {static_cast<int64_t>(list.size()), 2});
    stream_.append({reinterpret_cast<const char*>(list.data()), list.size() * sizeof(Graph::Edge)});
    std::vector<int64_t> counts;
    for (size_t g = 0; g + 1 < offsets.size(); ++g) counts.push_back(offsets[g + 1] - offsets[g]);
    integers(name == "edges" ? "edge_counts" : "pair_counts", counts, {set_.graphs()});
  }

  void write_column(const Column& column) {
    const std::string name = full_name(column.level, column.name);
    std::vector<int64_t> shape = {column.rows()};
    if (column.width > 1) shape.push_back(column.width);
    if (!column.real) return integers(name, column.integers, shape);
    stream_.begin(name, 'f', 4, shape);
    pieces<float>(column.reals);
  }

  void names() {
    size_t width = 1;
    for (const std::string& name : set_.names) width = std::max(width, name.size());
    stream_.begin("names", 'S', static_cast<int64_t>(width), {set_.graphs()});
    std::string padded;
    for (const std::string& name : set_.names) {
      padded = name;
      padded.resize(width, '\0');
      stream_.append(padded);
    }
  }

  NpzStream stream_;
  const GraphSet& set_;
};

void check_names_for_file(const GraphSet& set) {
  for (const Column& column : set.columns) {
    require(!is_plain_array(full_name(column.level, column.name)),
            "a column cannot have the name {}, which the format reserves",
            full_name(column.level, column.name));
  }
  for (size_t g = 0; g < set.names.size(); ++g) {
    require(set.names[g].empty() || set.names[g].back() != '\0',
            "names: that of graph {} ends with a zero byte", g);
  }
}

}  // namespace

GraphSet graph_set_of(const NpzArchive& archive, const std::string& source) {
  try {
    return ArchiveReader(archive).read();
  } catch (const std::invalid_argument& error) {
    throw InputError::in(source, error.what());
  }
}

GraphSet parse_graph_file(std::string_view bytes, const std::string& source, int64_t max_bytes) {
  return graph_set_of(parse_npz(bytes, source, max_bytes), source);
}

GraphSet read_graph_file(const std::string& path) {
  constexpr std::string_view kLines = ".jsonl";
  const std::string bytes = read_file(path);
  const bool is_lines = path.size() >= kLines.size() &&
                        path.compare(path.size() - kLines.size(), kLines.size(), kLines) == 0;
  return is_lines ? parse_graph_lines(bytes, path) : parse_graph_file(bytes, path);
}

void write_graph_file(const std::string& path, const GraphSet& set) {
  set.check();
  check_names_for_file(set);
  SetWriter(path, set).write();
}

}  // namespace floydnet::graphs
