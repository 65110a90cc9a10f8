// What Init is told about the structure of graphs, besides their edges.
#pragma once

#include "base/options.h"

namespace floydnet::graphs {

struct StructureConfig {
  int64_t distances = 8;  ///< shortest paths up to this length are told apart; 0: not given
  int64_t walks = 0;      ///< steps of the random walk whose probabilities are given
  bool rings = false;     ///< the smallest rings that nodes and edges are in

  OptionTable table();
};

}  // namespace floydnet::graphs
