// Numbers of the ZIP format that the reader and the writer share. All fields are little-endian.
#pragma once

#include <cstdint>

namespace floydnet::zip {

constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kCentralHeader = 0x02014b50;
constexpr uint32_t kEndRecord = 0x06054b50;
constexpr uint32_t kZip64EndRecord = 0x06064b50;
constexpr uint32_t kZip64Locator = 0x07064b50;
constexpr uint32_t kDataDescriptor = 0x08074b50;

// Sizes without the variable parts (names, extra fields, comments).
constexpr uint64_t kLocalHeaderSize = 30;
constexpr uint64_t kCentralHeaderSize = 46;
constexpr uint64_t kEndRecordSize = 22;
constexpr uint64_t kZip64EndRecordSize = 56;
constexpr uint64_t kZip64LocatorSize = 20;

constexpr uint16_t kStored = 0;
constexpr uint16_t kDeflated = 8;

constexpr uint16_t kEncryptedFlags = 1 << 0 | 1 << 6 | 1 << 13;
/// CRC and sizes follow the data; in the local header they are void.
constexpr uint16_t kDataDescriptorFlag = 1 << 3;
constexpr uint16_t kUtf8NameFlag = 1 << 11;

/// The extra field that holds values which did not fit their fields; those are then all ones.
constexpr uint16_t kZip64Extra = 1;
constexpr uint16_t kNoFit16 = 0xffff;
constexpr uint32_t kNoFit32 = 0xffffffff;

}  // namespace floydnet::zip
