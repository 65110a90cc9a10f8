// Raw deflate streams and CRC-32, of any size, over zlib.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace floydnet {

/// A stream of c bytes never inflates to more than 1032 c: a match makes at most 258 bytes and
/// takes at least two bits.
constexpr uint64_t kMaxDeflateRatio = 1032;

/// `before` is the CRC of what stands before the content.
uint32_t crc32_of(std::string_view content, uint32_t before = 0);

std::string deflate_raw(std::string_view content);

/// Inflates to `content`, allocating `size` bytes; false unless the stream is sound, ends with
/// `data` and makes exactly `size` bytes.
bool inflate_exactly(std::string_view data, uint64_t size, std::string& content);

/// The first `size` bytes, or as many as there are before the end of the stream or its first fault.
std::string inflate_start(std::string_view data, uint64_t size);

}  // namespace floydnet
