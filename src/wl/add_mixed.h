// The inner loop of a round.
#pragma once

#include <array>
#include <cstdint>

#include "floydnet/wl.h"

namespace floydnet::wl {

/// Rows of colours for one prefix and pivot, one for each role below k-1.
using Operands = std::array<const uint32_t*, kMaxOrder - 1>;

/// low[i], high[i] += F(operands[0][i], ..., own), the hash of the k colours that one pivot gives
/// to the i-th tuple.
using AddMixed = void (*)(const Operands& operands, uint32_t own, int64_t count, uint64_t* low,
                          uint64_t* high);

/// For k = `order` and the CPU's best instruction set.
AddMixed best_add_mixed(int order);

}  // namespace floydnet::wl
