#include "tasks/graphs/prediction_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace floydnet::graphs {
namespace {

/// Quoted where commas, quotes or line ends ask for it.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// What tells the rows of a level apart.
class RowNames {
 public:
  RowNames(const GraphSet& set, Level level)
      : set_(set), level_(level), offsets_(set.row_offsets(level)) {}

  std::string header() const {
    std::string text = set_.names.empty() ? "graph" : "graph,name";
    if (level_ == Level::kNode) text += ",node";
    if (level_ == Level::kEdge || level_ == Level::kPair) text += ",from,to";
    return text;
  }
  int64_t rows() const { return offsets_.back(); }

  /// Rows must be asked for in their order.
  std::string next(int64_t row) {
    while (row >= offsets_[graph_ + 1]) ++graph_;
    std::string text = std::to_string(graph_);
    if (!set_.names.empty()) text += "," + csv_field(set_.names[graph_]);
    const int64_t place = row - offsets_[graph_];
    const auto with_ends = [&text](int64_t u, int64_t v) {
      return fmt::format("{},{},{}", text, u, v);
    };
    const auto at = static_cast<size_t>(row);
    switch (level_) {
      case Level::kGraph:
        return text;
      case Level::kNode:
        return fmt::format("{},{}", text, place);
      case Level::kEdge:
        return with_ends(set_.edges[at].first, set_.edges[at].second);
      case Level::kPair:
        break;
    }
    if (set_.pairs_listed) return with_ends(set_.pairs[at].first, set_.pairs[at].second);
    return with_ends(place / set_.sizes[graph_], place % set_.sizes[graph_]);
  }

 private:
  const GraphSet& set_;
  Level level_;
  std::vector<int64_t> offsets_;
  size_t graph_ = 0;
};

std::string header_of(const Target& target, bool labelled) {
  std::string text;
  const std::vector<std::string> names = column_names(target);
  for (size_t i = 0; i < names.size(); ++i) {
    text += "," + csv_field(names[i]);
    if (target.kind != TargetKind::kClasses) continue;
    for (int64_t c = 0; c < target.classes[i]; ++c) {
      text += "," + csv_field(fmt::format("{}_p{}", names[i], c));
    }
  }
  for (size_t i = 0; labelled && i < names.size(); ++i) text += "," + csv_field(names[i] + "_true");
  return text;
}

void append_values(const Target& target, const float* values, std::string* text) {
  for (int64_t i = 0; i < target.width; ++i) {
    if (target.kind != TargetKind::kClasses) {
      fmt::format_to(std::back_inserter(*text), ",{:.7g}", values[i]);
      continue;
    }
    const int64_t classes = target.classes[static_cast<size_t>(i)];
    fmt::format_to(std::back_inserter(*text), ",{}",
                   std::max_element(values, values + classes) - values);
    for (int64_t c = 0; c < classes; ++c) {
      fmt::format_to(std::back_inserter(*text), ",{:.7g}", values[c]);
    }
    values += classes;
  }
}

void append_labels(const Target& target, const Column& column, int64_t row, std::string* text) {
  for (int64_t i = 0; i < target.width; ++i) {
    const float label = label_at(column, row * target.width + i);
    // A missing label is an empty field.
    *text += std::isnan(label) ? std::string(",") : fmt::format(",{:.7g}", label);
  }
}

/// Labels that are there to be shown beside predictions.
const Column* labels_in(const GraphSet& set, const Target& target) {
  const Column* column = set.find(target.level, target.name);
  return column != nullptr && column->width == target.width ? column : nullptr;
}

NpyArray ends_array(const std::vector<Graph::Edge>& ends) {
  std::vector<int64_t> flat;
  for (const auto& [u, v] : ends) {
    flat.push_back(u);
    flat.push_back(v);
  }
  return NpyArray::from(flat, {static_cast<int64_t>(ends.size()), 2});
}

}  // namespace

std::vector<std::string> column_names(const Target& target) {
  if (target.width == 1) return {target.name};
  std::vector<std::string> names;
  for (int64_t i = 0; i < target.width; ++i) names.push_back(fmt::format("{}_{}", target.name, i));
  return names;
}

std::string csv_text(const GraphSet& set, const std::vector<TargetPredictions>& predictions) {
  RowNames names(set, predictions.front().target->level);
  std::string text = names.header();
  for (const auto& [target, values] : predictions) {
    text += header_of(*target, labels_in(set, *target) != nullptr);
  }
  text += "\n";
  for (int64_t row = 0; row < names.rows(); ++row) {
    text += names.next(row);
    for (const auto& [target, values] : predictions) {
      append_values(*target, values.data() + row * target->outputs(), &text);
      const Column* labels = labels_in(set, *target);
      if (labels != nullptr) append_labels(*target, *labels, row, &text);
    }
    text += "\n";
  }
  return text;
}

NpzArchive npz_predictions(const GraphSet& set, const std::vector<TargetPredictions>& predictions) {
  NpzArchive archive;
  archive["sizes"] = NpyArray::from(set.sizes, {set.graphs()});
  for (const auto& [target, values] : predictions) {
    const int64_t outputs = target->outputs();
    archive[full_name(target->level, target->name)] =
        NpyArray::from(values, {static_cast<int64_t>(values.size()) / outputs, outputs});
    if (target->level == Level::kEdge) archive["edges"] = ends_array(set.edges);
    if (target->level == Level::kPair && set.pairs_listed) archive["pairs"] = ends_array(set.pairs);
  }
  return archive;
}

}  // namespace floydnet::graphs
