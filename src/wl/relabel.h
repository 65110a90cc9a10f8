// From 128-bit keys to dense colours.
#pragma once

#include <cstdint>
#include <vector>

#include "wl/mix.h"

namespace floydnet::wl {

/// The most keys that can be numbered at once; one 32-bit number is kept to mark a free slot.
constexpr int64_t kMaxKeys = 0xffffffff;
/// Slots of the table for each key, old and new table of a growth together: see relabel().
constexpr int64_t kRelabelBytesPerKey = 24;

/// colours[i] becomes the number of keys[i], where equal keys get equal numbers and new keys the
/// next number, from 0, in order of appearance. Returns how many there are. Needs at most
/// kRelabelBytesPerKey bytes for each different key.
int64_t relabel(const std::vector<Key>& keys, std::vector<uint32_t>& colours);

}  // namespace floydnet::wl
