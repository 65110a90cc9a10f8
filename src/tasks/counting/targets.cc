#include "tasks/counting/targets.h"

#include <fmt/format.h>

#include <sstream>

#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet::counting {
namespace {

using torch::Tensor;

/// [items, patterns] of the columns' vectors.
Tensor columns_of(const CountTable& table, const std::vector<int64_t> CountColumn::*field) {
  std::vector<Tensor> columns;
  for (const CountColumn& column : table.columns) {
    columns.push_back(torch::tensor(column.*field, torch::kInt64).to(torch::kFloat64));
  }
  return torch::stack(columns, 1);
}

}  // namespace

const char* text(Level level) {
  constexpr const char* kTexts[] = {"graph", "node", "edge"};
  return kTexts[level];
}

std::array<bool, kLevels> parse_levels(const std::string& levels) {
  std::array<bool, kLevels> chosen{};
  std::istringstream words(levels);
  for (std::string word; std::getline(words, word, ',');) {
    int level = 0;
    while (level < kLevels && word != text(static_cast<Level>(level))) ++level;
    if (level == kLevels || chosen[level]) {
      throw InputError::in(
          "levels", fmt::format("{}: wanted graph, node and edge, each once", in_quotes(levels)));
    }
    chosen[level] = true;
  }
  if (levels.empty()) throw InputError::in("levels", "none is given; wanted graph, node or edge");
  return chosen;
}

Targets make_targets(const CountTable& table, const std::vector<Graph>& graphs) {
  std::vector<int64_t> edges;
  std::vector<double> node_weights, edge_weights;
  int64_t offset = 0;
  for (const Graph& graph : graphs) {
    const std::vector<uint8_t> adjacency = graph.adjacency();
    node_weights.insert(node_weights.end(), graph.nodes(),
                        1.0 / static_cast<double>(graph.nodes()));
    const size_t before = edges.size();
    for (size_t pair = 0; pair < adjacency.size(); ++pair) {
      if (adjacency[pair] != 0) edges.push_back(offset + static_cast<int64_t>(pair));
    }
    const size_t own = edges.size() - before;
    edge_weights.insert(edge_weights.end(), own,
                        1.0 / static_cast<double>(std::max<size_t>(own, 1)));
    offset += graph.nodes() * graph.nodes();
  }
  Targets targets;
  targets.edges = torch::tensor(edges, torch::kInt64);
  targets.counts = {columns_of(table, &CountColumn::graphs), columns_of(table, &CountColumn::nodes),
                    columns_of(table, &CountColumn::pairs).index_select(0, targets.edges)};
  targets.weights = {torch::ones({static_cast<int64_t>(graphs.size())}, torch::kFloat64),
                     torch::tensor(node_weights, torch::kFloat64),
                     torch::tensor(edge_weights, torch::kFloat64)};
  return targets;
}

TargetScale scale_of(const Targets& targets) {
  TargetScale scale;
  for (int level = 0; level < kLevels; ++level) {
    scale.mean[level] = targets.counts[level].mean(0);
    const Tensor deviation = targets.counts[level].std(0, /*unbiased=*/false);
    scale.deviation[level] = torch::where(deviation > 0, deviation, torch::ones_like(deviation));
  }
  return scale;
}

}  // namespace floydnet::counting
