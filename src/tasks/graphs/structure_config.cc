#include "tasks/graphs/structure_config.h"

namespace floydnet::graphs {

OptionTable StructureConfig::table() {
  OptionTable t;
  t.integer("distances", &distances, {0, 1000},
            "lengths of shortest paths that are told apart; 0: none are given");
  t.integer("walks", &walks, {0, 1000},
            "steps of the random walk whose probabilities are given, for all pairs");
  t.boolean("rings", &rings, "whether nodes and edges are in small rings");
  return t;
}

}  // namespace floydnet::graphs
