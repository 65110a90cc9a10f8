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

Tensor FeatureMapImpl::add_lookups(const Tensor& categories, const Tensor& reals, int64_t rows,
                                   const Tensor& chosen, const char* what,
                                   std::vector<Lookup>* lookups) {
  require_columns(categories, rows, static_cast<int64_t>(embeddings_.size()), what, "categories");
  for (size_t i = 0; i < embeddings_.size(); ++i) {
    const int64_t count = embeddings_[i]->options.num_embeddings();
    Tensor column = categories.select(1, static_cast<int64_t>(i));
    require_range(column, count, i, what);
    if (chosen.defined()) {
      column = torch::cat({column, torch::full({1}, count, torch::kInt64)}).index_select(0, chosen);
    }
    lookups->push_back({embeddings_[i]->weight, column});
  }
  if (!linear_) return {};
  require_columns(reals, rows, linear_->options.in_features(), what, "reals");
  const Tensor table = linear_(reals.to(linear_->weight.scalar_type()));
  if (!chosen.defined()) return table;
  lookups->push_back({table, chosen});
  return {};
}

Tensor FeatureMapImpl::forward(const Tensor& categories, const Tensor& reals, int64_t rows,
                               const char* what) {
  std::vector<Lookup> lookups;
  const Tensor of_reals = add_lookups(categories, reals, rows, {}, what, &lookups);
  if (lookups.empty()) return of_reals;
  return of_reals.defined() ? gathered_sum(lookups) + of_reals : gathered_sum(lookups);
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

void InitImpl::add_nodes(const GraphBatch& batch, const TupleIndex& index,
                         std::vector<Lookup>* lookups) {
  for (size_t a = 0; a < nodes_.size(); ++a) {
    const Tensor table =
        nodes_[a]->forward(batch.node_categories, batch.node_reals, index.node_count(), "node");
    Tensor rows = index.node(static_cast<int>(a));
    if (config_.node_placement == NodePlacement::kSuperNodePairs) {
      const int64_t others = ((int64_t{1} << config_.order) - 1) ^ (int64_t{1} << a);
      rows = rows.masked_fill((index.supernode_bits() & others) != others, index.node_count());
    }
    lookups->push_back({table, rows});
  }
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

/// What stands in a row of its own for each tuple is the result, undefined if nothing does.
Tensor InitImpl::add_pairs(const GraphBatch& batch, const TupleIndex& index,
                           std::vector<Lookup>* lookups) {
  if (pairs_.empty()) return {};
  const Tensor categories = pair_categories(batch, index.pair_count());
  Tensor sum;
  for (const PairMap& pair : pairs_) {
    const bool is_already_packed = config_.order == 2 && !config_.supernode && pair.a < pair.b;
    const Tensor own = pair.map->add_lookups(
        categories, batch.pair_reals, index.pair_count(),
        is_already_packed ? Tensor() : index.pair(pair.a, pair.b), "pair", lookups);
    if (own.defined()) sum = own;  // at most one pair of coordinates is packed
  }
  return sum;
}

void InitImpl::add_equalities(const TupleIndex& index, std::vector<Lookup>* lookups) {
  int64_t row = 0;
  for (int a = 0; a < config_.order; ++a) {
    for (int b = a + 1; b < config_.order; ++b, ++row) {
      const Tensor unequal = index.equal(a, b).logical_not();
      lookups->push_back({equality_.narrow(0, row, 1), unequal.to(torch::kInt64)});
    }
  }
}

Tensor InitImpl::forward(const GraphBatch& batch, const TupleIndex& index) {
  std::vector<Lookup> lookups = {
      {bias_.unsqueeze(0), torch::zeros({index.layout().rows()}, torch::kInt64)}};
  add_nodes(batch, index, &lookups);
  const Tensor of_pairs = add_pairs(batch, index, &lookups);
  if (graph_) {
    lookups.push_back({graph_->forward(batch.graph_categories, batch.graph_reals,
                                       static_cast<int64_t>(batch.sizes.size()), "graph"),
                       index.graph()});
  }
  if (equality_.defined()) add_equalities(index, &lookups);
  if (supernode_.defined()) lookups.push_back({supernode_, index.supernode_bits()});
  Tensor sum = gathered_sum(lookups);
  if (of_pairs.defined()) sum = sum + of_pairs;
  return mlp_ ? mlp_->forward(activate(sum, config_.activation)) : sum;
}

}  // namespace floydnet
