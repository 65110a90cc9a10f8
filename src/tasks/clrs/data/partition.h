// An array that remembers where its keys came from, and Lomuto's partition of it, which quicksort
// and quickselect share.
#pragma once

#include <utility>

#include "tasks/clrs/data/problem.h"

namespace floydnet::clrs {

struct SortedArray {
  explicit SortedArray(const Reals& initial)
      : keys(initial), order(identity(static_cast<int64_t>(initial.size()))) {}
  void swap(int64_t a, int64_t b) {
    std::swap(keys[a], keys[b]);
    std::swap(order[a], order[b]);
  }

  Reals keys;
  Nodes order;  // order[slot] is the node whose key stands there
};

/// The nodes that the hints of one step show.
struct PartitionStep {
  int64_t first, last;  // of the range
  int64_t i, j;         // the first of the larger keys, and the key that was looked at
  int64_t pivot;
  int64_t rank;  // slot of the hint i
  bool done;     // the pivot stands in its place
};

/// Partitions the slots first..last around the last key, tells each step, and returns the pivot's
/// slot.
template <typename Push>
int64_t partition(SortedArray& array, int64_t first, int64_t last, const Push& push) {
  const Nodes& order = array.order;
  const double pivot = array.keys[last];
  int64_t i = first;
  for (int64_t j = first; j < last; ++j) {
    if (array.keys[j] <= pivot) array.swap(i++, j);
    push({order[first], order[last], order[i], order[j], order[last], i, false});
  }
  array.swap(i, last);
  push({order[first], order[last], order[i], order[last], order[i], i, true});
  return i;
}

}  // namespace floydnet::clrs
