#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/file.h"
#include "base/shape.h"
#include "floydnet/error.h"
#include "tasks/graphs/data/undirected.h"
#include "tasks/graphs/import/importers.h"
#include "weights/tensor_tuples.h"

namespace floydnet::graphs {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLabelledItems = 4;  // x, edge_attr, edge_index, y
constexpr size_t kContactItems = 5;   // x, edge_attr, edge_index, edge_label_index, edge_label

/// COCO's ids that no class has, of 0 to 90.
constexpr std::array<int64_t, 10> kUnusedCocoIds = {12, 26, 29, 30, 45, 66, 68, 69, 71, 83};
constexpr int64_t kLastCocoId = 90;

/// Adds graph after graph.
class LrgbReader {
 public:
  explicit LrgbReader(const std::string& source) : source_(source) { set_.directed = true; }

  void add(int64_t graph, std::vector<StoredTensor> tuple) {
    graph_ = graph;
    if (graph == 0) items_ = tuple.size();
    if (tuple.size() != items_ || (items_ != kLabelledItems && items_ != kContactItems)) {
      refuse("", fmt::format("a tuple of {} tensors, wanted (x, edge_attr, edge_index, y) or (x, "
                             "edge_attr, edge_index, edge_label_index, edge_label)",
                             tuple.size()));
    }
    const int64_t nodes = add_rows("x", tuple[0], Level::kNode, "x");
    if (nodes < 1 || nodes > kMaxGraphNodes) {
      refuse("x", fmt::format("{} nodes, wanted 1 to {}", nodes, kMaxGraphNodes));
    }
    set_.sizes.push_back(nodes);
    const int64_t edges = add_ends("edge_index", tuple[2], set_.edges, set_.edge_offsets);
    require_count("edge_attr", add_rows("edge_attr", tuple[1], Level::kEdge, "x"), edges);
    if (items_ == kLabelledItems) return add_labels(tuple[3], nodes);
    set_.pairs_listed = true;
    const int64_t pairs = add_ends("edge_label_index", tuple[3], set_.pairs, set_.pair_offsets);
    require_count("edge_label", add_rows("edge_label", tuple[4], Level::kPair, "y"), pairs);
  }

  GraphSet finish() {
    if (set_.sizes.empty()) throw InputError::in(source_, "no graphs");
    return std::move(set_);
  }

 private:
  [[noreturn]] void refuse(const char* item, const std::string& problem) const {
    throw InputError::in(
        source_, fmt::format("graph {}{}{}: {}", graph_, *item != '\0' ? ", " : "", item, problem));
  }

  void require_count(const char* item, int64_t rows, int64_t wanted) const {
    if (rows != wanted) refuse(item, fmt::format("{} rows, wanted {}", rows, wanted));
  }

  /// A matrix [rows, width], or a row of numbers, to the end of a column; the number of rows.
  int64_t add_rows(const char* item, const StoredTensor& tensor, Level level, const char* name) {
    const std::vector<int64_t>& shape = tensor.shape;
    if (shape.empty() || shape.size() > 2) {
      refuse(item, "the shape is " + shape_text(shape) + ", wanted [rows] or [rows, n]");
    }
    const int64_t width = shape.size() == 2 ? shape[1] : 1;
    if (width < 1) refuse(item, "has no columns");
    Column& column = column_of(level, name, width, is_real(tensor.type));
    if (column.width != width) {
      refuse(item, fmt::format("{} columns, but {} in other graphs", width, column.width));
    }
    if (column.real != is_real(tensor.type)) {
      refuse(item, "integers in some graphs and reals in others");
    }
    const std::string place = fmt::format("{}: graph {}, {}", source_, graph_, item);
    if (column.real) {
      const std::vector<float> values = reals_of(tensor, place);
      column.reals.insert(column.reals.end(), values.begin(), values.end());
    } else {
      const std::vector<int64_t> values = integers_of(tensor, place);
      column.integers.insert(column.integers.end(), values.begin(), values.end());
    }
    return shape[0];
  }

  Column& column_of(Level level, const char* name, int64_t width, bool real) {
    for (Column& column : set_.columns) {
      if (column.level == level && column.name == name) return column;
    }
    if (graph_ > 0) refuse("y", "is of another kind than in the graphs before");
    set_.columns.push_back({name, level, width, real, {}, {}});
    return set_.columns.back();
  }

  /// [2, count]: heads, then tails.
  int64_t add_ends(const char* item, const StoredTensor& tensor, std::vector<Graph::Edge>& ends,
                   std::vector<int64_t>& offsets) const {
    if (tensor.shape.size() != 2 || tensor.shape[0] != 2) {
      refuse(item, "the shape is " + shape_text(tensor.shape) + ", wanted [2, n]");
    }
    const std::vector<int64_t> nodes =
        integers_of(tensor, fmt::format("{}: graph {}, {}", source_, graph_, item));
    const size_t count = nodes.size() / 2;
    for (size_t i = 0; i < count; ++i) {
      ends.emplace_back(node(item, nodes[i]), node(item, nodes[count + i]));
    }
    offsets.push_back(static_cast<int64_t>(ends.size()));
    return static_cast<int64_t>(count);
  }

  int32_t node(const char* item, int64_t value) const {
    if (value >= 0 && value < set_.sizes.back()) return static_cast<int32_t>(value);
    refuse(item,
           fmt::format("node {} is out of range, the graph has {}", value, set_.sizes.back()));
  }

  /// [1, n] belongs to the graph, a row of numbers to its nodes.
  void add_labels(const StoredTensor& y, int64_t nodes) {
    const bool of_graph = y.shape.size() == 2;
    const int64_t rows = add_rows("y", y, of_graph ? Level::kGraph : Level::kNode, "y");
    require_count("y", rows, of_graph ? 1 : nodes);
  }

  const std::string& source_;
  int64_t graph_ = 0;
  size_t items_ = 0;
  GraphSet set_;
};

/// NAME.pt or NAME.pickle in the folder or in its raw/; nullopt if there is none.
std::optional<std::string> find_lrgb_part(const fs::path& folder, const std::string& name) {
  for (const fs::path& place : {folder, folder / "raw"}) {
    for (const char* ending : {".pt", ".pickle"}) {
      const fs::path path = place / (name + ending);
      if (fs::exists(path)) return path.string();
    }
  }
  return std::nullopt;
}

GraphSet read_lrgb_folder(const std::string& folder) {
  std::optional<GraphSet> all;
  for (const auto& [name, split] :
       {std::make_pair("train", Split::kTrain), std::make_pair("val", Split::kValidation),
        std::make_pair("test", Split::kTest)}) {
    const auto path = find_lrgb_part(folder, name);
    if (!path) throw InputError::in(folder, fmt::format("has no {}.pt or {}.pickle", name, name));
    GraphSet part = parse_lrgb(read_file(*path), *path);
    part.splits.assign(part.sizes.size(), split);
    if (!all) {
      all = std::move(part);
      continue;
    }
    try {
      all->append(part);
    } catch (const std::invalid_argument& error) {
      throw InputError::in(*path, fmt::format("unlike train: {}", error.what()));
    }
  }
  return std::move(*all);
}

}  // namespace

GraphSet parse_lrgb(std::string_view bytes, const std::string& source) {
  LrgbReader reader(source);
  parse_tensor_tuples(bytes, source, [&](int64_t index, int64_t, std::vector<StoredTensor> tuple) {
    reader.add(index, std::move(tuple));
  });
  return reader.finish();
}

void remap_coco_labels(GraphSet& set) {
  for (Column& column : set.columns) {
    if (column.level != Level::kNode || column.name != "y" || column.real) continue;
    for (int64_t& label : column.integers) {
      const auto* unused = std::lower_bound(kUnusedCocoIds.begin(), kUnusedCocoIds.end(), label);
      const bool known =
          label <= kLastCocoId && (unused == kUnusedCocoIds.end() || *unused != label);
      if (!known) throw InputError::in("node_y", fmt::format("{} is no id of COCO", label));
      if (label >= 0) label -= unused - kUnusedCocoIds.begin();
    }
    return;
  }
  throw InputError::in("node_y", "there are no node labels to number as COCO's");
}

GraphSet read_lrgb(const ImportOptions& options) {
  GraphSet set = fs::is_directory(options.path) ? read_lrgb_folder(options.path)
                                                : parse_lrgb(read_file(options.path), options.path);
  if (options.coco) {
    try {
      remap_coco_labels(set);
    } catch (const InputError& error) {
      throw InputError::in(options.path, error.what());
    }
  }
  collapse_directions(set);
  return set;
}

}  // namespace floydnet::graphs
