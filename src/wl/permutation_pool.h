// Permutations stored once each and known by number.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "wl/automorphisms.h"

namespace floydnet::wl {

class PermutationPool {
 public:
  static constexpr uint32_t kIdentity = 0;
  static constexpr int64_t kMaxProducts = 1 << 20;
  static constexpr int64_t kMapEntryBytes = 48;  // with its bucket and what the allocator adds

  explicit PermutationPool(int64_t n);

  /// The number of a permutation, which is added if it is new.
  uint32_t intern(const Permutation& permutation);
  /// The number of x -> after(before(x)). Up to kMaxProducts of them are remembered.
  uint32_t compose(uint32_t after, uint32_t before);

  const uint16_t* images(uint32_t number) const { return images_.data() + size_t{number} * n_; }
  uint16_t image(uint32_t number, int64_t x) const { return images(number)[x]; }
  int64_t size() const { return count_; }
  /// Of storage, roughly: permutations, their index, and products.
  int64_t bytes() const;

 private:
  uint64_t hash(const uint16_t* images) const;

  size_t n_;
  uint32_t count_ = 0;
  std::vector<uint64_t> weights_;                        // [n], of the hash
  std::vector<uint16_t> images_;                         // [count, n]
  std::unordered_multimap<uint64_t, uint32_t> by_hash_;  // to numbers
  std::unordered_map<uint64_t, uint32_t> products_;      // (after, before) to numbers
};

}  // namespace floydnet::wl
