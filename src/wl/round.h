// One step of refinement: from colours to keys.
#pragma once

#include <cstdint>
#include <vector>

#include "wl/mix.h"
#include "wl/space.h"

namespace floydnet::wl {

/// keys[cell] becomes the key of the isomorphism type of the cell's tuple.
void initial_keys(const TupleSpace& space, int order, const std::vector<uint32_t>& atoms,
                  int threads, Key* keys);

/// keys[cell] becomes the key of (colour, multiset over pivots), from rows of colours.
void refined_keys(const TupleSpace& space, int order, const std::vector<uint32_t>& atoms,
                  const uint32_t* rows, int threads, Key* keys);

}  // namespace floydnet::wl
