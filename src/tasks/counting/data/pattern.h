// Patterns as searches go through them; what a pattern is stands in floydnet/counting.h.
#pragma once

#include <cstdint>
#include <vector>

#include "floydnet/counting.h"
#include "floydnet/graph.h"

namespace floydnet::counting {

/// The nodes of `rest` behind those of `first`, each time one with the most neighbours among those
/// before it.
std::vector<int32_t> linked_order(const Graph& pattern, std::vector<int32_t> first,
                                  std::vector<int32_t> rest);
/// For each place of an order the earlier places that hold a neighbour.
std::vector<std::vector<int32_t>> linked_places(const Graph& pattern,
                                                const std::vector<int32_t>& order);

}  // namespace floydnet::counting
