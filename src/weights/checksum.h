// A checksum of named tensors and their metadata.
#pragma once

#include <string>

#include "floydnet/weights.h"

namespace floydnet {

/// Where safetensors files hold it, among their metadata.
constexpr const char* kChecksumKey = "floydnet.crc32";

/// CRC-32 of all names, types, shapes, bytes and texts but the checksum's own, in hexadecimal. It
/// finds every change of up to four bytes in a row.
std::string checksum_of(const TensorFile& file);

}  // namespace floydnet
