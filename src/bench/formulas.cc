#include "bench/formulas.h"

#include <torch/types.h>

#include <cmath>
#include <string>

namespace floydnet::bench {
namespace {

using at::Tensor;

/// The letters of einsum: x, y for batch and head, one for each coordinate, p for the pivot and d.
struct Letters {
  explicit Letters(size_t order) : target(std::string("stuv").substr(0, order)) {}

  std::string role(size_t r) const {
    std::string replaced = target;
    replaced[r] = 'p';
    return "xy" + replaced + "d";
  }
  std::string roles(size_t order) const {
    std::string all;
    for (size_t r = 0; r < order; ++r) all += "," + role(r);
    return all;
  }
  std::string state() const { return "xy" + target + "d"; }
  std::string score() const { return "xy" + target + "p"; }
  std::string composed() const { return "xy" + target + "pd"; }

  std::string target;
};

double scale_of(const Tensor& q) { return 1 / std::sqrt(static_cast<double>(q.size(-1))); }

/// `left` with each role by an einsum of its own, summed; or with all of them by a single one.
Tensor contracted(const Tensor& left, const std::string& left_letters,
                  const std::vector<Tensor>& roles, const std::string& result_letters,
                  Composition composition) {
  const Letters letters(roles.size());
  if (composition == Composition::kMultiplicative) {
    std::vector<Tensor> operands = {left};
    operands.insert(operands.end(), roles.begin(), roles.end());
    return torch::einsum(left_letters + letters.roles(roles.size()) + "->" + result_letters,
                         operands);
  }
  Tensor sum;
  for (size_t r = 0; r < roles.size(); ++r) {
    const Tensor term = torch::einsum(left_letters + "," + letters.role(r) + "->" + result_letters,
                                      {left, roles[r]});
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

/// [x, y, targets..., p, d]: the roles of every target and pivot, combined.
Tensor composed(const std::vector<Tensor>& roles, Composition composition) {
  const auto order = static_cast<int64_t>(roles.size());
  Tensor result;
  for (int64_t r = 0; r < order; ++r) {
    // The pivot goes behind the target's coordinates, and the one that it replaced has length 1.
    const Tensor term = roles[r].movedim(2 + r, 1 + order).unsqueeze(2 + r);
    if (!result.defined()) {
      result = term;
    } else {
      result = composition == Composition::kAdditive ? result + term : result * term;
    }
  }
  return result;
}

}  // namespace

Tensor einsum_attention(const Tensor& q, const std::vector<Tensor>& keys,
                        const std::vector<Tensor>& values, Composition composition) {
  const Letters letters(keys.size());
  const Tensor scores =
      contracted(q * scale_of(q), letters.state(), keys, letters.score(), composition);
  return contracted(torch::softmax(scores, -1), letters.score(), values, letters.state(),
                    composition);
}

Tensor naive_attention(const Tensor& q, const std::vector<Tensor>& keys,
                       const std::vector<Tensor>& values, Composition composition) {
  const Letters letters(keys.size());
  const Tensor scores =
      torch::einsum(letters.state() + "," + letters.composed() + "->" + letters.score(),
                    {q * scale_of(q), composed(keys, composition)});
  return torch::einsum(letters.score() + "," + letters.composed() + "->" + letters.state(),
                       {torch::softmax(scores, -1), composed(values, composition)});
}

}  // namespace floydnet::bench
