#include "tasks/graphs/inputs.h"

#include <algorithm>

#include "tasks/graphs/graph_structure.h"

namespace floydnet::graphs {
namespace {

using torch::Tensor;

/// Columns of integers and of reals that features of a level have.
struct Widths {
  int64_t categories = 0;
  int64_t reals = 0;
};

Widths widths_of(const Schema& schema, Level level) {
  Widths widths;
  for (const Feature& feature : schema.features) {
    if (feature.level == level) (feature.real ? widths.reals : widths.categories) += feature.width;
  }
  return widths;
}

void append_categories(const Schema& schema, Level level, int64_t more, std::vector<int64_t>* to) {
  for (const Feature& feature : schema.features) {
    if (feature.level != level) continue;
    for (const int64_t categories : feature.categories) to->push_back(categories + more);
  }
}

int64_t outputs_of(const Schema& schema, Level level) {
  int64_t outputs = 0;
  for (const Target& target : schema.targets) {
    if (target.level == level) outputs += target.outputs();
  }
  return outputs;
}

/// Where a column's features go: its table's columns from `at` on.
class FeatureRow {
 public:
  FeatureRow(const Feature& feature, const Column& column, int64_t more, int64_t at)
      : feature_(feature), column_(column), more_(more), at_(at) {}

  void copy(int64_t from, int64_t to, InputTable<int64_t>& categories,
            InputTable<float>& reals) const {
    const int64_t width = feature_.width;
    if (!feature_.real) {
      const int64_t* source = column_.integers.data() + from * width;
      int64_t* out = categories.row(to, at_);
      for (int64_t i = 0; i < width; ++i) out[i] = source[i] + more_;
      return;
    }
    const float* source = column_.reals.data() + from * width;
    float* out = reals.row(to, at_);
    for (int64_t i = 0; i < width; ++i) {
      const auto c = static_cast<size_t>(i);
      out[i] =
          static_cast<float>((source[i] - feature_.scale.mean[c]) / feature_.scale.deviation[c]);
    }
  }

 private:
  const Feature& feature_;
  const Column& column_;
  int64_t more_, at_;
};

}  // namespace

/// Where each graph's nodes and pairs stand in a batch.
struct InputBuilder::Packing {
  const std::vector<int64_t>& graphs;
  std::vector<GraphStructure> structures;
  std::vector<int64_t> sizes, first_node, first_pair;
  int64_t nodes = 0, pairs = 0;

  Packing(const std::vector<int64_t>& chosen, const GraphSet& set, const StructureConfig& structure)
      : graphs(chosen) {
    for (const int64_t graph : chosen) {
      structures.push_back(structure_of(set, graph, structure));
      const int64_t n = set.sizes[static_cast<size_t>(graph)];
      sizes.push_back(n);
      first_node.push_back(nodes);
      first_pair.push_back(pairs);
      nodes += n;
      pairs += n * n;
    }
  }
};

InputBuilder::InputBuilder(const Schema& schema, const StructureConfig& structure, int64_t order,
                           bool supernode, const GraphSet& set)
    : schema_(schema),
      structure_(structure),
      order_(order),
      supernode_(supernode),
      set_(set),
      node_offsets_(set.row_offsets(Level::kNode)),
      pair_offsets_(set.row_offsets(Level::kPair)) {
  if (order == 1) structure_.distances = 0;  // of which single nodes have none
}

void InputBuilder::configure(const Schema& schema, const StructureConfig& structure,
                             ModelConfig* config) {
  config->node_categories.clear();
  config->graph_categories.clear();
  config->pair_categories.clear();
  append_categories(schema, Level::kNode, 0, &config->node_categories);
  append_categories(schema, Level::kGraph, 0, &config->graph_categories);
  config->node_reals = widths_of(schema, Level::kNode).reals;
  config->graph_reals = widths_of(schema, Level::kGraph).reals;
  config->pair_reals = 0;
  config->adjacency = config->order > 1;
  if (structure.rings) config->node_categories.push_back(kRingSizes);
  if (config->order == 1) {
    config->node_reals += structure.walks;
  } else {
    append_categories(schema, Level::kEdge, 0, &config->pair_categories);
    append_categories(schema, Level::kPair, schema.pairs_listed ? 1 : 0, &config->pair_categories);
    config->pair_reals = widths_of(schema, Level::kEdge).reals +
                         widths_of(schema, Level::kPair).reals + structure.walks;
    if (structure.distances > 0) config->pair_categories.push_back(structure.distances + 2);
    if (structure.rings) config->pair_categories.push_back(kRingSizes);
  }
  if (schema.directed && config->pair_directions == PairDirections::kAuto) {
    config->pair_directions = PairDirections::kBoth;
  }
  config->graph_outputs = outputs_of(schema, Level::kGraph);
  config->node_outputs = outputs_of(schema, Level::kNode);
  config->pair_outputs = outputs_of(schema, Level::kEdge) + outputs_of(schema, Level::kPair);
}

int64_t InputBuilder::first_row(Level level, int64_t graph) const {
  const auto g = static_cast<size_t>(graph);
  switch (level) {
    case Level::kGraph:
      return graph;
    case Level::kNode:
      return node_offsets_[g];
    case Level::kEdge:
      return set_.edge_offsets[g];
    case Level::kPair:
      break;
  }
  return pair_offsets_[g];
}

/// Features of graphs or nodes, whose rows stand one after another.
void InputBuilder::fill_rows(const Packing& packing, Level level, const std::vector<int64_t>& first,
                             Tensor* categories, Tensor* reals) const {
  Widths widths = widths_of(schema_, level);
  const Widths own = widths;
  if (level == Level::kNode) {
    widths.categories += structure_.rings ? 1 : 0;
    widths.reals += order_ == 1 ? structure_.walks : 0;
  }
  const int64_t rows =
      level == Level::kGraph ? static_cast<int64_t>(packing.graphs.size()) : packing.nodes;
  InputTable<int64_t> category_table(rows, widths.categories);
  InputTable<float> real_table(rows, widths.reals);
  Widths at;
  for (const Feature& feature : schema_.features) {
    if (feature.level != level) continue;
    int64_t& column = feature.real ? at.reals : at.categories;
    const FeatureRow row(feature, *set_.find(level, feature.name), 0, column);
    for (size_t g = 0; g < packing.graphs.size(); ++g) {
      const int64_t source = first_row(level, packing.graphs[g]);
      const int64_t count = last_row(level, packing.graphs[g]) - source;
      for (int64_t i = 0; i < count; ++i) {
        row.copy(source + i, first[g] + i, category_table, real_table);
      }
    }
    column += feature.width;
  }
  for (size_t g = 0; level == Level::kNode && g < packing.graphs.size(); ++g) {
    const GraphStructure& known = packing.structures[g];
    const int64_t n = packing.sizes[g], walks = structure_.walks;
    for (int64_t v = 0; v < n; ++v) {
      if (structure_.rings) {
        *category_table.row(first[g] + v, own.categories) =
            static_cast<int64_t>(known.node_rings[static_cast<size_t>(v)]);
      }
      if (order_ > 1 || walks == 0) continue;
      const float* returns = known.walks.data() + (v * n + v) * walks;
      std::copy_n(returns, walks, real_table.row(first[g] + v, own.reals));
    }
  }
  *categories = category_table.tensor;
  *reals = real_table.tensor;
}

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
  batch->adjacency = torch::zeros({packing.pairs}, torch::kInt64);
  int64_t* adjacency = batch->adjacency.data_ptr<int64_t>();
  const Widths of_edges = widths_of(schema_, Level::kEdge);
  const Widths of_pairs = widths_of(schema_, Level::kPair);
  const int64_t known = (structure_.distances > 0 ? 1 : 0) + (structure_.rings ? 1 : 0);
  InputTable<int64_t> categories(packing.pairs, of_edges.categories + of_pairs.categories + known);
  InputTable<float> reals(packing.pairs, of_edges.reals + of_pairs.reals + structure_.walks);
  Widths at;
  std::vector<FeatureRow> edge_rows, pair_rows;
  for (const Level level : {Level::kEdge, Level::kPair}) {
    for (const Feature& feature : schema_.features) {
      if (feature.level != level) continue;
      int64_t& column = feature.real ? at.reals : at.categories;
      const bool shifted = level == Level::kPair && schema_.pairs_listed;  // 0: not listed
      (level == Level::kEdge ? edge_rows : pair_rows)
          .emplace_back(feature, *set_.find(level, feature.name), shifted ? 1 : 0, column);
      column += feature.width;
    }
  }
  const auto copy_all = [&](const std::vector<FeatureRow>& rows, int64_t from, int64_t to) {
    for (const FeatureRow& row : rows) row.copy(from, to, categories, reals);
  };
  for (size_t g = 0; g < packing.graphs.size(); ++g) {
    const int64_t graph = packing.graphs[g], n = packing.sizes[g], first = packing.first_pair[g];
    for (int64_t e = first_row(Level::kEdge, graph); e < last_row(Level::kEdge, graph); ++e) {
      const auto [u, v] = set_.edges[static_cast<size_t>(e)];
      adjacency[first + u * n + v] = 1;
      copy_all(edge_rows, e, first + u * n + v);
      if (set_.directed || u == v) continue;
      adjacency[first + v * n + u] = 1;
      copy_all(edge_rows, e, first + v * n + u);
    }
    if (pair_rows.empty()) continue;
    const int64_t begin = first_row(Level::kPair, graph), end = last_row(Level::kPair, graph);
    for (int64_t row = begin; row < end; ++row) {
      int64_t to = first + row - begin;
      if (set_.pairs_listed) {
        const auto [u, v] = set_.pairs[static_cast<size_t>(row)];
        to = first + u * n + v;
      }
      copy_all(pair_rows, row, to);
    }
  }
  if (known > 0 || structure_.walks > 0) {
    fill_structure(packing, at.categories, at.reals, categories, reals);
  }
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

GraphInputs InputBuilder::make(const std::vector<int64_t>& graphs, bool all_pairs) const {
  const Packing packing(graphs, set_, structure_);
  GraphInputs inputs;
  GraphBatch& batch = inputs.batch;
  batch.sizes = packing.sizes;
  std::vector<int64_t> places;
  for (size_t g = 0; g < graphs.size(); ++g) places.push_back(static_cast<int64_t>(g));
  fill_rows(packing, Level::kGraph, places, &batch.graph_categories, &batch.graph_reals);
  fill_rows(packing, Level::kNode, packing.first_node, &batch.node_categories, &batch.node_reals);
  if (order_ == 1) {
    fill_edges(packing, &inputs);
  } else {
    fill_pairs(packing, &batch);
    batch.wanted_pairs = wanted_pairs(packing, set_.pairs_listed && !all_pairs, &inputs);
  }
  return inputs;
}

}  // namespace floydnet::graphs
