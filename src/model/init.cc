#include "model/init.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/init.h>

#include <stdexcept>

namespace floydnet {
namespace {

using torch::Tensor;

void require_columns(const Tensor& tensor, int64_t rows, int64_t columns, const char* what,
                     const char* kind) {
  if (columns == 0) return;
  if (tensor.defined() && tensor.dim() == 2 && tensor.size(0) == rows &&
      tensor.size(1) == columns) {
    return;
  }
  throw std::invalid_argument(fmt::format(
      "FloydNet: {}_{} is {}, wanted [{}, {}]", what, kind,
      tensor.defined() ? fmt::format("[{}]", fmt::join(tensor.sizes(), ", ")) : "absent", rows,
      columns));
}

void require_range(const Tensor& column, int64_t categories, size_t index, const char* what) {
  if (column.numel() == 0) return;
  const auto [low, high] = column.aminmax();
  const int64_t least = low.item<int64_t>(), most = high.item<int64_t>();
  if (least >= 0 && most < categories) return;
  throw std::invalid_argument(
      fmt::format("FloydNet: column {} of {}_categories has the value {}, wanted 0 to {}", index,
                  what, least < 0 ? least : most, categories - 1));
}

Tensor with_zero_row(const Tensor& table) {
  return torch::cat({table, torch::zeros({1, table.size(1)}, table.options())});
}

/// Pair features that tuples of this order see, as coordinates (a, b).
std::vector<std::pair<int, int>> seen_pairs(const ModelConfig& config) {
  if (config.order == 1) return {{0, 0}};
  const bool both = config.pair_directions == PairDirections::kBoth ||
                    (config.pair_directions == PairDirections::kAuto && config.order > 2);
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < config.order; ++a) {
    for (int b = 0; b < config.order; ++b) {
      if (a < b || (both && a != b)) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

}  // namespace

FeatureMapImpl::FeatureMapImpl(const std::vector<int64_t>& categories, int64_t reals, int64_t dim) {
  for (size_t i = 0; i < categories.size(); ++i) {
    embeddings_.emplace_back(
        register_module(fmt::format("category{}", i), torch::nn::Embedding(categories[i], dim)));
  }
  if (reals > 0) {
    linear_ = register_module("reals",
                              torch::nn::Linear(torch::nn::LinearOptions(reals, dim).bias(false)));
  }
}

Tensor FeatureMapImpl::forward(const Tensor& categories, const Tensor& reals, int64_t rows,
                               const char* what) {
  require_columns(categories, rows, static_cast<int64_t>(embeddings_.size()), what, "categories");
  if (linear_) require_columns(reals, rows, linear_->options.in_features(), what, "reals");
  Tensor sum;
  const auto add = [&sum](const Tensor& term) { sum = sum.defined() ? sum + term : term; };
  for (size_t i = 0; i < embeddings_.size(); ++i) {
    const Tensor column = categories.select(1, static_cast<int64_t>(i));
    require_range(column, embeddings_[i]->options.num_embeddings(), i, what);
    add(embeddings_[i](column));
  }
  if (linear_) add(linear_(reals.to(linear_->weight.scalar_type())));
  return sum;
}

InitImpl::InitImpl(const ModelConfig& config) : config_(config) {
  const int order = static_cast<int>(config.order);
  const int64_t dim = config.dim;
  if (!config.node_categories.empty() || config.node_reals > 0) {
    for (int a = 0; a < order; ++a) {
      nodes_.push_back(register_module(
          fmt::format("node{}", a),
          std::make_shared<FeatureMapImpl>(config.node_categories, config.node_reals, dim)));
    }
  }
  // Whether there is an edge comes first among the categories of a pair.
  std::vector<int64_t> pair_categories = config.pair_categories;
  if (config.adjacency) pair_categories.insert(pair_categories.begin(), 2);
  if (!pair_categories.empty() || config.pair_reals > 0) {
    for (const auto& [a, b] : seen_pairs(config)) {
      const auto map = std::make_shared<FeatureMapImpl>(pair_categories, config.pair_reals, dim);
      pairs_.push_back({a, b, register_module(fmt::format("pair{}{}", a, b), map)});
    }
  }
  if (!config.graph_categories.empty() || config.graph_reals > 0) {
    graph_ = register_module("graph", std::make_shared<FeatureMapImpl>(config.graph_categories,
                                                                       config.graph_reals, dim));
  }
  if (order > 1) {
    equality_ = register_parameter("equality", torch::randn({order * (order - 1) / 2, dim}));
  }
  if (config.supernode) {
    supernode_ = register_parameter("supernode", torch::randn({int64_t{1} << order, dim}));
  }
  bias_ = register_parameter("bias", torch::zeros({dim}));
  if (config.init_layers > 1) {
    mlp_ = register_module("mlp",
                           std::make_shared<MlpImpl>(std::vector<int64_t>(config.init_layers, dim),
                                                     config.activation));
  }
}

Tensor InitImpl::node_terms(const GraphBatch& batch, const TupleIndex& index) {
  Tensor sum;
  for (size_t a = 0; a < nodes_.size(); ++a) {
    const Tensor table = with_zero_row(
        nodes_[a]->forward(batch.node_categories, batch.node_reals, index.node_count(), "node"));
    Tensor rows = index.node(static_cast<int>(a));
    if (config_.node_placement == NodePlacement::kSuperNodePairs) {
      const int64_t others = ((int64_t{1} << config_.order) - 1) ^ (int64_t{1} << a);
      rows = rows.masked_fill((index.supernode_bits() & others) != others, index.node_count());
    }
    const Tensor term = table.index_select(0, rows);
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

/// The categorical pair features that the model looks at: adjacency, if it does, then the batch's.
Tensor InitImpl::pair_categories(const GraphBatch& batch, int64_t pairs) const {
  const auto columns = static_cast<int64_t>(config_.pair_categories.size());
  require_columns(batch.pair_categories, pairs, columns, "pair", "categories");
  if (!config_.adjacency) return batch.pair_categories;
  const Tensor edges = batch.adjacency.defined() ? batch.adjacency.unsqueeze(1) : Tensor();
  require_columns(edges, pairs, 1, "pair", "adjacency");
  return columns == 0 ? edges : torch::cat({edges, batch.pair_categories}, 1);
}

Tensor InitImpl::pair_terms(const GraphBatch& batch, const TupleIndex& index) {
  if (pairs_.empty()) return {};
  const Tensor categories = pair_categories(batch, index.pair_count());
  Tensor sum;
  for (const PairMap& pair : pairs_) {
    Tensor table = pair.map->forward(categories, batch.pair_reals, index.pair_count(), "pair");
    const bool is_already_packed = config_.order == 2 && !config_.supernode && pair.a < pair.b;
    if (!is_already_packed) {
      table = with_zero_row(table).index_select(0, index.pair(pair.a, pair.b));
    }
    sum = sum.defined() ? sum + table : table;
  }
  return sum;
}

Tensor InitImpl::equality_terms(const TupleIndex& index) {
  std::vector<Tensor> indicators;
  for (int a = 0; a < config_.order; ++a) {
    for (int b = a + 1; b < config_.order; ++b) indicators.push_back(index.equal(a, b));
  }
  return torch::stack(indicators, 1).to(equality_.scalar_type()).matmul(equality_);
}

Tensor InitImpl::forward(const GraphBatch& batch, const TupleIndex& index) {
  Tensor sum = bias_.expand({index.layout().rows(), config_.dim});
  const auto add = [&sum](const Tensor& term) {
    if (term.defined()) sum = sum + term;
  };
  add(node_terms(batch, index));
  add(pair_terms(batch, index));
  if (graph_) {
    add(graph_
            ->forward(batch.graph_categories, batch.graph_reals,
                      static_cast<int64_t>(batch.sizes.size()), "graph")
            .index_select(0, index.graph()));
  }
  if (equality_.defined()) add(equality_terms(index));
  if (supernode_.defined()) add(supernode_.index_select(0, index.supernode_bits()));
  return mlp_ ? mlp_->forward(activate(sum, config_.activation)) : sum;
}

}  // namespace floydnet
