// Small archives that inflate to gigabytes, for tests only.
#pragma once

#include <zlib.h>

#include <string>

#include "base/inflate.h"
#include "base/little_endian.h"
#include "base/zip_format.h"

namespace floydnet {

/// A raw deflate stream of `start` and then `chunks` megabytes of zeros. A fully flushed chunk can
/// be repeated as it stands, so this takes no time.
inline std::string deflate_bomb(const std::string& start, uint64_t chunks) {
  const auto flushed = [](std::string content) {
    std::string output(content.size() + 1000, '\0');
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(content.data());
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(output.data());
    stream.avail_out = static_cast<uInt>(output.size());
    deflate(&stream, Z_FULL_FLUSH);
    output.resize(stream.total_out);
    deflateEnd(&stream);
    return output;
  };
  const std::string chunk = flushed(std::string(1 << 20, '\0'));
  std::string result = flushed(start);
  for (uint64_t i = 0; i < chunks; ++i) result += chunk;
  return result + std::string("\x03\x00", 2);  // an empty last block
}

/// An archive whose one member is such a stream and claims to inflate to `claimed_size` bytes.
inline std::string zip_bomb(const std::string& name, uint64_t chunks, uint64_t claimed_size,
                            const std::string& start = "") {
  const std::string data = deflate_bomb(start, chunks);
  std::string extra;
  append_little_endian(extra, zip::kZip64Extra);
  append_little_endian(extra, uint16_t{8});
  append_little_endian(extra, claimed_size);
  const auto append_common = [&](std::string& bytes) {
    append_little_endian(bytes, uint16_t{45});  // version
    append_little_endian(bytes, zip::kDataDescriptorFlag);
    append_little_endian(bytes, zip::kDeflated);
    append_little_endian(bytes, uint32_t{0});  // time and day
    append_little_endian(bytes, uint32_t{0});  // CRC
    append_little_endian(bytes, static_cast<uint32_t>(data.size()));
    append_little_endian(bytes, zip::kNoFit32);
    append_little_endian(bytes, static_cast<uint16_t>(name.size()));
    append_little_endian(bytes, static_cast<uint16_t>(extra.size()));
  };
  std::string archive;
  append_little_endian(archive, zip::kLocalHeader);
  append_common(archive);
  archive += name + extra + data;
  const auto directory = static_cast<uint32_t>(archive.size());
  append_little_endian(archive, zip::kCentralHeader);
  append_little_endian(archive, uint16_t{45});
  append_common(archive);
  archive.append(14, '\0');  // comment, disk, attributes, offset
  archive += name + extra;
  const auto directory_size = static_cast<uint32_t>(archive.size()) - directory;
  append_little_endian(archive, zip::kEndRecord);
  append_little_endian(archive, uint32_t{0});           // disks
  append_little_endian(archive, uint32_t{0x00010001});  // members
  append_little_endian(archive, directory_size);
  append_little_endian(archive, directory);
  append_little_endian(archive, uint16_t{0});
  return archive;
}

}  // namespace floydnet
