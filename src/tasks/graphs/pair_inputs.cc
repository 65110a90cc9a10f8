// What InputBuilder knows of edges and pairs.
#include <torch/torch.h>

#include <algorithm>

#include "tasks/graphs/input_packing.h"

namespace floydnet::graphs {
namespace {

/// Copies features of edges and pairs, of which there is a row for each pair of a batch.
class PairFeatures {
 public:
  PairFeatures(const Schema& schema, const GraphSet& set) {
    for (const Level level : {Level::kEdge, Level::kPair}) {
      for (const Feature& feature : schema.features) {
        if (feature.level != level) continue;
        int64_t& column = feature.real ? widths_.reals : widths_.categories;
        const bool shifted = level == Level::kPair && schema.pairs_listed;  // 0: not listed
        (level == Level::kEdge ? edges_ : pairs_)
            .emplace_back(feature, *set.find(level, feature.name), shifted ? 1 : 0, column);
        column += feature.width;
      }
    }
  }

  /// Columns that they take.
  const Widths& widths() const { return widths_; }
  bool has_pairs() const { return !pairs_.empty(); }

  void copy(Level level, int64_t from, int64_t to, InputTable<int64_t>& categories,
            InputTable<float>& reals) const {
    for (const FeatureRow& row : level == Level::kEdge ? edges_ : pairs_) {
      row.copy(from, to, categories, reals);
    }
  }

 private:
  Widths widths_;
  std::vector<FeatureRow> edges_, pairs_;
};

}  // namespace

using torch::Tensor;

/// What is known of pairs from the structure of their graph, in columns from `at` on.
void InputBuilder::fill_structure(const Packing& packing, int64_t category_at, int64_t real_at,
                                  InputTable<int64_t>& categories, InputTable<float>& reals) const {
  const int64_t walks = structure_.walks;
  const int64_t rings_at = category_at + (structure_.distances > 0 ? 1 : 0);
  for (size_t g = 0; g < packing.graphs.size(); ++g) {
    const GraphStructure& known = packing.structures[g];
    const int64_t n = packing.sizes[g], first = packing.first_pair[g];
    for (size_t i = 0; i < known.distances.size(); ++i) {
      *categories.row(first + static_cast<int64_t>(i), category_at) =
          static_cast<int64_t>(known.distances[i]);
    }
    for (int64_t i = 0; walks > 0 && i < n * n; ++i) {
      std::copy_n(known.walks.data() + i * walks, walks, reals.row(first + i, real_at));
    }
    const int64_t first_edge = first_row(Level::kEdge, packing.graphs[g]);
    for (size_t e = 0; e < known.edge_rings.size(); ++e) {
      const auto [u, v] = set_.edges[static_cast<size_t>(first_edge) + e];
      const auto ring = static_cast<int64_t>(known.edge_rings[e]);
      *categories.row(first + u * n + v, rings_at) = ring;
      *categories.row(first + v * n + u, rings_at) = ring;
    }
  }
}

void InputBuilder::fill_pairs(const Packing& packing, GraphBatch* batch) const {
  const PairFeatures features(schema_, set_);
  const int64_t known = (structure_.distances > 0 ? 1 : 0) + (structure_.rings ? 1 : 0);
  InputTable<int64_t> adjacency(packing.pairs, 1);
  InputTable<int64_t> categories(packing.pairs, features.widths().categories + known);
  InputTable<float> reals(packing.pairs, features.widths().reals + structure_.walks);
  for (size_t g = 0; g < packing.graphs.size(); ++g) {
    const int64_t graph = packing.graphs[g], n = packing.sizes[g], first = packing.first_pair[g];
    for (int64_t e = first_row(Level::kEdge, graph); e < last_row(Level::kEdge, graph); ++e) {
      const auto [u, v] = set_.edges[static_cast<size_t>(e)];
      for (const int64_t to : {first + u * n + v, first + v * n + u}) {
        *adjacency.row(to, 0) = 1;
        features.copy(Level::kEdge, e, to, categories, reals);
        if (set_.directed) break;
      }
    }
    const int64_t begin = first_row(Level::kPair, graph), end = last_row(Level::kPair, graph);
    for (int64_t row = begin; features.has_pairs() && row < end; ++row) {
      int64_t to = first + row - begin;
      if (set_.pairs_listed) {
        const auto [u, v] = set_.pairs[static_cast<size_t>(row)];
        to = first + u * n + v;
      }
      features.copy(Level::kPair, row, to, categories, reals);
    }
  }
  fill_structure(packing, features.widths().categories, features.widths().reals, categories, reals);
  batch->adjacency = adjacency.tensor.view({-1});
  batch->pair_categories = categories.tensor;
  batch->pair_reals = reals.tensor;
}

void InputBuilder::fill_edges(const Packing& packing, GraphInputs* inputs) const {
  std::vector<int64_t> from, to, source;
  for (size_t g = 0; g < packing.graphs.size(); ++g) {
    const int64_t graph = packing.graphs[g];
    const int64_t first = packing.first_node[g] + (supernode_ ? static_cast<int64_t>(g) : 0);
    for (int64_t e = first_row(Level::kEdge, graph); e < last_row(Level::kEdge, graph); ++e) {
      const auto [u, v] = set_.edges[static_cast<size_t>(e)];
      from.push_back(first + u);
      to.push_back(first + v);
      source.push_back(e);
      if (set_.directed || u == v) continue;
      from.push_back(first + v);
      to.push_back(first + u);
      source.push_back(e);
    }
  }
  const Widths widths = widths_of(schema_, Level::kEdge);
  InputTable<int64_t> categories(static_cast<int64_t>(source.size()), widths.categories);
  InputTable<float> reals(static_cast<int64_t>(source.size()), widths.reals);
  Widths at;
  for (const Feature& feature : schema_.features) {
    if (feature.level != Level::kEdge) continue;
    int64_t& column = feature.real ? at.reals : at.categories;
    const FeatureRow row(feature, *set_.find(Level::kEdge, feature.name), 0, column);
    for (size_t i = 0; i < source.size(); ++i) {
      row.copy(source[i], static_cast<int64_t>(i), categories, reals);
    }
    column += feature.width;
  }
  inputs->from = torch::tensor(from, torch::kInt64);
  inputs->to = torch::tensor(to, torch::kInt64);
  inputs->edge_categories = categories.tensor;
  inputs->edge_reals = reals.tensor;
}

/// Undefined if all pairs are wanted, and nothing else.
Tensor InputBuilder::wanted_pairs(const Packing& packing, bool listed, GraphInputs* inputs) const {
  const bool edges = outputs_of(schema_, Level::kEdge) > 0;
  const bool pairs = outputs_of(schema_, Level::kPair) > 0;
  if (!edges && (!pairs || !listed)) return {};
  std::vector<int64_t> wanted, backwards;
  for (size_t g = 0; edges && g < packing.graphs.size(); ++g) {
    const int64_t graph = packing.graphs[g], n = packing.sizes[g], first = packing.first_pair[g];
    for (int64_t e = first_row(Level::kEdge, graph); e < last_row(Level::kEdge, graph); ++e) {
      const auto [u, v] = set_.edges[static_cast<size_t>(e)];
      wanted.push_back(first + u * n + v);
      if (!set_.directed) backwards.push_back(first + v * n + u);
    }
  }
  inputs->wanted_edges = static_cast<int64_t>(wanted.size());
  wanted.insert(wanted.end(), backwards.begin(), backwards.end());
  for (size_t g = 0; pairs && g < packing.graphs.size(); ++g) {
    const int64_t graph = packing.graphs[g], n = packing.sizes[g], first = packing.first_pair[g];
    if (!listed) {
      for (int64_t i = 0; i < n * n; ++i) wanted.push_back(first + i);
      continue;
    }
    for (int64_t p = first_row(Level::kPair, graph); p < last_row(Level::kPair, graph); ++p) {
      const auto [u, v] = set_.pairs[static_cast<size_t>(p)];
      wanted.push_back(first + u * n + v);
    }
  }
  return torch::tensor(wanted, torch::kInt64);
}

}  // namespace floydnet::graphs
