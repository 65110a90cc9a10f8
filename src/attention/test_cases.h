// Random problems for the tests of the operator.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/types.h>

#include <random>
#include <string>
#include <vector>

#include "floydnet/attention.h"

namespace floydnet {

/// The inputs of one call of pivotal_attention.
struct AttentionCase {
  TupleLayout layout;
  AttentionOptions options;
  torch::Tensor q, k, v;
  std::optional<torch::Tensor> bias;

  torch::Tensor run() const { return pivotal_attention(q, k, v, layout, options, bias); }
  std::vector<torch::Tensor> inputs() const {
    std::vector<torch::Tensor> all = {q, k, v};
    if (bias) all.push_back(*bias);
    return all;
  }
  std::string describe() const {
    return fmt::format("order {}, sizes [{}], q [{}], scale {}, {}, cap {}, dropout {}, bias {}",
                       layout.order(), fmt::join(layout.sizes(), ", "), fmt::join(q.sizes(), ", "),
                       options.scale ? fmt::format("{}", *options.scale) : "default",
                       options.composition == Composition::kAdditive ? "sum" : "product",
                       options.logit_cap, options.dropout,
                       bias ? fmt::format("[{}]", fmt::join(bias->sizes(), ", ")) : "none");
  }
};

/// Draws shapes and options; every seed gives the same sequence.
class CaseGenerator {
 public:
  explicit CaseGenerator(uint64_t seed) : random_(seed) { torch::manual_seed(seed); }

  /// A batch of one to three graphs whose work, sum of n^{k+1} d, stays below the bound.
  AttentionCase next(int order, double max_work = 2e6) {
    const int64_t dim = pick({1, 2, 5, 8, 33});
    const int64_t heads = pick({1, 2, 3});
    std::vector<int64_t> sizes;
    double work = 0;
    const int64_t graphs = pick({1, 1, 2, 3});
    for (int attempt = 0; static_cast<int64_t>(sizes.size()) < graphs && attempt < 30; ++attempt) {
      const int64_t n = pick({1, 2, 3, 7, 17, 33});
      const double cost = std::pow(static_cast<double>(n), order + 1) * static_cast<double>(dim);
      if (work + cost > max_work) continue;
      work += cost;
      sizes.push_back(n);
    }
    return of_shape(order, sizes, heads, dim);
  }

  AttentionCase of_shape(int order, const std::vector<int64_t>& sizes, int64_t heads, int64_t dim) {
    AttentionCase c;
    c.layout = TupleLayout(order, sizes);
    draw_options(c.options);
    draw_tensors(c, heads, dim);
    return c;
  }

 private:
  void draw_options(AttentionOptions& options) {
    if (coin()) options.scale = 0.7;
    if (coin()) options.composition = Composition::kMultiplicative;
    if (coin()) options.logit_cap = 1.5;
    if (coin()) options.dropout = 0.3;
    options.seed = random_();
  }

  void draw_tensors(AttentionCase& c, int64_t heads, int64_t dim) {
    const auto options = torch::TensorOptions(torch::kFloat64);
    const int64_t order = c.layout.order(), rows = c.layout.rows();
    c.q = torch::randn({heads, rows, dim}, options);
    c.k = torch::randn({order, heads, rows, dim}, options);
    c.v = torch::randn({order, heads, rows, dim}, options);
    if (!coin()) return;
    c.bias = torch::randn({order, coin() ? 1 : heads, rows}, options);
    if (coin()) {
      const auto excluded = torch::rand_like(*c.bias) < 0.2;
      c.bias = c.bias->masked_fill(excluded, -std::numeric_limits<double>::infinity());
    }
  }

  int64_t pick(const std::vector<int64_t>& values) { return values[random_() % values.size()]; }
  bool coin() { return random_() % 2 == 0; }

  std::mt19937_64 random_;
};

/// max |a - b| over max |b|, or over 1 if that is smaller.
inline double relative_error(const torch::Tensor& a, const torch::Tensor& b) {
  if (b.numel() == 0) return 0;
  const double size = std::max(1.0, b.abs().max().item<double>());
  return (a - b).abs().max().item<double>() / size;
}

}  // namespace floydnet
