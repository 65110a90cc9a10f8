#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "base/file.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "graph/npy_header.h"

namespace floydnet {
namespace {

void swap_bytes(NpyArray& array) {
  const auto unit = static_cast<std::ptrdiff_t>(array.kind == 'U'   ? 4
                                                : array.kind == 'S' ? 1
                                                                    : array.item_size);
  for (auto item = array.bytes.begin(); item != array.bytes.end(); item += unit) {
    std::reverse(item, item + unit);
  }
}

/// Copies elements whose first index varies fastest to where the last one does.
void copy_fortran_order(std::string_view data, NpyArray& array) {
  const size_t dimensions = array.shape.size();
  const auto item = static_cast<size_t>(array.item_size);
  std::array<size_t, kMaxNpyDimensions> strides{};  // of the source, in elements
  size_t stride = 1;
  for (size_t d = 0; d < dimensions; ++d) {
    strides[d] = stride;
    stride *= static_cast<size_t>(array.shape[d]);
  }
  std::array<int64_t, kMaxNpyDimensions> index{};
  size_t from = 0;
  for (size_t to = 0; to < array.bytes.size(); to += item) {
    std::memcpy(array.bytes.data() + to, data.data() + from * item, item);
    for (size_t d = dimensions; d-- > 0;) {
      from += strides[d];
      if (++index[d] < array.shape[d]) break;
      from -= strides[d] * static_cast<size_t>(array.shape[d]);
      index[d] = 0;
    }
  }
}

void check_data_size(const NpyHeader& header, std::string_view bytes, const std::string& source) {
  const uint64_t found = bytes.size() - header.data_offset;
  const auto wanted = static_cast<uint64_t>(header.data_bytes);
  if (found == wanted) return;
  throw InputError::at_byte(source, header.data_offset + std::min(found, wanted),
                            std::string(found < wanted ? "cut short: " : "goes on: ") +
                                std::to_string(wanted) + " bytes of data are announced, not " +
                                std::to_string(found));
}

}  // namespace

NpyArray parse_npy(std::string_view bytes, const std::string& source, int64_t max_bytes) {
  const NpyHeader header = parse_npy_header(bytes, source, max_bytes);
  check_data_size(header, bytes, source);
  const std::string_view data = bytes.substr(header.data_offset);
  NpyArray array;
  array.kind = header.kind;
  array.item_size = header.item_size;
  array.shape = header.shape;
  if (header.fortran_order && header.shape.size() > 1) {
    array.bytes.resize(data.size());
    copy_fortran_order(data, array);
  } else {
    array.bytes.assign(data.begin(), data.end());
  }
  if (header.swapped) swap_bytes(array);
  return array;
}

std::string format_npy(const NpyArray& array) {
  NpyHeader header;
  header.kind = array.kind;
  header.item_size = array.item_size;
  header.shape = array.shape;
  if (!is_npy_type(array.kind, array.item_size) || array.shape.size() > kMaxNpyDimensions ||
      __builtin_mul_overflow(array.elements(), array.item_size, &header.data_bytes) ||
      static_cast<uint64_t>(header.data_bytes) != array.bytes.size()) {
    throw std::invalid_argument("an array of " + std::to_string(array.elements()) + " elements " +
                                array.type() + " cannot be written with " +
                                std::to_string(array.bytes.size()) + " bytes");
  }
  std::string bytes = format_npy_header(header);
  bytes.append(array.bytes.begin(), array.bytes.end());
  return bytes;
}

NpyArray read_npy(const std::string& path, int64_t max_bytes) {
  const uint64_t max_file =
      kMaxNpyHeaderBytes + static_cast<uint64_t>(std::max<int64_t>(max_bytes, 0));
  return parse_npy(read_file(path, max_file), path, max_bytes);
}

void write_npy(const std::string& path, const NpyArray& array) {
  write_file_atomically(path, format_npy(array));
}

}  // namespace floydnet
