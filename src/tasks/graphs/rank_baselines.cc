#include "tasks/graphs/rank_baselines.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <cmath>

#include "tasks/graphs/pieces.h"
#include "tasks/graphs/structure/structure.h"
#include "tasks/graphs/target_metrics.h"

namespace floydnet::graphs {
namespace {

/// Distances above this count as one; so do pairs without a path.
constexpr int64_t kMostSteps = 64;

/// The distance of each pair of a graph, row by row, from 0 to kMostSteps + 1.
std::vector<float> distances_of(const GraphSet& set, int64_t graph) {
  const auto g = static_cast<size_t>(graph);
  const int64_t n = set.sizes[g], first = set.edge_offsets[g];
  std::vector<float> distances(static_cast<size_t>(n * n));
  shortest_distances({n, set.edges.data() + first, set.edge_offsets[g + 1] - first, set.directed},
                     kMostSteps, distances.data());
  return distances;
}

/// Calls visit(distance, label) for all pairs of a graph.
template <typename Visit>
void for_each_pair(const Target& target, const InputBuilder& builder, int64_t graph,
                   const Visit& visit) {
  const torch::Tensor labels = labels_of(target, builder, {graph}, /*all_pairs=*/true);
  const std::vector<float> distances = distances_of(builder.set(), graph);
  for (size_t i = 0; i < distances.size(); ++i) {
    visit(static_cast<size_t>(distances[i]), labels.data_ptr<float>()[i]);
  }
}

/// Of training pairs, the fraction that is true at each distance.
std::vector<double> true_fractions(const GraphsConfig& run, const Target& target,
                                   const InputBuilder& builder) {
  std::vector<double> known(kMostSteps + 2), yes(kMostSteps + 2);
  for (const int64_t graph : run.splits.train) {
    for_each_pair(target, builder, graph, [&](size_t distance, float label) {
      if (std::isnan(label)) return;
      ++known[distance];
      yes[distance] += label;
    });
  }
  for (size_t d = 0; d < known.size(); ++d) yes[d] /= std::max(1.0, known[d]);
  return yes;
}

struct Baselines {
  Predicted perfect, by_distance;
};

Baselines baselines_of(const Target& target, const InputBuilder& builder,
                       const std::vector<int64_t>& graphs, const std::vector<double>& fractions) {
  Baselines found;
  Predicted& perfect = found.perfect;
  perfect.target = &target;
  perfect.first_row = {0};
  std::vector<float> by_distance;
  for (const int64_t graph : graphs) {
    for_each_pair(target, builder, graph, [&](size_t distance, float label) {
      perfect.labels.push_back(label);
      perfect.values.push_back(label == 1 ? 1 : 0);
      by_distance.push_back(static_cast<float>(fractions[distance]));
    });
    perfect.sizes.push_back(builder.set().sizes[static_cast<size_t>(graph)]);
    perfect.first_row.push_back(static_cast<int64_t>(perfect.labels.size()));
  }
  found.by_distance = perfect;
  found.by_distance.values = std::move(by_distance);
  return found;
}

bool ranks(const std::string& metric) {
  return metric.rfind("mrr", 0) == 0 || metric.rfind("hits@", 0) == 0;
}

record::Table table_of(const GraphsConfig& run, const Target& target, const InputBuilder& builder,
                       const std::vector<std::string>& splits) {
  record::Table table{
      fmt::format("Ranking {} without a model", full_name(target.level, target.name)),
      {"metric"},
      {}};
  const std::vector<double> fractions = true_fractions(run, target, builder);
  for (const std::string& split : splits) {
    table.columns.push_back(split + ": true labels");
    table.columns.push_back(split + ": distance alone");
    const Baselines baselines = baselines_of(target, builder, run.splits.of(split), fractions);
    for (const Predicted* scores : {&baselines.perfect, &baselines.by_distance}) {
      size_t row = 0;
      for (const auto& [metric, value] : metrics_of(*scores, /*in_detail=*/false)) {
        if (!ranks(metric)) continue;
        if (row == table.rows.size()) table.rows.push_back({metric});
        table.rows[row++].push_back(value);
      }
    }
  }
  return table;
}

}  // namespace

std::vector<record::Table> rank_baselines(const GraphsConfig& run, const InputBuilder& builder,
                                          const std::vector<std::string>& splits) {
  std::vector<record::Table> tables;
  if (run.splits.train.empty()) return tables;
  for (const Target& target : run.schema.targets) {
    if (is_ranked(target)) tables.push_back(table_of(run, target, builder, splits));
  }
  return tables;
}

}  // namespace floydnet::graphs
