#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "floydnet/graph.h"

namespace floydnet {
namespace {

[[noreturn]] void fail(const std::string& problem) {
  throw std::invalid_argument("tuple layout: " + problem);
}

/// size^order, and false if that does not fit.
bool tuples(int order, int64_t size, int64_t* count) {
  *count = 1;
  for (int r = 0; r < order; ++r) {
    if (__builtin_mul_overflow(*count, size, count)) return false;
  }
  return true;
}

}  // namespace

TupleLayout::TupleLayout(int order, std::vector<int64_t> sizes)
    : order_(order), sizes_(std::move(sizes)) {
  if (order < 1 || order > kMaxOrder) {
    fail("the order is 1.." + std::to_string(kMaxOrder) + ", not " + std::to_string(order));
  }
  offsets_.reserve(sizes_.size() + 1);
  for (const int64_t size : sizes_) {
    if (size < 0) fail("a graph cannot have " + std::to_string(size) + " nodes");
    int64_t count = 0;
    int64_t end = 0;
    if (!tuples(order, size, &count) || __builtin_add_overflow(rows(), count, &end)) {
      fail("too many rows at a graph of " + std::to_string(size) + " nodes and order " +
           std::to_string(order));
    }
    offsets_.push_back(end);
  }
}

int64_t TupleLayout::row(int64_t graph, const std::array<int64_t, kMaxOrder>& v) const {
  const int64_t nodes = size(graph);
  int64_t index = 0;
  for (int r = 0; r < order_; ++r) {
    const int64_t node = v[static_cast<size_t>(r)];
    if (node < 0 || node >= nodes) {
      fail("node " + std::to_string(node) + " is not in 0.." + std::to_string(nodes - 1));
    }
    index = index * nodes + node;
  }
  return offset(graph) + index;
}

std::pair<int64_t, std::array<int64_t, kMaxOrder>> TupleLayout::tuple(int64_t row) const {
  if (row < 0 || row >= rows()) {
    fail("row " + std::to_string(row) + " is not in 0.." + std::to_string(rows() - 1));
  }
  const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), row);
  const int64_t graph = after - offsets_.begin() - 1;
  std::array<int64_t, kMaxOrder> v{};
  int64_t rest = row - offset(graph);
  for (int r = order_ - 1; r >= 0; --r) {
    v[static_cast<size_t>(r)] = rest % size(graph);
    rest /= size(graph);
  }
  return {graph, v};
}

}  // namespace floydnet
