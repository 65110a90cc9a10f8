// Unsigned integers in little-endian byte order, as file formats store them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace floydnet {

/// The caller has checked that sizeof(T) bytes stand at `offset`.
template <typename T>
T load_little_endian(std::string_view bytes, uint64_t offset) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<T>(static_cast<T>(static_cast<uint8_t>(bytes[offset + i])) << (8 * i));
  }
  return value;
}

template <typename T>
void append_little_endian(std::string& bytes, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    bytes += static_cast<char>(static_cast<uint8_t>(value >> (8 * i)));
  }
}

}  // namespace floydnet
