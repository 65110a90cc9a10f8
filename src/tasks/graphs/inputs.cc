#include "tasks/graphs/inputs.h"

#include <algorithm>

#include "tasks/graphs/input_packing.h"

namespace floydnet::graphs {
namespace {

using torch::Tensor;

void append_categories(const Schema& schema, Level level, int64_t more, std::vector<int64_t>* to) {
  for (const Feature& feature : schema.features) {
    if (feature.level != level) continue;
    for (const int64_t categories : feature.categories) to->push_back(categories + more);
  }
}

}  // namespace

Widths widths_of(const Schema& schema, Level level) {
  Widths widths;
  for (const Feature& feature : schema.features) {
    if (feature.level == level) (feature.real ? widths.reals : widths.categories) += feature.width;
  }
  return widths;
}

int64_t outputs_of(const Schema& schema, Level level) {
  int64_t outputs = 0;
  for (const Target& target : schema.targets) {
    if (target.level == level) outputs += target.outputs();
  }
  return outputs;
}

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
