// For tests of kernels: one head of one graph, and Pivotal Attention by its formula, written as
// loops over targets, pivots and roles.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/test_targets.h"
#include "kernels/view.h"

namespace floydnet::kernels {

struct HeadCase {
  int order;
  int64_t nodes, dim;
  bool multiplicative, extras;  // extras: bias, mask, excluded pivots and a cap
  uint64_t seed = 0;            // of the numbers
};

/// For traces of what fails.
template <typename T>
testing::Message described(const HeadCase& c) {
  return testing::Message() << "k = " << c.order << ", N = " << c.nodes << ", d = " << c.dim
                            << (c.multiplicative ? ", multiplicative" : "")
                            << (c.extras ? ", extras" : "")
                            << (sizeof(T) == 4 ? ", float32" : ", float64");
}

/// One head of one graph; every tuple of `order` nodes is a target.
template <typename T>
class Head {
 public:
  explicit Head(const HeadCase& c) : c_(c), tuples_(power(c.order)) {
    q_ = random_numbers<T>(tuples_ * c.dim, c.seed + 1);
    dout_ = random_numbers<T>(tuples_ * c.dim, c.seed + 2);
    for (int r = 0; r < c.order; ++r) {
      key_.push_back(random_numbers<T>(tuples_ * c.dim, c.seed + 10 + r));
      value_.push_back(random_numbers<T>(tuples_ * c.dim, c.seed + 20 + r));
      bias_.push_back(random_numbers<T>(tuples_, c.seed + 30 + r));
    }
    mask_ = random_numbers<T>(tuples_ * c.nodes, c.seed + 3);
    excluded_ = std::vector<char>(static_cast<size_t>(tuples_ * c.nodes));
    for (size_t i = 0; i < excluded_.size(); ++i) excluded_[i] = i % 7 == 3 ? 1 : 0;
    // The second target has no pivot at all.
    for (int64_t p = 0; p < c.nodes && tuples_ > 1; ++p) excluded_[c.nodes + p] = 1;
  }

  HeadView<T> view() {
    HeadView<T> view;
    view.order = c_.order;
    view.pivots = c_.nodes;
    view.dim = c_.dim;
    view.scale = 0.5;
    view.multiplicative = c_.multiplicative;
    for (int i = 0; i < c_.order; ++i) view.lengths[i] = c_.nodes;
    out_.assign(q_.size(), T(7));
    max_.assign(static_cast<size_t>(tuples_), T(7));
    factor_ = max_;
    view.q = strided<const T>(q_.data(), c_.dim);
    view.out = strided<T>(out_.data(), c_.dim);
    view.row_max = strided<T>(max_.data(), 1);
    view.row_factor = strided<T>(factor_.data(), 1);
    for (int r = 0; r < c_.order; ++r) {
      view.key[r] = strided<const T>(key_[r].data(), c_.dim);
      view.value[r] = strided<const T>(value_[r].data(), c_.dim);
      if (c_.extras) view.bias[r] = strided<const T>(bias_[r].data(), 1);
    }
    if (!c_.extras) return view;
    view.logit_cap = 3;
    view.mask = strided<const T>(mask_.data(), c_.nodes);
    view.mask_pivot_stride = 1;
    view.excluded = strided<const bool>(reinterpret_cast<const bool*>(excluded_.data()), c_.nodes);
    view.excluded_pivot_stride = 1;
    view.excluded_logit = -std::numeric_limits<double>::infinity();
    return view;
  }

  HeadGradients<T> gradients() {
    HeadGradients<T> grads;
    grads.out = strided<const T>(dout_.data(), c_.dim);
    const auto zeros = [](std::vector<T>& to, size_t size) {
      to.assign(size, T(0));
      return to.data();
    };
    dkey_.resize(key_.size());
    dvalue_.resize(key_.size());
    dbias_.resize(key_.size());
    grads.q = strided<T>(zeros(dq_, q_.size()), c_.dim);
    for (int r = 0; r < c_.order; ++r) {
      grads.key[r] = strided<T>(zeros(dkey_[r], q_.size()), c_.dim);
      grads.value[r] = strided<T>(zeros(dvalue_[r], q_.size()), c_.dim);
      T* dbias = zeros(dbias_[r], bias_[r].size());
      if (c_.extras) grads.bias[r] = strided<T>(dbias, 1);
    }
    T* dmask = zeros(dmask_, mask_.size());
    if (!c_.extras) return grads;
    grads.mask = strided<T>(dmask, c_.nodes);
    grads.mask_pivot_stride = 1;
    return grads;
  }

  /// out, and all gradients, by the formula.
  void check_all() {
    std::vector<double> dq(q_.size()), dmask(mask_.size());
    std::vector<std::vector<double>> dkey(key_.size(), dq), dvalue(dkey),
        dbias(key_.size(), std::vector<double>(static_cast<size_t>(tuples_)));
    for (int64_t v = 0; v < tuples_; ++v) {
      const std::vector<double> weights = weights_of(v);
      std::vector<double> out(static_cast<size_t>(c_.dim)), dweight(weights.size());
      double mean = 0;
      for (int64_t p = 0; p < c_.nodes; ++p) {
        for (int64_t d = 0; d < c_.dim; ++d) {
          out[d] += weights[p] * composed(value_, v, p, d);
          dweight[p] += dout_[v * c_.dim + d] * composed(value_, v, p, d);
        }
        mean += weights[p] * dweight[p];
      }
      for (int64_t d = 0; d < c_.dim; ++d) {
        ASSERT_NEAR(out_[v * c_.dim + d], out[d], tolerance()) << v << ", " << d;
      }
      for (int64_t p = 0; p < c_.nodes; ++p) {
        const double dlogit = weights[p] * (dweight[p] - mean);
        const double dscore = dlogit * slope(v, p) * 0.5;
        dmask[v * c_.nodes + p] += dlogit;
        for (int64_t d = 0; d < c_.dim; ++d) {
          dq[v * c_.dim + d] += dscore * composed(key_, v, p, d);
        }
        for (int r = 0; r < c_.order; ++r) {
          const int64_t source = replaced(v, r, p);
          dbias[r][source] += dlogit;
          for (int64_t d = 0; d < c_.dim; ++d) {
            dkey[r][source * c_.dim + d] += dscore * q_[v * c_.dim + d] * others(key_, v, p, d, r);
            dvalue[r][source * c_.dim + d] +=
                weights[p] * dout_[v * c_.dim + d] * others(value_, v, p, d, r);
          }
        }
      }
    }
    expect_near(dq_, dq, "dq");
    for (int r = 0; r < c_.order; ++r) {
      expect_near(dkey_[r], dkey[r], "dkey");
      expect_near(dvalue_[r], dvalue[r], "dvalue");
      if (c_.extras) expect_near(dbias_[r], dbias[r], "dbias");
    }
    if (c_.extras) expect_near(dmask_, dmask, "dmask");
  }

  /// Softmax of the logits of one target.
  std::vector<double> weights_of(int64_t v) const {
    std::vector<double> weights(static_cast<size_t>(c_.nodes));
    double max = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t p = 0; p < c_.nodes; ++p) max = std::max(max, weights[p] = logit(v, p));
    if (std::isinf(max)) return std::vector<double>(weights.size());
    for (double& weight : weights) sum += weight = std::exp(weight - max);
    for (double& weight : weights) weight /= sum;
    return weights;
  }

  int64_t tuples() const { return tuples_; }
  static double tolerance() { return sizeof(T) == 4 ? 2e-4 : 1e-12; }
  std::vector<T>& queries() { return q_; }
  const std::vector<T>& outputs() const { return out_; }
  /// All that a backward pass has written.
  std::vector<std::vector<T>> written() const {
    std::vector<std::vector<T>> all = {dq_, dmask_};
    for (const auto* part : {&dkey_, &dvalue_, &dbias_}) {
      all.insert(all.end(), part->begin(), part->end());
    }
    return all;
  }

 private:
  int64_t power(int exponent) const {
    int64_t result = 1;
    for (int i = 0; i < exponent; ++i) result *= c_.nodes;
    return result;
  }

  /// [v, inner]
  template <typename U>
  Strided<U> strided(U* data, int64_t inner) const {
    Strided<U> result;
    result.data = data;
    for (int i = 0; i < c_.order; ++i) result.stride[i] = power(c_.order - 1 - i) * inner;
    return result;
  }

  /// v[r<-p]
  int64_t replaced(int64_t v, int r, int64_t p) const {
    const int64_t unit = power(c_.order - 1 - r);
    return v + (p - v / unit % c_.nodes) * unit;
  }

  using Roles = std::vector<std::vector<T>>;
  double composed(const Roles& roles, int64_t v, int64_t p, int64_t d) const {
    double result = c_.multiplicative ? 1 : 0;
    for (int r = 0; r < c_.order; ++r) {
      const double x = roles[r][replaced(v, r, p) * c_.dim + d];
      c_.multiplicative ? result *= x : result += x;
    }
    return result;
  }

  /// The derivative of composed() by role r.
  double others(const Roles& roles, int64_t v, int64_t p, int64_t d, int role) const {
    double result = 1;
    for (int r = 0; c_.multiplicative && r < c_.order; ++r) {
      if (r != role) result *= roles[r][replaced(v, r, p) * c_.dim + d];
    }
    return result;
  }

  double score(int64_t v, int64_t p) const {
    double score = 0;
    for (int64_t d = 0; d < c_.dim; ++d) score += q_[v * c_.dim + d] * composed(key_, v, p, d);
    return 0.5 * score;
  }

  double logit(int64_t v, int64_t p) const {
    if (!c_.extras) return score(v, p);
    if (excluded_[v * c_.nodes + p] != 0) return -std::numeric_limits<double>::infinity();
    double logit = 3 * std::tanh(score(v, p) / 3) + mask_[v * c_.nodes + p];
    for (int r = 0; r < c_.order; ++r) logit += bias_[r][replaced(v, r, p)];
    return logit;
  }

  double slope(int64_t v, int64_t p) const {
    const double capped = std::tanh(score(v, p) / 3);
    return c_.extras ? 1 - capped * capped : 1;
  }

  static void expect_near(const std::vector<T>& got, const std::vector<double>& wanted,
                          const char* what) {
    for (size_t i = 0; i < got.size(); ++i) {
      ASSERT_NEAR(got[i], wanted[i], tolerance() * (1 + std::abs(wanted[i]))) << what << " " << i;
    }
  }

  HeadCase c_;
  int64_t tuples_;
  std::vector<T> q_, dout_, mask_, out_, max_, factor_, dq_, dmask_;
  Roles key_, value_, bias_, dkey_, dvalue_, dbias_;
  std::vector<char> excluded_;
};

}  // namespace floydnet::kernels
