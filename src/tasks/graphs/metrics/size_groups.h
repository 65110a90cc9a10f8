// Graphs of about the same size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace floydnet::graphs {

struct SizeGroup {
  int64_t smallest = 0, largest = 0;
  std::vector<size_t> graphs;  // places in the list of sizes
};

/// At most so many groups, from small to large, with about as many graphs in each; graphs of one
/// size are together.
std::vector<SizeGroup> size_groups(const std::vector<int64_t>& sizes, size_t groups);

}  // namespace floydnet::graphs
