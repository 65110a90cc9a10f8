#include "weights/strided.h"

#include <fmt/format.h>

#include <algorithm>

#include "weights/stored_tensor.h"

namespace floydnet {
namespace {

// The place of the last element; nullopt on overflow. No size is 0.
std::optional<int64_t> last_place(const StridedView& view) {
  int64_t last = view.offset;
  for (size_t d = 0; d < view.shape.size(); ++d) {
    int64_t step = 0;
    if (__builtin_mul_overflow(view.shape[d] - 1, view.stride[d], &step) ||
        __builtin_add_overflow(last, step, &last)) {
      return std::nullopt;
    }
  }
  return last;
}

bool any_negative(const std::vector<int64_t>& values) {
  return std::any_of(values.begin(), values.end(), [](int64_t value) { return value < 0; });
}

}  // namespace

std::optional<std::string> misfit(const StridedView& view, int64_t storage_elements) {
  if (view.shape.size() != view.stride.size()) {
    return fmt::format("has {} sizes, but {} strides", view.shape.size(), view.stride.size());
  }
  const std::optional<int64_t> count = count_elements(view.shape);
  if (!count) return "has the impossible shape " + shape_text(view.shape);
  if (view.offset < 0) return fmt::format("has the negative offset {}", view.offset);
  if (any_negative(view.stride)) return "has a negative stride " + shape_text(view.stride);
  if (*count == 0) return std::nullopt;
  const std::optional<int64_t> last = last_place(view);
  if (!last || *last >= storage_elements) {
    return fmt::format("of shape {}, stride {} and offset {} reaches beyond its storage of {}",
                       shape_text(view.shape), shape_text(view.stride), view.offset,
                       storage_elements);
  }
  return std::nullopt;
}

std::string gather(const StridedView& view, int64_t item, std::string_view storage) {
  const std::vector<int64_t>& shape = view.shape;
  const int64_t count = count_elements(shape).value();
  std::string bytes;
  if (count == 0) return bytes;

  // The last dimensions are copied at once where they are contiguous.
  size_t outer = shape.size();
  int64_t run = 1;
  while (outer > 0 && (shape[outer - 1] == 1 || view.stride[outer - 1] == run)) {
    run *= shape[--outer];
  }
  bytes.reserve(static_cast<size_t>(count * item));
  std::vector<int64_t> index(outer, 0);
  int64_t place = view.offset;
  for (int64_t copied = 0; copied < count; copied += run) {
    bytes += storage.substr(static_cast<size_t>(place * item), static_cast<size_t>(run * item));
    for (size_t d = outer; d-- > 0;) {
      if (++index[d] < shape[d]) {
        place += view.stride[d];
        break;
      }
      place -= view.stride[d] * (shape[d] - 1);
      index[d] = 0;
    }
  }
  return bytes;
}

}  // namespace floydnet
