#include "tasks/graphs/schema/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/options.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/graphs/schema/statistics.h"

namespace floydnet::graphs {
namespace {

/// Each has a row in an embedding.
constexpr int64_t kMostCategories = 100'000;

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

const Column& named_column(const GraphSet& set, const std::string& word,
                           const std::string& source) {
  std::vector<std::string> names;
  for (const Column& column : set.columns) {
    names.push_back(full_name(column.level, column.name));
    if (names.back() == word) return column;
  }
  throw InputError::in(source,
                       fmt::format("no column {}{}", in_quotes(word), suggestion(word, names)));
}

std::vector<const Column*> named_columns(const GraphSet& set, const std::string& list,
                                         const std::string& source) {
  std::vector<const Column*> columns;
  for (const std::string& word : split_list(list)) {
    const Column& column = named_column(set, word, source);
    if (std::find(columns.begin(), columns.end(), &column) != columns.end()) {
      throw InputError::in(source, fmt::format("{} is named twice", in_quotes(word)));
    }
    columns.push_back(&column);
  }
  return columns;
}

std::vector<const Column*> feature_columns(const GraphSet& set, const SchemaOptions& options,
                                           const std::vector<const Column*>& targets,
                                           const std::string& source) {
  const auto is_target = [&](const Column* column) {
    return std::find(targets.begin(), targets.end(), column) != targets.end();
  };
  std::vector<const Column*> columns;
  if (options.features == "auto") {
    for (const Column& column : set.columns) {
      if (!is_target(&column) && column.name[0] != 'y') columns.push_back(&column);
    }
    return columns;
  }
  columns = named_columns(set, options.features, source);
  for (const Column* column : columns) {
    if (is_target(column)) {
      throw InputError::in(source, fmt::format("{} is both a feature and a target",
                                               full_name(column->level, column->name)));
    }
  }
  return columns;
}

Feature learn_feature(const GraphSet& set, const Column& column,
                      const std::vector<int64_t>& training_graphs, const std::string& source) {
  Feature feature{column.level, column.name, column.width, column.real, {}, {}};
  require_feature_values(set, column, source);
  if (column.real) {
    feature.scale = scale_of(column, training_rows(set, column.level, training_graphs));
  } else {
    feature.categories = largest_values(column);
    for (int64_t& largest : feature.categories) {
      largest = std::max<int64_t>(largest + 1, 1);
      if (largest <= kMostCategories) continue;
      throw InputError::in(
          source,
          fmt::format("{}: category {}, at most {} are told apart; store it as real numbers",
                      full_name(column.level, column.name), largest - 1, kMostCategories));
    }
  }
  return feature;
}

Target learn_target(const GraphSet& set, const Column& column,
                    const std::vector<int64_t>& training_graphs, const SchemaOptions& options,
                    const std::string& source) {
  const std::string place = fmt::format("{}: {}", source, full_name(column.level, column.name));
  Target target;
  target.level = column.level;
  target.name = column.name;
  target.width = column.width;
  target.kind = options.infer_kind ? kind_of(column) : options.kind;
  require_kind(column, target.kind, place);
  const RowRanges rows = training_rows(set, column.level, training_graphs);
  if (target.kind == TargetKind::kRegression) {
    target.scale = scale_of(column, rows);
  } else {
    if (target.kind == TargetKind::kClasses) {
      target.classes = largest_values(column);
      for (int64_t& largest : target.classes) largest = std::max<int64_t>(largest + 1, 2);
    }
    target.counts = class_counts(column, target, rows);
    target.lists_only_yes = column.level == Level::kPair && set.pairs_listed &&
                            target.kind == TargetKind::kBinary && target.width == 1 &&
                            target.counts[0] == 0;
    if (target.lists_only_yes) target.counts = class_counts(set, target, training_graphs);
  }
  if (!has_labels(column, rows)) {
    throw InputError::in(place, "no training graph has a label");
  }
  return target;
}

std::string shape_text(int64_t width, bool real) {
  return fmt::format("{} {}{}", width, real ? "real" : "integer", width == 1 ? "" : "s");
}

}  // namespace

int64_t Target::outputs() const {
  return kind == TargetKind::kClasses ? std::accumulate(classes.begin(), classes.end(), int64_t{0})
                                      : width;
}

const Target* Schema::find(Level level, const std::string& name) const {
  for (const Target& target : targets) {
    if (target.level == level && target.name == name) return &target;
  }
  return nullptr;
}

float label_at(const Column& column, int64_t entry) {
  const auto at = static_cast<size_t>(entry);
  if (column.real) return column.reals[at];
  const int64_t value = column.integers[at];
  return value < 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value);
}

Schema learn_schema(const GraphSet& set, const std::vector<int64_t>& training_graphs,
                    const SchemaOptions& options, const std::string& source) {
  if (training_graphs.empty()) throw InputError::in(source, "no graph is for training");
  const auto targets = named_columns(set, options.targets, source);
  if (targets.empty()) {
    std::vector<std::string> names;
    for (const Column& column : set.columns) names.push_back(full_name(column.level, column.name));
    throw InputError::in(
        "--target",
        fmt::format("not given; {} has {}", source,
                    names.empty() ? "no columns" : fmt::to_string(fmt::join(names, ", "))));
  }
  Schema schema;
  schema.directed = set.directed;
  schema.pairs_listed = set.pairs_listed;
  for (const Column* column : feature_columns(set, options, targets, source)) {
    schema.features.push_back(learn_feature(set, *column, training_graphs, source));
  }
  for (const Column* column : targets) {
    schema.targets.push_back(learn_target(set, *column, training_graphs, options, source));
  }
  return schema;
}

void require_features(const Schema& schema, const GraphSet& set, const std::string& source) {
  if (schema.directed != set.directed) {
    throw InputError::in(source, fmt::format("its graphs are {}directed, those of the run are not",
                                             set.directed ? "" : "un"));
  }
  for (const Feature& feature : schema.features) {
    const std::string name = full_name(feature.level, feature.name);
    const Column* column = set.find(feature.level, feature.name);
    if (column == nullptr) {
      throw InputError::in(
          source, fmt::format("no column {}, which the run was trained with", in_quotes(name)));
    }
    if (column->width != feature.width || column->real != feature.real) {
      throw InputError::in(source, fmt::format("{} has {} a row, the run was trained with {}", name,
                                               shape_text(column->width, column->real),
                                               shape_text(feature.width, feature.real)));
    }
    if (feature.level == Level::kPair && schema.pairs_listed != set.pairs_listed) {
      throw InputError::in(source, fmt::format("{} is of {}, that of the run of {}", name,
                                               set.pairs_listed ? "listed pairs" : "all pairs",
                                               schema.pairs_listed ? "listed pairs" : "all pairs"));
    }
    require_feature_values(set, *column, source);
    if (feature.real) continue;
    const std::vector<int64_t> largest = largest_values(*column);
    for (size_t i = 0; i < largest.size(); ++i) {
      if (largest[i] < feature.categories[i]) continue;
      throw InputError::in(source, fmt::format("{}, column {}: category {}, the run knows 0 to {}",
                                               name, i, largest[i], feature.categories[i] - 1));
    }
  }
}

void require_targets(const Schema& schema, const GraphSet& set, const std::string& source) {
  for (const Target& target : schema.targets) {
    const std::string name = full_name(target.level, target.name);
    const Column* column = set.find(target.level, target.name);
    if (column == nullptr) {
      throw InputError::in(source,
                           fmt::format("no column {}, which is to be learned", in_quotes(name)));
    }
    if (column->width != target.width) {
      throw InputError::in(source, fmt::format("{} has {} a row, the run was trained with {}", name,
                                               column->width, target.width));
    }
    require_kind(*column, target.kind, fmt::format("{}: {}", source, name));
    if (target.kind != TargetKind::kClasses) continue;
    const std::vector<int64_t> largest = largest_values(*column);
    for (size_t i = 0; i < largest.size(); ++i) {
      if (largest[i] < target.classes[i]) continue;
      throw InputError::in(source, fmt::format("{}, column {}: class {}, the run knows 0 to {}",
                                               name, i, largest[i], target.classes[i] - 1));
    }
  }
}

}  // namespace floydnet::graphs
