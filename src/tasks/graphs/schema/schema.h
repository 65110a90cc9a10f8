// What a run learns from and what it learns: columns of a set of graphs, and how large their
// numbers usually are. A run keeps it, so that new graphs are read as those that it was trained on.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

/// Of each column of an array of reals: x becomes (x - mean) / deviation.
struct Scale {
  std::vector<double> mean;
  std::vector<double> deviation;
};

struct Feature {
  Level level = Level::kNode;
  std::string name;
  int64_t width = 1;
  bool real = false;
  std::vector<int64_t> categories;  // of each column, unless real
  Scale scale;                      // if real
};

/// Numbers; yes or no in each column; or one class of several in each column.
enum class TargetKind { kRegression, kBinary, kClasses };

struct Target {
  Level level = Level::kGraph;
  std::string name;
  int64_t width = 1;
  TargetKind kind = TargetKind::kRegression;
  std::vector<int64_t> classes;  // of each column of kClasses
  Scale scale;                   // of kRegression
  /// Training labels of each class: no and yes of each column, or all classes of each column.
  std::vector<double> counts;
  /// Of listed pairs, of which none of training is a no: all pairs that are not listed are.
  bool lists_only_yes = false;

  /// Numbers that a model says about a row.
  int64_t outputs() const;
};

struct Schema {
  bool directed = false;
  bool pairs_listed = false;
  std::vector<Feature> features;
  std::vector<Target> targets;

  bool empty() const { return targets.empty(); }
  const Target* find(Level level, const std::string& name) const;
};

struct SchemaOptions {
  std::string targets;            // "graph_y,node_z"
  std::string features = "auto";  // all but targets and names that begin with y; or a list, or ""
  /// Of all targets; without it, by their values.
  bool infer_kind = true;
  TargetKind kind = TargetKind::kRegression;
};

/// Scales and counts are those of the training graphs, categories and classes those of all.
/// InputError that names `source` if a column is unknown or cannot be learned from.
Schema learn_schema(const GraphSet& set, const std::vector<int64_t>& training_graphs,
                    const SchemaOptions& options, const std::string& source);

/// Throws InputError, in one line, unless the set has the features of the schema.
void require_features(const Schema& schema, const GraphSet& set, const std::string& source);
/// The same for targets, whose classes must be known ones.
void require_targets(const Schema& schema, const GraphSet& set, const std::string& source);

nlohmann::json to_json(const Schema& schema);
/// InputError that names `source` if it is no such object.
Schema schema_from_json(const nlohmann::json& json, const std::string& source);

/// A label as a number; NaN if it is missing.
float label_at(const Column& column, int64_t entry);

}  // namespace floydnet::graphs
