#include "tasks/graphs/page/judged_entries.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace floydnet::graphs {
namespace {

/// What is not a number counts as the worst there is.
double or_infinite(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

JudgedGraph judged_graph(const Predicted& p, size_t graph) {
  JudgedGraph judged;
  judged.graph = graph;
  judged.worst.badness = -1;
  for_each_judged(p, graph, [&judged](const JudgedEntry& entry) {
    ++judged.entries;
    if (entry.error > 0) ++judged.wrong;
    judged.mean_error += entry.error;
    judged.mean_badness += entry.badness;
    if (entry.badness > judged.worst.badness) judged.worst = entry;
  });
  if (judged.entries > 0) {
    judged.mean_error /= static_cast<double>(judged.entries);
    judged.mean_badness /= static_cast<double>(judged.entries);
  }
  return judged;
}

}  // namespace

double probability_of_yes(double logit) { return 1 / (1 + std::exp(-logit)); }

JudgedEntry judged_entry(const Predicted& p, size_t graph, int64_t row, int64_t column) {
  const Target& target = *p.target;
  const auto at = static_cast<size_t>((p.first_row[graph] + row) * target.width + column);
  JudgedEntry entry;
  entry.graph = graph;
  entry.row = row;
  entry.column = column;
  entry.label = p.labels[at];
  entry.said = p.values[at];
  if (target.kind == TargetKind::kRegression) {
    entry.error = or_infinite(std::fabs(entry.said - entry.label));
    entry.badness = entry.error / target.scale.deviation[static_cast<size_t>(column)];
    return entry;
  }
  if (target.kind == TargetKind::kBinary) {
    const double yes = probability_of_yes(p.values[at]);
    entry.said = p.values[at] > 0 ? 1 : 0;
    entry.probability = p.values[at] > 0 ? yes : 1 - yes;
  } else {
    entry.probability = p.confidences[at];
  }
  entry.error = entry.said == entry.label ? 0 : 1;
  entry.badness = or_infinite(entry.error > 0 ? 1 + entry.probability : 1 - entry.probability);
  return entry;
}

std::vector<JudgedGraph> worst_graphs(const Predicted& p, size_t most) {
  const bool numbers = p.target->kind == TargetKind::kRegression;
  std::vector<JudgedGraph> graphs;
  for (size_t g = 0; g + 1 < p.first_row.size(); ++g) {
    const JudgedGraph judged = judged_graph(p, g);
    if (judged.entries > 0 && (numbers || judged.wrong > 0)) graphs.push_back(judged);
  }
  const bool by_worst = p.target->level == Level::kGraph;
  std::stable_sort(
      graphs.begin(), graphs.end(), [by_worst](const JudgedGraph& a, const JudgedGraph& b) {
        return by_worst ? a.worst.badness > b.worst.badness : a.mean_badness > b.mean_badness;
      });
  graphs.resize(std::min(graphs.size(), most));
  return graphs;
}

Graph::Edge ends_of(const GraphSet& set, const Predicted& p, size_t graph, int64_t row) {
  const auto place = static_cast<size_t>(p.graphs[graph]);
  if (p.target->level == Level::kEdge) {
    return set.edges[static_cast<size_t>(set.edge_offsets[place] + row)];
  }
  if (set.pairs_listed && !p.all_pairs) {
    return set.pairs[static_cast<size_t>(set.pair_offsets[place] + row)];
  }
  const int64_t n = p.sizes[graph];
  return {static_cast<int32_t>(row / n), static_cast<int32_t>(row % n)};
}

}  // namespace floydnet::graphs
