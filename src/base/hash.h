// Hashes that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace floydnet {

/// The finaliser of splitmix64: a bijection in which every bit depends on every other.
constexpr uint64_t well_mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}
/// What splitmix64 adds at every step.
constexpr uint64_t kGoldenStep = 0x9e3779b97f4a7c15U;

constexpr uint64_t kFnvStart = 0xcbf29ce484222325U;
/// FNV-1a, 64 bits; `start` is the hash of what came before.
inline uint64_t fnv1a(const void* data, size_t size, uint64_t start = kFnvStart) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  uint64_t hash = start;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3U;
  return hash;
}

}  // namespace floydnet
