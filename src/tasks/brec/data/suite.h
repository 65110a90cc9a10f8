// Pairs of graphs made in code, whose place in the Weisfeiler-Leman hierarchy is known.
#pragma once

#include <string>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::brec {

struct SuitePair {
  std::string name;
  std::string category;
  Graph a, b;
  int64_t separating_order;  // the least k for which k-FWL tells a from b
};

/// From easy to hard; none is told apart by 1-WL.
std::vector<SuitePair> embedded_suite();

}  // namespace floydnet::brec
