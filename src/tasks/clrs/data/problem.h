// What a sampler hands to an algorithm.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace floydnet::clrs {

using Reals = std::vector<double>;
using Nodes = std::vector<int64_t>;

inline Nodes identity(int64_t n) {
  Nodes nodes(n);
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

/// Square, row by row.
class Matrix {
 public:
  explicit Matrix(int64_t size = 0, double value = 0) : size_(size), cells_(size * size, value) {}

  int64_t size() const { return size_; }
  double& operator()(int64_t i, int64_t j) { return cells_[i * size_ + j]; }
  double operator()(int64_t i, int64_t j) const { return cells_[i * size_ + j]; }
  const Reals& cells() const { return cells_; }
  bool operator==(const Matrix& other) const { return cells_ == other.cells_; }

 private:
  int64_t size_;
  Reals cells_;
};

/// Each sampler fills what its algorithms read and leaves the rest empty.
struct Problem {
  int64_t nodes = 0;
  Reals first, second;  // keys; starts and finishes; deadlines and weights; x and y; p and q
  Nodes text, pattern;  // haystack and needle, or two strings to compare
  Matrix graph;         // weights, or 1, of the edges; 0 where there is none
  int64_t source = 0;
  double target = 0;
};

}  // namespace floydnet::clrs
