#include "tasks/graphs/target_metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/options.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/graphs/metrics/contacts.h"
#include "tasks/graphs/metrics/scores.h"
#include "tasks/graphs/metrics/size_groups.h"

namespace floydnet::graphs {
namespace {

using record::Metrics;

constexpr int64_t kMostColumnsInDetail = 32;
constexpr size_t kSizeGroups = 5;
/// Between a metric and the sizes of graphs that it is of.
constexpr const char* kBySize = "/n=";

NumberTable number_table(const Predicted& p) { return {p.target->width, p.labels, p.values}; }

struct Classes {
  std::vector<int64_t> labels, predictions;
};

/// Of one column, or of all; -1 is a missing label. Yes is a logit above 0.
Classes classes_of(const Predicted& p, int64_t only_column = -1) {
  Classes found;
  for (size_t i = 0; i < p.labels.size(); ++i) {
    const auto column = static_cast<int64_t>(i) % p.target->width;
    if (only_column >= 0 && column != only_column) continue;
    const bool binary = p.target->kind == TargetKind::kBinary;
    found.labels.push_back(std::isnan(p.labels[i]) ? -1 : static_cast<int64_t>(p.labels[i]));
    found.predictions.push_back(binary ? (p.values[i] > 0 ? 1 : 0)
                                       : static_cast<int64_t>(p.values[i]));
  }
  return found;
}

double mean_macro_f1(const Predicted& p) {
  double sum = 0;
  for (int64_t column = 0; column < p.target->width; ++column) {
    const Classes classes = classes_of(p, column);
    sum += macro_f1({classes.labels, classes.predictions});
  }
  return sum / static_cast<double>(p.target->width);
}

/// Of graphs with true pairs, each of which weighs the same.
void append_ranks(const Predicted& p, Metrics* metrics) {
  const std::pair<Rivals, const char*> kinds[] = {
      {Rivals::kRaw, ""}, {Rivals::kFiltered, "_filtered"}, {Rivals::kExtended, "_extended"}};
  for (const auto& [rivals, suffix] : kinds) {
    std::vector<RankScores> graphs;
    for (size_t g = 0; g < p.sizes.size(); ++g) {
      const int64_t n = p.sizes[g];
      const auto first = p.values.begin() + p.first_row[g];
      std::vector<Graph::Edge> true_pairs;
      for (int64_t i = 0; i < n * n; ++i) {
        if (p.labels[static_cast<size_t>(p.first_row[g] + i)] != 1) continue;
        true_pairs.emplace_back(static_cast<int32_t>(i / n), static_cast<int32_t>(i % n));
      }
      if (true_pairs.empty()) continue;
      graphs.push_back(rank_contacts({first, first + n * n}, n, true_pairs, rivals));
    }
    ContactMean mean;
    if (!graphs.empty()) mean.add_batch(graphs, 1);
    const RankScores scores = mean.mean();
    metrics->emplace_back(std::string("mrr") + suffix, scores.mrr);
    for (size_t i = 0; i < kHitRanks.size(); ++i) {
      metrics->emplace_back(fmt::format("hits@{}{}", kHitRanks[i], suffix), scores.hits[i]);
    }
  }
}

Metrics all_metrics(const Predicted& p) {
  const NumberTable table = number_table(p);
  if (p.target->kind == TargetKind::kRegression) {
    return {{"mae", mean_absolute_error(table)},
            {"rmse", root_mean_square_error(table)},
            {"r2", r_squared(table)}};
  }
  const Classes classes = classes_of(p);
  const double right = accuracy({classes.labels, classes.predictions});
  if (p.target->kind == TargetKind::kClasses) {
    return {{"accuracy", right}, {"f1", mean_macro_f1(p)}};
  }
  Metrics metrics = {{"ap", average_precision(table)},
                     {"roc_auc", roc_auc(table)},
                     {"accuracy", right},
                     {"f1", mean_macro_f1(p)}};
  if (is_ranked(*p.target)) append_ranks(p, &metrics);
  return metrics;
}

/// What is shown of each column and size.
std::pair<std::string, double> main_metric(const Predicted& p) {
  switch (p.target->kind) {
    case TargetKind::kRegression:
      return {"mae", mean_absolute_error(number_table(p))};
    case TargetKind::kBinary:
      if (p.target->width > 1) return {"ap", average_precision(number_table(p))};
      break;
    case TargetKind::kClasses:
      break;
  }
  const Classes classes = classes_of(p);
  return {"accuracy", accuracy({classes.labels, classes.predictions})};
}

void append_columns(const Predicted& p, Metrics* metrics) {
  const int64_t width = p.target->width;
  if (width == 1 || width > kMostColumnsInDetail) return;
  for (int64_t column = 0; column < width; ++column) {
    Target target = *p.target;
    target.width = 1;
    if (target.kind == TargetKind::kClasses) {
      target.classes = {p.target->classes[static_cast<size_t>(column)]};
    }
    Predicted part;
    part.target = &target;
    for (auto i = static_cast<size_t>(column); i < p.labels.size();
         i += static_cast<size_t>(width)) {
      part.labels.push_back(p.labels[i]);
      part.values.push_back(p.values[i]);
    }
    const bool binary = target.kind == TargetKind::kBinary;
    const auto [name, value] =
        binary ? std::make_pair(std::string("ap"), average_precision(number_table(part)))
               : main_metric(part);
    metrics->emplace_back(fmt::format("{}/{}", name, column), value);
  }
}

/// Names of metrics that suit a target.
std::vector<std::string> names_for(const Target& target) {
  Predicted nothing;
  nothing.target = &target;
  nothing.first_row = {0};
  std::vector<std::string> names;
  for (const auto& [name, value] : all_metrics(nothing)) names.push_back(name);
  return names;
}

std::string default_metric(const Target& target) {
  if (target.kind == TargetKind::kRegression) return "mae";
  if (target.kind == TargetKind::kClasses) return "accuracy";
  return target.width > 1 || target.level == Level::kPair ? "ap" : "roc_auc";
}

}  // namespace

bool is_ranked(const Target& target) {
  return target.level == Level::kPair && target.kind == TargetKind::kBinary && target.width == 1;
}

std::vector<SizeScore> scores_by_size(const Predicted& p) {
  const std::vector<SizeGroup> groups = size_groups(p.sizes, kSizeGroups);
  std::vector<SizeScore> scores;
  if (groups.empty() || groups.front().smallest == groups.back().largest) return scores;
  for (const SizeGroup& group : groups) {
    Predicted part;
    part.target = p.target;
    for (const size_t g : group.graphs) {
      const int64_t width = p.target->width;
      const auto begin = p.first_row[g] * width, end = p.first_row[g + 1] * width;
      part.labels.insert(part.labels.end(), p.labels.begin() + begin, p.labels.begin() + end);
      part.values.insert(part.values.end(), p.values.begin() + begin, p.values.begin() + end);
    }
    const auto [name, value] = main_metric(part);
    scores.push_back({name, group.smallest, group.largest, value});
  }
  return scores;
}

Metrics metrics_of(const Predicted& predicted, bool in_detail) {
  Metrics metrics = all_metrics(predicted);
  if (!in_detail) return metrics;
  append_columns(predicted, &metrics);
  for (const SizeScore& score : scores_by_size(predicted)) {
    metrics.emplace_back(
        fmt::format("{}{}{}-{}", score.metric, kBySize, score.smallest, score.largest),
        score.value);
  }
  return metrics;
}

record::Goal goal_of(const Schema& schema, const TargetConfig& config) {
  const bool single = schema.targets.size() == 1;
  std::vector<std::string> names = {"loss"};
  for (const Target& target : schema.targets) {
    const std::string prefix = single ? "" : full_name(target.level, target.name) + "/";
    for (const std::string& name : names_for(target)) names.push_back(prefix + name);
  }
  std::string metric = config.metric;
  if (metric == "auto") metric = single ? default_metric(schema.targets[0]) : "loss";
  if (std::find(names.begin(), names.end(), metric) == names.end()) {
    throw InputError::in("target.metric", fmt::format("{} is unknown; there are {}",
                                                      in_quotes(metric), fmt::join(names, ", ")));
  }
  const std::string plain = metric.substr(metric.find('/') + 1);
  return {"", metric, plain != "mae" && plain != "rmse" && plain != "loss"};
}

std::vector<record::Table> result_tables(const record::SplitMetrics& finals) {
  std::vector<record::Table> tables = {{"Results", {"metric"}, {}}, {"By size", {"metric"}, {}}};
  for (const auto& [split, metrics] : finals) {
    for (record::Table& table : tables) table.columns.push_back(split);
  }
  for (size_t s = 0; s < finals.size(); ++s) {
    for (const auto& [name, value] : finals[s].second) {
      record::Table& table = tables[name.find(kBySize) == std::string::npos ? 0 : 1];
      auto row = std::find_if(table.rows.begin(), table.rows.end(),
                              [&name = name](const auto& r) { return r[0] == record::Cell(name); });
      if (row == table.rows.end()) {
        table.rows.emplace_back(finals.size() + 1);
        row = table.rows.end() - 1;
        row->front() = name;
      }
      (*row)[s + 1] = value;
    }
  }
  if (tables[1].rows.empty()) tables.pop_back();
  return tables;
}

}  // namespace floydnet::graphs
