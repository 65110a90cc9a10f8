// What the reader and the writer of graph6, digraph6 and sparse6 share. The text is a row of
// printable characters, each of which holds six bits, the first bit highest.
#pragma once

#include <cstdint>

namespace floydnet::graph6 {

constexpr int kBitsPerCharacter = 6;
constexpr char kBias = 63;      // a character is its six bits plus this
constexpr char kHighest = 126;  // also: a longer form of the number of nodes follows

constexpr int64_t kMaxShortNodes = 62;       // one character
constexpr int64_t kMaxMediumNodes = 258047;  // kHighest and 18 bits; above, two of them and 36 bits

constexpr char kDigraphMark = '&';
constexpr char kSparseMark = ':';

/// sparse6 writes a node of 0..nodes-1 in this many bits.
inline int sparse_width(int64_t nodes) {
  int width = 0;
  for (int64_t largest = nodes - 1; largest > 0; largest >>= 1) ++width;
  return width;
}

/// Bits of the adjacency matrix that graph6 (undirected, above the diagonal) or digraph6 holds.
inline int64_t matrix_bits(int64_t nodes, bool directed) {
  return directed ? nodes * nodes : nodes * (nodes - 1) / 2;
}

}  // namespace floydnet::graph6
