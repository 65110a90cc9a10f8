// A tensor as a view of a storage, and its elements in C order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace floydnet {

/// Element (i, j, ...) stands at offset + i*stride[0] + j*stride[1] + ..., all counted in elements.
struct StridedView {
  int64_t offset = 0;
  std::vector<int64_t> shape;
  std::vector<int64_t> stride;
};

/// What is wrong with a view of a storage of that many elements; nullopt if it lies within it.
std::optional<std::string> misfit(const StridedView& view, int64_t storage_elements);

/// The elements of a view that fits, `item` bytes each.
std::string gather(const StridedView& view, int64_t item, std::string_view storage);

}  // namespace floydnet
