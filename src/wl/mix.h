// 128-bit hashing of colours.
//
// A round gives tuple v the colour (c(v), {{ (c(v[0<-p]), ..., c(v[k-1<-p])) : p }}). The multiset
// is hashed, without sorting, as the sum over p of a hash F of the vector of k colours; two lanes
// of 64 bits are summed on their own. Colours are dense 32-bit numbers, so for k <= 4 the vector is
// packed exactly into two words, and F is a fixed mixing of these. If F were random, two different
// multisets would collide with probability 2^-128 times at most N^2 (multiplicities that differ by
// multiples of 2^t lose t bits in each lane): below 2^-110 for N < 500. A run that colours 2^32
// tuples compares fewer than 2^64 pairs, so the chance that it errs is below 2^-46; and an error
// merges colours, it never separates isomorphic graphs.
#pragma once

#include <cstdint>

namespace floydnet::wl {

struct Key {
  uint64_t low = 0;
  uint64_t high = 0;

  bool operator==(const Key& other) const { return low == other.low && high == other.high; }
  Key& operator+=(const Key& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
};

/// Two colours in one word.
inline uint64_t pack(uint32_t first, uint32_t second) { return first | uint64_t{second} << 32; }

/// A bijection of 64-bit words: multiplications carry differences up, shifts bring them down. The
/// constants are those of published finalisers, which pass statistical tests on counters.
template <int kShift1, uint64_t kFactor1, int kShift2, uint64_t kFactor2, int kShift3>
uint64_t avalanche(uint64_t x) {
  x = (x ^ x >> kShift1) * kFactor1;
  x = (x ^ x >> kShift2) * kFactor2;
  return x ^ x >> kShift3;
}

/// The part of F that depends on the second word alone.
inline uint64_t spread(uint64_t second) {
  return avalanche<27, 0x3c79ac492ba7b653, 33, 0x1c69b3f74ac4ae35, 27>(second + 0x9e3779b97f4a7c15);
}

/// F of the words (first, second), given spread(second). The offset keeps small words away from
/// zero, where multiplications and shifts commute with doubling and 2 F(x) = F(0) + F(2x) happens.
/// Words that differ in `first` alone differ in both lanes; others meet in a lane with a chance of
/// 2^-64.
inline Key mix(uint64_t first, uint64_t spread_second) {
  const uint64_t sum = first + spread_second + 0xd6e8feb86659fd93;
  const uint64_t common = (sum ^ sum >> 32) * 0xbea225f9eb34556d;
  const uint64_t turned = spread_second << 32 | spread_second >> 32;
  return {avalanche<29, 0xbf58476d1ce4e5b9, 32, 0x94d049bb133111eb, 29>(common),
          avalanche<31, 0xff51afd7ed558ccd, 28, 0xc4ceb9fe1a85ec53, 33>(common ^ turned)};
}

/// Stand for spread(second) where the first word is enough, one for each use, so that those do not
/// mix alike.
constexpr uint64_t kOfPair = 0x7fb5d329728ea185;
constexpr uint64_t kOfColour = 0x2545f4914f6cdd1d;
constexpr uint64_t kOfGraph = 0x81dadef4bc2dd44d;

/// The key of (colour, multiset).
inline Key with_colour(uint32_t colour, Key multiset) {
  multiset += mix(colour, kOfColour);
  return multiset;
}

}  // namespace floydnet::wl
