// Where features of graphs go in the tensors of a batch; shared by the files of InputBuilder.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/graphs/graph_structure.h"
#include "tasks/graphs/inputs.h"

namespace floydnet::graphs {

/// Columns of integers and of reals that features of a level have.
struct Widths {
  int64_t categories = 0;
  int64_t reals = 0;
};

Widths widths_of(const Schema& schema, Level level);
/// Outputs of all targets of a level.
int64_t outputs_of(const Schema& schema, Level level);

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

}  // namespace floydnet::graphs
