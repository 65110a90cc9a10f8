// The header of an NPY file: six magic bytes, a version, a length, and a Python dict literal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace floydnet {

/// NumPy's own limit on dimensions.
constexpr size_t kMaxNpyDimensions = 64;
/// No header of the supported types needs more than a fraction of this.
constexpr uint64_t kMaxNpyHeaderBytes = 1 << 16;

constexpr char kNativeByteOrder = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';

struct NpyHeader {
  bool swapped = false;  // the other byte order than this machine's
  char kind = 'f';
  int64_t item_size = 8;
  bool fortran_order = false;
  std::vector<int64_t> shape;
  int64_t data_bytes = 0;
  uint64_t data_offset = 0;
};

/// Parses what stands before the data; `bytes` need not hold more. Throws InputError for a type
/// that is not supported and for more than `max_bytes` of data.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& source, int64_t max_bytes);

/// Version 1.0, padded as NumPy does so that the data is aligned to 64 bytes.
std::string format_npy_header(const NpyHeader& header);

/// Whether NPY arrays of this type can be held; see NpyArray::kind.
bool is_npy_type(char kind, int64_t item_size);

}  // namespace floydnet
