#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>

#include "floydnet/error.h"
#include "tasks/graphs/data/undirected.h"
#include "tasks/graphs/import/importers.h"
#include "tasks/graphs/import/number_rows.h"

namespace floydnet::graphs {
namespace {

namespace fs = std::filesystem;

/// Labels are any integers; each column is numbered anew from 0, in their order.
void number_from_zero(Column& column) {
  const auto width = static_cast<size_t>(column.width);
  for (size_t c = 0; c < width; ++c) {
    std::map<int64_t, int64_t> places;
    for (size_t i = c; i < column.integers.size(); i += width) places[column.integers[i]] = 0;
    int64_t next = 0;
    for (auto& [label, place] : places) place = next++;
    for (size_t i = c; i < column.integers.size(); i += width) {
      column.integers[i] = places[column.integers[i]];
    }
  }
}

/// Nodes are numbered from 1 through all graphs.
class TuFolder {
 public:
  explicit TuFolder(const std::string& folder) : folder_(folder), prefix_(find_prefix()) {}

  GraphSet read() {
    set_.directed = true;
    read_graphs_of_nodes();
    read_edges();
    add_labels("node_labels", Level::kNode, "label");
    add_column("node_attributes", Level::kNode, "attribute");
    add_edge_columns();
    add_labels("graph_labels", Level::kGraph, "y");
    // A second target, if there are labels; names that begin with y are no features.
    const bool labels = set_.find(Level::kGraph, "y") != nullptr;
    add_column("graph_attributes", Level::kGraph, labels ? "y_attribute" : "y");
    collapse_directions(set_);
    return std::move(set_);
  }

 private:
  std::string find_prefix() const {
    constexpr std::string_view kEnding = "_A.txt";
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
      const std::string name = entry.path().filename().string();
      if (name.size() > kEnding.size() &&
          name.compare(name.size() - kEnding.size(), kEnding.size(), kEnding) == 0) {
        return name.substr(0, name.size() - kEnding.size());
      }
    }
    throw InputError::in(folder_, "has no NAME_A.txt; is it a folder of TUDataset?");
  }

  std::string path_of(const std::string& part) const {
    return (fs::path(folder_) / fmt::format("{}_{}.txt", prefix_, part)).string();
  }
  bool has(const std::string& part) const { return fs::exists(path_of(part)); }

  void read_graphs_of_nodes() {
    const std::string path = path_of("graph_indicator");
    const NumberRows rows = read_number_rows(path);
    graph_of_ = rows.integers(path, 1, std::max<int64_t>(rows.rows, 1));
    for (size_t node = 0; node < graph_of_.size(); ++node) {
      const int64_t graph = graph_of_[node];
      const int64_t last = set_.graphs();
      if (graph == last + 1) {
        set_.sizes.push_back(0);
        first_node_.push_back(static_cast<int64_t>(node));
      } else if (graph != last) {
        throw InputError::in(path,
                             fmt::format("row {}: graph {} follows graph {}", node, graph, last));
      }
      ++set_.sizes.back();
    }
    if (set_.sizes.empty()) throw InputError::in(path, "no graphs");
  }

  /// Edges come in any order; rows_ puts them graph by graph.
  void read_edges() {
    const std::string path = path_of("A");
    const NumberRows rows = read_number_rows(path);
    if (rows.rows > 0 && (rows.width != 2 || rows.real)) {
      throw InputError::in(path, "wanted two integers a line");
    }
    std::vector<int64_t> graphs;
    for (size_t i = 0; i < rows.values.size(); i += 2) {
      const int64_t u = node(path, i / 2, rows.values[i]);
      const int64_t v = node(path, i / 2, rows.values[i + 1]);
      graphs.push_back(graph_of_[static_cast<size_t>(u)]);
      if (graphs.back() != graph_of_[static_cast<size_t>(v)]) {
        throw InputError::at_line(path, i / 2 + 1, "an edge between two graphs");
      }
    }
    rows_.resize(graphs.size());
    std::iota(rows_.begin(), rows_.end(), 0);
    std::stable_sort(rows_.begin(), rows_.end(),
                     [&](size_t a, size_t b) { return graphs[a] < graphs[b]; });
    set_.edge_offsets.assign(set_.sizes.size() + 1, 0);
    for (const size_t row : rows_) {
      const auto graph = static_cast<size_t>(graphs[row] - 1);
      const auto first = first_node_[graph];
      const auto end = [&](size_t i) {
        return static_cast<int32_t>(static_cast<int64_t>(rows.values[i]) - 1 - first);
      };
      set_.edges.emplace_back(end(2 * row), end(2 * row + 1));
      ++set_.edge_offsets[graph + 1];
    }
    std::partial_sum(set_.edge_offsets.begin(), set_.edge_offsets.end(), set_.edge_offsets.begin());
  }

  int64_t node(const std::string& path, size_t row, double value) const {
    if (value >= 1 && value <= static_cast<double>(graph_of_.size())) {
      return static_cast<int64_t>(value) - 1;
    }
    throw InputError::at_line(
        path, row + 1, fmt::format("{} is no node, they are 1 to {}", value, graph_of_.size()));
  }

  Column column(const std::string& part, Level level, const std::string& name) const {
    const std::string path = path_of(part);
    const NumberRows rows = read_number_rows(path);
    const int64_t wanted =
        level == Level::kEdge ? static_cast<int64_t>(rows_.size()) : set_.rows(level);
    if (rows.rows != wanted) {
      throw InputError::in(path, fmt::format("{} rows, wanted {}, one for each {}", rows.rows,
                                             wanted, name_of(level)));
    }
    return rows.column(level, name);
  }

  void add_column(const std::string& part, Level level, const std::string& name) {
    if (!has(part)) return;
    Column values = column(part, level, name);
    if (!values.real) {
      values.reals.assign(values.integers.begin(), values.integers.end());
      values.integers.clear();
      values.real = true;
    }
    set_.columns.push_back(std::move(values));
  }

  void add_labels(const std::string& part, Level level, const std::string& name) {
    if (!has(part)) return;
    set_.columns.push_back(column(part, level, name));
    number_from_zero(set_.columns.back());
  }

  void add_edge_columns() {
    const size_t before = set_.columns.size();
    add_labels("edge_labels", Level::kEdge, "label");
    add_column("edge_attributes", Level::kEdge, "attribute");
    for (size_t i = before; i < set_.columns.size(); ++i) {
      Column& values = set_.columns[i];
      reorder(values.integers, values.width);
      reorder(values.reals, values.width);
    }
  }

  template <typename T>
  void reorder(std::vector<T>& values, int64_t width) const {
    if (values.empty()) return;
    const std::vector<T> before = values;
    size_t to = 0;
    for (const size_t row : rows_) {
      for (size_t c = 0; c < static_cast<size_t>(width); ++c) {
        values[to++] = before[row * static_cast<size_t>(width) + c];
      }
    }
  }

  const std::string folder_;
  const std::string prefix_;
  std::vector<int64_t> graph_of_;    // from 1, by node
  std::vector<int64_t> first_node_;  // by graph
  std::vector<size_t> rows_;         // of edges, graph by graph
  GraphSet set_;
};

}  // namespace

GraphSet read_tu(const ImportOptions& options) { return TuFolder(options.path).read(); }

}  // namespace floydnet::graphs
