#include "tasks/graphs/metrics/size_groups.h"

#include <algorithm>
#include <numeric>

namespace floydnet::graphs {

std::vector<SizeGroup> size_groups(const std::vector<int64_t>& sizes, size_t groups) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&sizes](size_t a, size_t b) { return sizes[a] < sizes[b]; });
  const size_t wanted = (order.size() + groups - 1) / groups;
  std::vector<SizeGroup> found;
  for (size_t first = 0; first < order.size();) {
    size_t last = std::min(first + wanted, order.size());
    while (last < order.size() && sizes[order[last]] == sizes[order[last - 1]]) ++last;
    found.push_back({sizes[order[first]],
                     sizes[order[last - 1]],
                     {order.begin() + static_cast<std::ptrdiff_t>(first),
                      order.begin() + static_cast<std::ptrdiff_t>(last)}});
    first = last;
  }
  return found;
}

}  // namespace floydnet::graphs
