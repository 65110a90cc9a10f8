#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "base/options.h"
#include "base/require.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/graphs/data/graph_file.h"
#include "tasks/graphs/data/text_lines.h"

namespace floydnet::graphs {
namespace {

using Json = nlohmann::json;

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

/// A column while its type is not known yet.
struct LineColumn {
  Level level = Level::kGraph;
  std::string name;
  int64_t width = 0;  // unknown until a row has been seen
  bool real = false;
  std::vector<double> values;  // NaN where null stands

  Column finish() const {
    Column column{name, level, std::max<int64_t>(width, 1), real, {}, {}};
    for (const double value : values) {
      if (real) {
        column.reals.push_back(static_cast<float>(value));
      } else {
        column.integers.push_back(std::isnan(value) ? -1 : static_cast<int64_t>(value));
      }
    }
    return column;
  }
};

/// Adds graph after graph.
class LinesReader {
 public:
  void add(const Json& graph) {
    require(graph.is_object(), "not a JSON object");
    const bool first = set_.sizes.empty();
    for (const auto& item : graph.items()) check_key(item.key());
    const int64_t n = size_of(graph);
    set_.sizes.push_back(n);
    read_directed(graph, first);
    read_ends(graph, "edges", set_.edges, set_.edge_offsets);
    const bool pairs = graph.contains("pairs");
    require(first || pairs == set_.pairs_listed, "\"pairs\" must be in every line or in none");
    set_.pairs_listed = pairs;
    read_ends(graph, "pairs", set_.pairs, set_.pair_offsets);
    read_columns(graph, first);
    read_split(graph, first);
    read_name(graph, first);
  }

  GraphSet finish() {
    require(!set_.sizes.empty(), "there are no graphs");
    for (const auto& [key, column] : columns_) set_.columns.push_back(column.finish());
    set_.check();
    return std::move(set_);
  }

 private:
  static void check_key(const std::string& key) {
    const std::vector<std::string> known = {"nodes", "edges", "directed", "pairs", "split", "name"};
    const bool plain = std::find(known.begin(), known.end(), key) != known.end();
    require(plain || parse_full_name(key), "unknown key {}{}", in_quotes(key),
            suggestion(key, known));
    require(key != "edge_counts" && key != "pair_counts", "the key {} is reserved", in_quotes(key));
  }

  static int64_t size_of(const Json& graph) {
    const auto found = graph.find("nodes");
    const bool fits = found != graph.end() && found->is_number_unsigned() &&
                      found->get<uint64_t>() >= 1 &&
                      found->get<uint64_t>() <= static_cast<uint64_t>(kMaxGraphNodes);
    require(fits, "\"nodes\": wanted the number of nodes, 1 to {}", kMaxGraphNodes);
    return found->get<int64_t>();
  }

  void read_directed(const Json& graph, bool first) {
    const auto found = graph.find("directed");
    require(found == graph.end() || found->is_boolean(), "\"directed\": wanted true or false");
    const bool directed = found != graph.end() && found->get<bool>();
    require(first || directed == set_.directed, "\"directed\" differs from that of the first line");
    set_.directed = directed;
  }

  void read_ends(const Json& graph, const char* key, std::vector<Graph::Edge>& ends,
                 std::vector<int64_t>& offsets) const {
    const auto found = graph.find(key);
    if (found != graph.end()) {
      require(found->is_array(), "\"{}\": wanted a list of [i, j]", key);
      for (const Json& item : *found) {
        require(item.is_array() && item.size() == 2, "\"{}\"[{}]: wanted [i, j]", key,
                ends.size() - static_cast<size_t>(offsets.back()));
        ends.emplace_back(node(item[0], key), node(item[1], key));
      }
    }
    offsets.push_back(static_cast<int64_t>(ends.size()));
  }

  int32_t node(const Json& value, const char* key) const {
    const bool fits = value.is_number_unsigned() &&
                      value.get<uint64_t>() < static_cast<uint64_t>(set_.sizes.back());
    require(fits, "\"{}\": {} is no node, they are 0 to {}", key, in_quotes(value.dump()),
            set_.sizes.back() - 1);
    return value.get<int32_t>();
  }

  int64_t wanted_rows(Level level) const {
    const size_t g = set_.sizes.size() - 1;
    switch (level) {
      case Level::kGraph:
        return 1;
      case Level::kNode:
        return set_.sizes[g];
      case Level::kEdge:
        return set_.edge_offsets[g + 1] - set_.edge_offsets[g];
      case Level::kPair:
        break;
    }
    if (set_.pairs_listed) return set_.pair_offsets[g + 1] - set_.pair_offsets[g];
    return set_.sizes[g] * set_.sizes[g];
  }

  void read_columns(const Json& graph, bool first) {
    size_t seen = 0;
    for (const auto& item : graph.items()) {
      const auto parts = parse_full_name(item.key());
      if (!parts) continue;
      ++seen;
      require(first || columns_.count(item.key()) > 0, "{} is not in the first line",
              in_quotes(item.key()));
      LineColumn& column = columns_[item.key()];
      std::tie(column.level, column.name) = *parts;
      read_rows(item.key(), item.value(), column);
    }
    if (seen == columns_.size()) return;
    for (const auto& [key, column] : columns_) {
      require(graph.contains(key), "{} is missing, which the first line has", in_quotes(key));
    }
  }

  void read_rows(const std::string& key, const Json& value, LineColumn& column) const {
    if (column.level == Level::kGraph) return read_row(key, value, column);
    const int64_t rows = wanted_rows(column.level);
    require(value.is_array() && static_cast<int64_t>(value.size()) == rows,
            "\"{}\": wanted a list of {} rows, one for each {}", key, rows, name_of(column.level));
    for (const Json& row : value) read_row(key, row, column);
  }

  static void read_row(const std::string& key, const Json& row, LineColumn& column) {
    const int64_t width = row.is_array() ? static_cast<int64_t>(row.size()) : 1;
    if (column.width == 0) column.width = width;
    require(width == column.width && width > 0, "\"{}\": a row has {} numbers, wanted {}", key,
            width, column.width);
    if (!row.is_array()) return read_number(key, row, column);
    for (const Json& value : row) read_number(key, value, column);
  }

  static void read_number(const std::string& key, const Json& value, LineColumn& column) {
    if (value.is_null()) return column.values.push_back(NAN);
    if (value.is_boolean()) return column.values.push_back(value.get<bool>() ? 1 : 0);
    require(value.is_number(), "\"{}\": {} is no number", key, in_quotes(value.dump()));
    const auto number = value.get<double>();
    if (value.is_number_float()) column.real = true;
    require(std::abs(number) <= (column.real ? std::numeric_limits<float>::max() : kExactIntegers),
            "\"{}\": {} is too large", key, number);
    column.values.push_back(number);
  }

  void read_split(const Json& graph, bool first) {
    const auto found = graph.find("split");
    require(first || (found != graph.end()) == !set_.splits.empty(),
            "\"split\" must be in every line or in none");
    if (found == graph.end()) return;
    static const std::map<std::string, Split> kNames = {{"train", Split::kTrain},
                                                        {"validation", Split::kValidation},
                                                        {"val", Split::kValidation},
                                                        {"test", Split::kTest},
                                                        {"none", Split::kNone}};
    const auto name = found->is_string() ? kNames.find(found->get<std::string>()) : kNames.end();
    require(name != kNames.end(),
            "\"split\": wanted \"train\", \"validation\", \"test\", \"none\"");
    set_.splits.push_back(name->second);
  }

  void read_name(const Json& graph, bool first) {
    const auto found = graph.find("name");
    require(first || (found != graph.end()) == !set_.names.empty(),
            "\"name\" must be in every line or in none");
    if (found == graph.end()) return;
    require(found->is_string(), "\"name\": wanted a text");
    set_.names.push_back(found->get<std::string>());
  }

  GraphSet set_;
  std::map<std::string, LineColumn> columns_;
};

}  // namespace

GraphSet parse_graph_lines(std::string_view text, const std::string& source) {
  LinesReader reader;
  TextLines lines(text);
  std::string_view line;
  while (lines.next_filled(line)) {
    const Json graph = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    try {
      require(!graph.is_discarded(), "not JSON");
      reader.add(graph);
    } catch (const std::invalid_argument& error) {
      throw InputError::at_line(source, lines.number(), error.what());
    }
  }
  try {
    return reader.finish();
  } catch (const std::invalid_argument& error) {
    throw InputError::in(source, error.what());
  }
}

}  // namespace floydnet::graphs
