// What a model said, beside the labels.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/graphs/schema/schema.h"

namespace floydnet::graphs {

/// What a model said about the rows of a target in some graphs.
struct Predicted {
  const Target* target = nullptr;
  std::vector<int64_t> sizes;      // of each graph
  std::vector<int64_t> first_row;  // of each graph, and at last the end
  std::vector<float> labels;       // [rows, width]; NaN where there is none
  std::vector<float> values;       // [rows, width]: numbers, logits of yes, or classes
  /// [rows, width], of classes alone: the probability of the class.
  std::vector<float> confidences = {};
  std::vector<int64_t> graphs = {};  // the place of each in its set
  /// Rows of pairs are all n * n pairs of a graph, also where its set lists some.
  bool all_pairs = false;
};

}  // namespace floydnet::graphs
