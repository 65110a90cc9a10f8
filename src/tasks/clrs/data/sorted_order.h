// NumPy's argsort for keys without ties.
#pragma once

#include <algorithm>

#include "tasks/clrs/data/problem.h"

namespace floydnet::clrs {

/// Indices by ascending key; equal keys, which random reals do not have, by index.
inline Nodes sorted_order(const Reals& keys) {
  Nodes order = identity(static_cast<int64_t>(keys.size()));
  std::stable_sort(order.begin(), order.end(),
                   [&keys](int64_t a, int64_t b) { return keys[a] < keys[b]; });
  return order;
}

/// By descending key.
inline Nodes descending_order(Reals keys) {
  for (double& key : keys) key = -key;
  return sorted_order(keys);
}

}  // namespace floydnet::clrs
