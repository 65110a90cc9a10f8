// Which tuples to evaluate, and whether there is memory for it.
#pragma once

#include <vector>

#include "floydnet/wl.h"
#include "wl/space.h"

namespace floydnet::wl {

struct Plan {
  std::vector<TupleSpace> spaces;  // one a graph
  int64_t bytes = 0;
};

/// Throws InputError if the bound on memory is above options.max_bytes.
Plan make_plan(const std::vector<const Graph*>& graphs, const WlOptions& options);

/// Vectors of colours that a round of dense evaluation hashes: n^(k+1).
double dense_work(int64_t nodes, int order);

}  // namespace floydnet::wl
