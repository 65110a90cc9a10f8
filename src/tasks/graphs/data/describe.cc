#include "tasks/graphs/data/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "record/json_lines.h"
#include "record/table.h"

namespace floydnet::graphs {
namespace {

using Json = nlohmann::json;

constexpr size_t kMaxClassesShown = 12;
constexpr int kBins = 10;
constexpr int kBarWidth = 40;

/// Of numbers that are there; at least one.
Json summary_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  const double mean = total / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {
      {"least", values.front()}, {"mean", mean},          {"deviation", std::sqrt(squares / count)},
      {"median", median},        {"most", values.back()}, {"total", total}};
}

Json histogram_of(const std::string& name, const std::vector<double>& values, bool whole) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  // Bins of whole numbers are whole, too, so that no bin is luckier than the others.
  double width = (*most - *least) / kBins;
  if (whole) width = std::ceil((*most - *least + 1) / kBins);
  if (width <= 0) width = 1;
  std::vector<int64_t> counts(static_cast<size_t>(kBins));
  for (const double value : values) {
    const auto bin = static_cast<size_t>((value - *least) / width);
    ++counts[std::min(bin, counts.size() - 1)];
  }
  while (counts.size() > 1 && counts.back() == 0) counts.pop_back();
  return {
      {"name", name}, {"least", *least}, {"width", width}, {"whole", whole}, {"counts", counts}};
}

/// Values of one column of an array, without those that are missing.
std::vector<double> values_of(const Column& column, int64_t index) {
  std::vector<double> values;
  const auto width = static_cast<size_t>(column.width);
  for (size_t i = static_cast<size_t>(index); i < column.integers.size(); i += width) {
    if (column.integers[i] >= 0) values.push_back(static_cast<double>(column.integers[i]));
  }
  for (size_t i = static_cast<size_t>(index); i < column.reals.size(); i += width) {
    if (!std::isnan(column.reals[i])) values.push_back(column.reals[i]);
  }
  return values;
}

Json describe_entry(const Column& column, int64_t index) {
  const std::vector<double> values = values_of(column, index);
  Json entry = {{"missing", column.rows() - static_cast<int64_t>(values.size())}};
  if (values.empty()) return entry;
  if (column.real) {
    entry.update(summary_of(values));
    entry.erase("total");
    return entry;
  }
  std::map<int64_t, int64_t> counts;
  for (const double value : values) ++counts[static_cast<int64_t>(value)];
  entry["values"] = counts.size();
  entry["least"] = counts.begin()->first;
  entry["most"] = counts.rbegin()->first;
  if (counts.size() > kMaxClassesShown) return entry;
  for (const auto& [value, count] : counts) entry["counts"][std::to_string(value)] = count;
  return entry;
}

Json describe_column(const Column& column) {
  Json entries = Json::array();
  for (int64_t i = 0; i < column.width; ++i) entries.push_back(describe_entry(column, i));
  return {{"name", full_name(column.level, column.name)},
          {"rows", column.rows()},
          {"width", column.width},
          {"type", column.real ? "real" : "integer"},
          {"entries", entries}};
}

Json count_splits(const std::vector<Split>& splits) {
  if (splits.empty()) return nullptr;
  const auto count = [&](Split split) { return std::count(splits.begin(), splits.end(), split); };
  return {{"train", count(Split::kTrain)},
          {"validation", count(Split::kValidation)},
          {"test", count(Split::kTest)},
          {"none", count(Split::kNone)}};
}

record::Cell number_cell(const Json& entry, const char* key) {
  if (!entry.contains(key)) return {};
  return entry[key].is_number_integer()
             ? record::Cell(entry[key].get<int64_t>())
             : record::Cell(fmt::format("{:.4g}", entry[key].get<double>()));
}

std::string class_counts_text(const Json& entry) {
  if (!entry.contains("counts")) return "";
  std::vector<std::pair<int64_t, int64_t>> counts;
  for (const auto& item : entry["counts"].items()) {
    counts.emplace_back(std::stoll(item.key()), item.value().get<int64_t>());
  }
  std::sort(counts.begin(), counts.end());
  std::string text;
  for (const auto& [value, count] : counts) text += fmt::format(" {}:{}", value, count);
  return text.substr(std::min<size_t>(1, text.size()));
}

std::string columns_text(const Json& columns) {
  record::Table table{"columns",
                      {"column", "type", "rows", "missing", "values", "least", "mean", "deviation",
                       "most", "of each value"},
                      {}};
  for (const Json& column : columns) {
    const Json& entries = column["entries"];
    for (size_t i = 0; i < entries.size(); ++i) {
      const std::string name = column["name"].get<std::string>();
      const std::string counts = class_counts_text(entries[i]);
      table.rows.push_back({entries.size() > 1 ? fmt::format("{}[{}]", name, i) : name,
                            column["type"].get<std::string>(), column["rows"].get<int64_t>(),
                            entries[i]["missing"].get<int64_t>(), number_cell(entries[i], "values"),
                            number_cell(entries[i], "least"), number_cell(entries[i], "mean"),
                            number_cell(entries[i], "deviation"), number_cell(entries[i], "most"),
                            counts.empty() ? record::Cell() : record::Cell(counts)});
    }
  }
  return record::text_table(table);
}

std::string histogram_text(const Json& histogram) {
  std::string text = histogram["name"].get<std::string>() + "\n";
  const auto counts = histogram["counts"].get<std::vector<int64_t>>();
  const int64_t most = std::max<int64_t>(1, *std::max_element(counts.begin(), counts.end()));
  const auto least = histogram["least"].get<double>();
  const auto width = histogram["width"].get<double>();
  const bool whole = histogram["whole"].get<bool>();
  for (size_t i = 0; i < counts.size(); ++i) {
    const double from = least + static_cast<double>(i) * width;
    const std::string range = !whole ? fmt::format("{:.4g} to {:.4g}", from, from + width)
                              : width == 1
                                  ? fmt::format("{:.0f}", from)
                                  : fmt::format("{:.0f} to {:.0f}", from, from + width - 1);
    // Rounded up, so that no graph is invisible.
    const auto bar = static_cast<size_t>((counts[i] * kBarWidth + most - 1) / most);
    text += fmt::format("  {:>20} {:>9} {}\n", range, counts[i], std::string(bar, '#'));
  }
  return text;
}

}  // namespace

Json describe(const GraphSet& set) {
  std::vector<double> sizes(set.sizes.begin(), set.sizes.end());
  std::vector<double> edges;
  for (size_t g = 0; g < set.sizes.size(); ++g) {
    edges.push_back(static_cast<double>(set.edge_offsets[g + 1] - set.edge_offsets[g]));
  }
  Json description = {{"graphs", set.graphs()},
                      {"directed", set.directed},
                      {"nodes", sizes.empty() ? Json() : summary_of(sizes)},
                      {"edges", edges.empty() ? Json() : summary_of(edges)},
                      {"pairs", set.pairs_listed ? Json(set.pairs.size()) : Json()},
                      {"names", !set.names.empty()},
                      {"splits", count_splits(set.splits)},
                      {"columns", Json::array()},
                      {"histograms", Json::array()}};
  for (const Column& column : set.columns) {
    description["columns"].push_back(describe_column(column));
  }
  if (!sizes.empty()) description["histograms"].push_back(histogram_of("nodes", sizes, true));
  for (const Column& column : set.columns) {
    if (column.level != Level::kGraph || !column.real || column.width > 1) continue;
    const std::vector<double> values = values_of(column, 0);
    if (values.empty()) continue;
    description["histograms"].push_back(
        histogram_of(full_name(column.level, column.name), values, false));
  }
  return description;
}

std::string description_text(const Json& description, const std::string& title) {
  std::string text =
      fmt::format("{}: {} {} graphs{}\n", title, description["graphs"].get<int64_t>(),
                  description["directed"].get<bool>() ? "directed" : "undirected",
                  description["names"].get<bool>() ? " with names" : "");
  for (const char* what : {"nodes", "edges"}) {
    const Json& of = description[what];
    if (of.is_null()) continue;
    text +=
        fmt::format("{}: {:.0f} in all, {:.0f} to {:.0f} a graph, mean {:.2f}, median {:g}\n", what,
                    of["total"].get<double>(), of["least"].get<double>(), of["most"].get<double>(),
                    of["mean"].get<double>(), of["median"].get<double>());
  }
  if (!description["pairs"].is_null()) {
    text += fmt::format("pairs listed: {}\n", description["pairs"].get<int64_t>());
  }
  const Json& splits = description["splits"];
  if (!splits.is_null()) {
    text += fmt::format("split: {} train, {} validation, {} test, {} in none\n",
                        splits["train"].get<int64_t>(), splits["validation"].get<int64_t>(),
                        splits["test"].get<int64_t>(), splits["none"].get<int64_t>());
  }
  if (!description["columns"].empty()) text += columns_text(description["columns"]);
  for (const Json& histogram : description["histograms"]) text += histogram_text(histogram);
  return text;
}

}  // namespace floydnet::graphs
