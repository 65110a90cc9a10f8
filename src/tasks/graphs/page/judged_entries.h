// Predictions of a target judged one by one, and the graphs in which they are worst.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/graphs/data/graph_set.h"
#include "tasks/graphs/metrics/predicted.h"

namespace floydnet::graphs {

/// A prediction that has a label.
struct JudgedEntry {
  size_t graph = 0;    // place in Predicted
  int64_t row = 0;     // within the graph
  int64_t column = 0;  // of the target
  double label = 0;
  double said = 0;         // a number, yes (1) or no (0), or a class
  double probability = 1;  // of what was said; of yes or no and of classes
  double error = 0;        // the difference of numbers, else 1 where they are not the same
  /// By which entries of all columns are compared: the error in deviations of the column; of yes or
  /// no and of classes how sure a wrong one was, plus 1, or how unsure a right one.
  double badness = 0;
};

/// Of an entry [row, column] of all rows; it must have a label.
JudgedEntry judged_entry(const Predicted& p, size_t graph, int64_t row, int64_t column);
/// The probability of yes.
double probability_of_yes(double logit);

/// Calls visit(JudgedEntry) for all labelled entries of a graph.
template <typename Visit>
void for_each_judged(const Predicted& p, size_t graph, const Visit& visit) {
  const int64_t width = p.target->width;
  for (int64_t row = p.first_row[graph]; row < p.first_row[graph + 1]; ++row) {
    for (int64_t column = 0; column < width; ++column) {
      const float label = p.labels[static_cast<size_t>(row * width + column)];
      if (label == label) visit(judged_entry(p, graph, row - p.first_row[graph], column));
    }
  }
}

/// What went wrong in a graph.
struct JudgedGraph {
  size_t graph = 0;  // place in Predicted
  int64_t entries = 0, wrong = 0;
  double mean_error = 0, mean_badness = 0;
  JudgedEntry worst;
};

/// The worst graphs first, at most so many: by the worst entry of targets of graphs, otherwise by
/// the mean badness. Of yes or no and of classes only those in which something is wrong.
std::vector<JudgedGraph> worst_graphs(const Predicted& p, size_t most);

/// The ends of a row of an edge or a pair.
Graph::Edge ends_of(const GraphSet& set, const Predicted& p, size_t graph, int64_t row);

}  // namespace floydnet::graphs
