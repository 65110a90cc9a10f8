#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/csv.h"
#include "base/gzip.h"
#include "floydnet/error.h"
#include "tasks/graphs/data/splits.h"
#include "tasks/graphs/import/importers.h"
#include "tasks/graphs/import/number_rows.h"

namespace floydnet::graphs {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMaxEdges = int64_t{1} << 32;  // of one graph

class OgbFolder {
 public:
  explicit OgbFolder(const ImportOptions& options) : folder_(options.path), split_(options.split) {}

  GraphSet read() {
    set_.sizes = integers("raw/num-node-list", 1, kMaxGraphNodes);
    const std::vector<int64_t> counts = integers("raw/num-edge-list", 0, kMaxEdges);
    require_rows("raw/num-edge-list", static_cast<int64_t>(counts.size()), Level::kGraph);
    for (const int64_t count : counts)
      set_.edge_offsets.push_back(set_.edge_offsets.back() + count);
    read_edges();
    add_column("raw/node-feat", Level::kNode, "x");
    add_column("raw/edge-feat", Level::kEdge, "x");
    add_labels("raw/graph-label", Level::kGraph);
    add_labels("raw/node-label", Level::kNode);
    read_splits();
    read_smiles();
    return std::move(set_);
  }

 private:
  /// NAME.csv.gz or NAME.csv; nullopt if neither is there.
  std::optional<std::string> find(const std::string& name) const {
    for (const char* ending : {".csv.gz", ".csv"}) {
      const fs::path path = fs::path(folder_) / (name + ending);
      if (fs::exists(path)) return path.string();
    }
    return std::nullopt;
  }

  std::string wanted(const std::string& name) const {
    if (const auto path = find(name)) return *path;
    throw InputError::in(folder_, fmt::format("has no {}.csv.gz; is it a folder of OGB?", name));
  }

  std::vector<int64_t> integers(const std::string& name, int64_t least, int64_t most) const {
    const std::string path = wanted(name);
    return read_number_rows(path).integers(path, least, most);
  }

  void require_rows(const std::string& name, int64_t rows, Level level) const {
    const int64_t wanted_rows = set_.rows(level);
    if (rows == wanted_rows) return;
    throw InputError::in(wanted(name), fmt::format("{} rows, wanted {}, one for each {}", rows,
                                                   wanted_rows, name_of(level)));
  }

  /// OGB lists an undirected edge once.
  void read_edges() {
    const std::string path = wanted("raw/edge");
    const NumberRows rows = read_number_rows(path);
    if (rows.rows > 0 && (rows.width != 2 || rows.real)) {
      throw InputError::in(path, "wanted two integers a line");
    }
    if (rows.rows != set_.edge_offsets.back()) {
      throw InputError::in(path, fmt::format("{} edges, but num-edge-list adds up to {}", rows.rows,
                                             set_.edge_offsets.back()));
    }
    for (size_t i = 0; i < rows.values.size(); i += 2) {
      set_.edges.emplace_back(node(path, rows.values[i], i / 2),
                              node(path, rows.values[i + 1], i / 2));
    }
  }

  static int32_t node(const std::string& path, double value, size_t row) {
    if (value >= 0 && value < kMaxGraphNodes) return static_cast<int32_t>(value);
    throw InputError::at_line(path, row + 1, fmt::format("no graph has a node {}", value));
  }

  void add_column(const std::string& name, Level level, const std::string& column) {
    const auto path = find(name);
    if (!path) return;
    const NumberRows rows = read_number_rows(*path);
    require_rows(name, rows.rows, level);
    set_.columns.push_back(rows.column(level, column));
  }

  void add_labels(const std::string& name, Level level) {
    const auto path = find(name);
    if (!path) return;
    const NumberRows rows = read_number_rows(*path);
    require_rows(name, rows.rows, level);
    set_.columns.push_back(rows.labels(level, "y"));
  }

  /// The folder of split/ that was asked for, or the only one.
  std::optional<std::string> split_folder() const {
    const fs::path folder = fs::path(folder_) / "split";
    if (!fs::is_directory(folder)) return std::nullopt;
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.is_directory()) names.push_back(entry.path().filename().string());
    }
    if (!split_.empty()) return "split/" + split_;
    if (names.empty()) return std::nullopt;
    if (names.size() == 1) return "split/" + names.front();
    throw InputError::in(folder.string(), "has several splits; name one by --split");
  }

  void read_splits() {
    const auto folder = split_folder();
    if (!folder) return;
    SplitPlaces places;
    const int64_t last = set_.graphs() - 1;
    places.train = integers(*folder + "/train", 0, last);
    places.validation = integers(*folder + "/valid", 0, last);
    places.test = integers(*folder + "/test", 0, last);
    set_.splits = splits_of(places, set_.graphs(), folder_ + "/" + *folder);
  }

  void read_smiles() {
    const auto path = find("mapping/mol");
    if (!path) return;
    const std::string text = read_maybe_gzip(*path);
    const CsvTable table = parse_csv_table(text, *path);
    const size_t column = table.column("smiles", *path);
    if (static_cast<int64_t>(table.rows.size()) != set_.graphs()) {
      throw InputError::in(
          *path, fmt::format("{} molecules for {} graphs", table.rows.size(), set_.graphs()));
    }
    for (const CsvRow& row : table.rows) set_.names.push_back(row.fields[column]);
  }

  const std::string folder_;
  const std::string split_;
  GraphSet set_;
};

}  // namespace

GraphSet read_ogb(const ImportOptions& options) { return OgbFolder(options).read(); }

}  // namespace floydnet::graphs
