#include "weights/checksum.h"

#include <fmt/format.h>
#include <zlib.h>

#include "base/shape.h"

namespace floydnet {
namespace {

class Crc {
 public:
  /// The size goes in, too, so that the end of one text is not the beginning of the next.
  void add(std::string_view text) {
    const uint64_t size = text.size();
    add_bytes(&size, sizeof size);
    add_bytes(text.data(), text.size());
  }
  std::string text() const { return fmt::format("{:08x}", value_); }

 private:
  void add_bytes(const void* data, size_t size) {
    value_ = ::crc32_z(value_, static_cast<const Bytef*>(data), size);
  }

  uLong value_ = 0;
};

}  // namespace

std::string checksum_of(const TensorFile& file) {
  Crc crc;
  for (const auto& [key, text] : file.metadata) {
    if (key == kChecksumKey) continue;
    crc.add(key);
    crc.add(text);
  }
  for (const auto& [tensor_name, tensor] : file.tensors) {
    crc.add(tensor_name);
    crc.add(name(tensor.type));
    crc.add(shape_text(tensor.shape));
    crc.add(tensor.bytes);
  }
  return crc.text();
}

}  // namespace floydnet
