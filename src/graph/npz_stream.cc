#include "graph/npz_stream.h"

#include <stdexcept>

#include "base/shape.h"
#include "graph/npy_header.h"

namespace floydnet {

NpzStream::NpzStream(const std::string& path)
    : file_(path), zip_([this](std::string_view bytes) { file_.append(bytes); }) {}

void NpzStream::begin(const std::string& name, char kind, int64_t item_size,
                      const std::vector<int64_t>& shape) {
  NpyHeader header;
  header.kind = kind;
  header.item_size = item_size;
  header.shape = shape;
  const auto elements = count_elements(shape);
  if (!is_npy_type(kind, item_size) || shape.size() > kMaxNpyDimensions || !elements ||
      __builtin_mul_overflow(*elements, item_size, &header.data_bytes)) {
    throw std::invalid_argument("no NPY array of type " + std::string(1, kind) +
                                std::to_string(item_size) + " and shape " + shape_text(shape));
  }
  const std::string start = format_npy_header(header);
  zip_.begin(name + ".npy", start.size() + static_cast<uint64_t>(header.data_bytes));
  zip_.append(start);
}

void NpzStream::finish() {
  zip_.finish();
  file_.commit();
}

}  // namespace floydnet
