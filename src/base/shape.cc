#include "base/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace floydnet {

std::optional<int64_t> count_elements(const std::vector<int64_t>& shape) {
  int64_t product = 1;
  bool empty = false;
  for (const int64_t size : shape) {
    if (size < 0) return std::nullopt;
    if (size == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(product, size, &product)) {
      return std::nullopt;
    }
  }
  return empty ? 0 : product;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace floydnet
