// Models and graphs with a bit of everything, for tests.
#pragma once

#include <torch/types.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "floydnet/model.h"

namespace floydnet {

/// Node, pair and graph features of both kinds, and all outputs that the order allows.
inline ModelConfig rich_config(int64_t order) {
  ModelConfig config;
  config.order = order;
  config.dim = 6;
  config.heads = 2;
  config.depth = 2;
  config.qk_norm = true;
  config.linear_bias = true;
  config.zero_residual = false;
  config.node_categories = {3, 2};
  config.node_reals = 1;
  config.pair_categories = {4};
  config.pair_reals = 2;
  config.graph_categories = {2};
  config.graph_reals = 1;
  config.pair_directions = PairDirections::kBoth;
  config.supernode = true;
  config.graph_outputs = 2;
  config.node_outputs = 3;
  config.pair_outputs = order > 1 ? 2 : 0;
  config.head_layers = 2;
  return config;
}

/// In float64 and evaluation mode; every parameter random, those that start at zero or one, too.
inline FloydNet random_model(const ModelConfig& config, uint64_t seed) {
  torch::manual_seed(seed);
  FloydNet model(config);
  model->to(torch::kFloat64);
  model->eval();
  torch::NoGradGuard no_grad;
  for (auto& parameter : model->parameters()) parameter.add_(torch::randn_like(parameter), 0.3);
  return model;
}

inline FeatureTable random_features(int64_t rows, const std::vector<int64_t>& categories,
                                    int64_t reals, std::mt19937_64& random) {
  FeatureTable table(rows, static_cast<int64_t>(categories.size()), reals);
  std::normal_distribution<double> normal;
  for (int64_t row = 0; row < rows; ++row) {
    for (size_t c = 0; c < categories.size(); ++c) {
      table.category(row, static_cast<int64_t>(c)) =
          static_cast<int64_t>(random() % static_cast<uint64_t>(categories[c]));
    }
    for (int64_t c = 0; c < reals; ++c) table.real(row, c) = normal(random);
  }
  return table;
}

/// With the features that rich_config wants.
inline Graph random_graph(int64_t n, bool directed, std::mt19937_64& random) {
  Graph graph(n, directed);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = directed ? 0 : i; j < n; ++j) {
      if (random() % 2 == 0) graph.add_edge(i, j);
    }
  }
  graph.node_features = random_features(n, {3, 2}, 1, random);
  graph.edge_features = random_features(static_cast<int64_t>(graph.edges().size()), {4}, 2, random);
  graph.graph_features = random_features(1, {2}, 1, random);
  return graph;
}

inline std::vector<int64_t> random_names(int64_t n, std::mt19937_64& random) {
  std::vector<int64_t> names(n);
  std::iota(names.begin(), names.end(), 0);
  std::shuffle(names.begin(), names.end(), random);
  return names;
}

}  // namespace floydnet
