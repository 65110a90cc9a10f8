#include "kernels/row_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/dropout.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_kernel.cc"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
constexpr T kMinusInfinity = -std::numeric_limits<T>::infinity();

using Target = std::array<int64_t, kMaxOrder>;

/// The rows v[r<-p] of one role for a fixed target: row(p) is data + p * stride.
template <typename T>
struct Line {
  T* data = nullptr;
  int64_t stride = 0;

  T* row(int64_t p) const { return data + p * stride; }
};

template <typename T>
using Lines = std::array<Line<T>, kMaxOrder>;

template <typename T>
T* at(const Strided<T>& array, const Target& v, int order, int skipped = -1) {
  T* data = array.data;
  for (int c = 0; c < order; ++c) {
    if (c != skipped) data += v[c] * array.stride[c];
  }
  return data;
}

template <typename T>
Lines<T> lines_of(const Strided<T>* roles, const Target& v, int order) {
  Lines<T> lines;
  for (int r = 0; r < order; ++r) {
    if (roles[r].data) lines[r] = {at(roles[r], v, order, r), roles[r].stride[r]};
  }
  return lines;
}

/// Calls visit(v, number) for every target whose first coordinate is in `first`, in order.
template <typename T, typename Visit>
void for_each_target(const HeadView<T>& view, Range first, const Visit& visit) {
  int64_t inner = 1;
  for (int c = 1; c < view.order; ++c) inner *= view.lengths[c];
  for (int64_t number = first.begin * inner; number < first.end * inner; ++number) {
    Target v{};
    int64_t rest = number;
    for (int c = view.order - 1; c >= 0; --c) {
      v[c] = rest % view.lengths[c];
      rest /= view.lengths[c];
    }
    visit(v, number);
  }
}

/// Element d of the composition of the roles of pivot p, leaving out role `skipped`, as a vector or
/// a scalar (D is a Highway tag of one lane for the tail).
template <class D, typename T>
HWY_INLINE hn::Vec<D> compose(D tag, const Lines<const T>& roles, int order, bool multiplicative,
                              int64_t p, int64_t d, int skipped = -1) {
  auto result = hn::Set(tag, T(multiplicative ? 1 : 0));
  for (int r = 0; r < order; ++r) {
    if (r == skipped) continue;
    const auto x = hn::LoadU(tag, roles[r].row(p) + d);
    result = multiplicative ? hn::Mul(result, x) : hn::Add(result, x);
  }
  return result;
}

/// Calls step(tag, d) for whole vectors of [0, dim), then for single elements.
template <typename T, typename Step>
HWY_INLINE void for_each_vector(int64_t dim, const Step& step) {
  const hn::ScalableTag<T> tag;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(tag));
  int64_t d = 0;
  for (; d + lanes <= dim; d += lanes) step(tag, d);
  const hn::CappedTag<T, 1> single;
  for (; d < dim; ++d) step(single, d);
}

/// <x, composition of the roles of pivot p>
template <typename T>
HWY_INLINE T dot_composed(const T* x, const Lines<const T>& roles, int order, bool multiplicative,
                          int64_t p, int64_t dim) {
  const hn::ScalableTag<T> tag;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(tag));
  auto sum = hn::Zero(tag);
  int64_t d = 0;
  for (; d + lanes <= dim; d += lanes) {
    sum = hn::MulAdd(hn::LoadU(tag, x + d), compose(tag, roles, order, multiplicative, p, d), sum);
  }
  const hn::CappedTag<T, 1> single;
  auto tail = hn::Zero(single);
  for (; d < dim; ++d) {
    tail = hn::MulAdd(hn::LoadU(single, x + d), compose(single, roles, order, multiplicative, p, d),
                      tail);
  }
  return hn::GetLane(hn::SumOfLanes(tag, sum)) + hn::GetLane(tail);
}

/// out[d] = sum over p of weights[p - pivots.begin] * (composition of the roles of p)[d]. Pivots of
/// weight zero are passed over, so that what an excluded pivot holds cannot matter.
template <typename T>
void weighted_sum(const T* weights, const Lines<const T>& roles, int order, bool multiplicative,
                  Range pivots, int64_t dim, T* out) {
  for_each_vector<T>(dim, [&](auto tag, int64_t d) {
    auto sum = hn::Zero(tag);
    for (int64_t p = pivots.begin; p < pivots.end; ++p) {
      const T weight = weights[p - pivots.begin];
      if (weight == T(0)) continue;
      sum = hn::MulAdd(hn::Set(tag, weight), compose(tag, roles, order, multiplicative, p, d), sum);
    }
    hn::StoreU(sum, tag, out + d);
  });
}

/// Adds weight * x, multiplied by the other roles where composition is multiplicative, to the
/// gradient row of role r.
template <typename T>
HWY_INLINE void add_role_gradient(T weight, const T* x, const Lines<const T>& roles, int order,
                                  bool multiplicative, int64_t p, int r, int64_t dim, T* gradient) {
  for_each_vector<T>(dim, [&](auto tag, int64_t d) {
    auto factor = hn::Set(tag, weight);
    if (multiplicative) factor = hn::Mul(factor, compose(tag, roles, order, true, p, d, r));
    const auto sum = hn::MulAdd(factor, hn::LoadU(tag, x + d), hn::LoadU(tag, gradient + d));
    hn::StoreU(sum, tag, gradient + d);
  });
}

/// Softmax weights from logits: values[i] = exp(values[i] - max) * factor, where -inf gives 0.
template <typename T>
void to_weights(std::vector<T>& values, T max, T factor) {
  for_each_vector<T>(static_cast<int64_t>(values.size()), [&](auto tag, int64_t i) {
    const auto x = hn::Sub(hn::LoadU(tag, values.data() + i), hn::Set(tag, max));
    // Highway's Exp gives 0 for what is not a number; here that must stay visible.
    const auto e = hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(tag, x));
    hn::StoreU(hn::Mul(e, hn::Set(tag, factor)), tag, values.data() + i);
  });
}

/// One target's logits and what backward needs of them, for a range of pivots.
template <typename T>
class Row {
 public:
  Row(const HeadView<T>& view, Range pivots)
      : view_(view),
        pivots_(pivots),
        slopes_(pivots.end - pivots.begin),
        logits_(pivots.end - pivots.begin) {}

  void load(const Target& v) {
    v_ = v;
    q_ = at(view_.q, v, view_.order);
    keys_ = lines_of(view_.key, v, view_.order);
    values_ = lines_of(view_.value, v, view_.order);
  }

  /// Fills logits() and slopes().
  void compute_logits() {
    const T scale = static_cast<T>(view_.scale);
    const T cap = static_cast<T>(view_.logit_cap);
    for (int64_t p = pivots_.begin; p < pivots_.end; ++p) {
      const T score =
          scale * dot_composed(q_, keys_, view_.order, view_.multiplicative, p, view_.dim);
      const T t = cap > T(0) ? std::tanh(score / cap) : T(0);
      logits_[p - pivots_.begin] = cap > T(0) ? cap * t : score;
      slopes_[p - pivots_.begin] = T(1) - t * t;
    }
    for (int r = 0; r < view_.order; ++r) {
      if (view_.bias[r].data)
        add_terms(at(view_.bias[r], v_, view_.order, r), view_.bias[r].stride[r]);
    }
    if (view_.mask.data) add_terms(at(view_.mask, v_, view_.order), view_.mask_pivot_stride);
    if (view_.excluded.data) replace_excluded(at(view_.excluded, v_, view_.order));
  }

  const T* q() const { return q_; }
  const Lines<const T>& keys() const { return keys_; }
  const Lines<const T>& values() const { return values_; }
  std::vector<T>& logits() { return logits_; }

  /// d logit / d score.
  const std::vector<T>& slopes() const { return slopes_; }

 private:
  // -inf excludes a pivot whatever its score is, even where that is not a number.
  void add_terms(const T* terms, int64_t stride) {
    for (int64_t p = pivots_.begin; p < pivots_.end; ++p) {
      const T term = terms[p * stride];
      T& logit = logits_[p - pivots_.begin];
      logit = (term == kMinusInfinity<T> || logit == kMinusInfinity<T>) ? kMinusInfinity<T>
                                                                        : logit + term;
    }
  }

  void replace_excluded(const bool* excluded) {
    for (int64_t p = pivots_.begin; p < pivots_.end; ++p) {
      if (!excluded[p * view_.excluded_pivot_stride]) continue;
      logits_[p - pivots_.begin] = static_cast<T>(view_.excluded_logit);
      slopes_[p - pivots_.begin] = T(0);
    }
  }

  const HeadView<T>& view_;
  Range pivots_;
  Target v_{};
  const T* q_ = nullptr;
  Lines<const T> keys_;
  Lines<const T> values_;
  std::vector<T> slopes_;
  std::vector<T> logits_;
};

/// The two numbers of a row that turn its logits into weights.
template <typename T>
struct RowScale {
  T max;
  T factor;  // 0 where no pivot is admissible
};

/// Turns logits into softmax weights in place; all zeros where no pivot is admissible.
template <typename T>
RowScale<T> softmax(std::vector<T>& logits) {
  T max = kMinusInfinity<T>;
  for (const T logit : logits) max = std::isnan(logit) ? logit : std::max(max, logit);
  if (max == kMinusInfinity<T>) {
    std::fill(logits.begin(), logits.end(), T(0));
    return {max, T(0)};
  }
  to_weights(logits, max, T(1));
  T sum = 0;
  for (const T e : logits) sum += e;
  const T factor = T(1) / sum;
  for (T& e : logits) e *= factor;
  return {max, factor};
}

template <typename T>
void forward(const HeadView<T>& view, Range first) {
  const Range pivots{0, view.pivots};
  Row<T> row(view, pivots);
  for_each_target(view, first, [&](const Target& v, int64_t number) {
    row.load(v);
    row.compute_logits();
    std::vector<T>& weights = row.logits();
    const RowScale<T> scale = softmax(weights);
    *at(view.row_max, v, view.order) = scale.max;
    *at(view.row_factor, v, view.order) = scale.factor;
    if (view.dropout > 0) {
      apply_dropout(weights.data(), 0, view.pivots, view.dropout, view.seed,
                    view.dropout_base + static_cast<uint64_t>(number));
    }
    weighted_sum(weights.data(), row.values(), view.order, view.multiplicative, pivots, view.dim,
                 at(view.out, v, view.order));
  });
}

template <typename T>
class Backward {
 public:
  Backward(const HeadView<T>& view, const HeadGradients<T>& grads, BackwardPart part, Range range)
      : view_(view),
        grads_(grads),
        part_(part),
        pivots_(part == BackwardPart::kFirstRole ? range : Range{0, view.pivots}),
        first_(part == BackwardPart::kTargets ? range : Range{0, view.lengths[0]}),
        row_(view, pivots_),
        count_(pivots_.end - pivots_.begin),
        kept_(count_),
        dlogit_(count_),
        dscore_(count_) {}

  void run() {
    for_each_target(view_, first_, [&](const Target& v, int64_t number) { add_target(v, number); });
  }

 private:
  bool wants_role(int r) const {
    if (part_ == BackwardPart::kAll) return true;
    return (part_ == BackwardPart::kFirstRole) == (r == 0);
  }

  void add_target(const Target& v, int64_t number) {
    const T factor = *at(view_.row_factor, v, view_.order);
    if (factor == T(0)) return;
    const T* dout = at(grads_.out, v, view_.order);
    row_.load(v);
    row_.compute_logits();
    to_weights(row_.logits(), *at(view_.row_max, v, view_.order), factor);
    compute_score_gradients(v, number, dout);
    if (part_ != BackwardPart::kFirstRole) add_target_gradients(v);
    for (int r = 0; r < view_.order; ++r) {
      if (wants_role(r)) add_role_gradients(v, r, dout);
    }
  }

  // kept_ = dropout(P); dlogit = P * (dropout'(dP) - <dout, out>); dscore_ = dlogit * cap' * scale.
  void compute_score_gradients(const Target& v, int64_t number, const T* dout) {
    const std::vector<T>& probability = row_.logits();
    std::fill(kept_.begin(), kept_.end(), T(1));
    if (view_.dropout > 0) {
      apply_dropout(kept_.data(), pivots_.begin, pivots_.end, view_.dropout, view_.seed,
                    view_.dropout_base + static_cast<uint64_t>(number));
    }
    const T* out = at(view_.out, v, view_.order);
    T delta = 0;
    for (int64_t d = 0; d < view_.dim; ++d) delta += dout[d] * out[d];
    for (int64_t i = 0; i < count_; ++i) {
      const T p = probability[i];
      const T keep = kept_[i];
      T dp = 0;
      if (p != T(0) && keep != T(0)) {
        dp = keep * dot_composed(dout, row_.values(), view_.order, view_.multiplicative,
                                 pivots_.begin + i, view_.dim);
      }
      kept_[i] = p * keep;
      dlogit_[i] = p == T(0) ? T(0) : p * (dp - delta);
      // Not a product where it is zero: the slope of an excluded pivot may be no number.
      dscore_[i] =
          dlogit_[i] == T(0) ? T(0) : dlogit_[i] * row_.slopes()[i] * static_cast<T>(view_.scale);
    }
  }

  void add_target_gradients(const Target& v) {
    if (grads_.q.data) {
      weighted_sum(dscore_.data(), row_.keys(), view_.order, view_.multiplicative, pivots_,
                   view_.dim, at(grads_.q, v, view_.order));
    }
    if (grads_.mask.data) {
      T* dmask = at(grads_.mask, v, view_.order);
      for (int64_t p = 0; p < count_; ++p) dmask[p * grads_.mask_pivot_stride] += dlogit_[p];
    }
  }

  void add_role_gradients(const Target& v, int r, const T* dout) {
    const int order = view_.order;
    T* dkey = grads_.key[r].data ? at(grads_.key[r], v, order, r) : nullptr;
    T* dvalue = grads_.value[r].data ? at(grads_.value[r], v, order, r) : nullptr;
    T* dbias = grads_.bias[r].data ? at(grads_.bias[r], v, order, r) : nullptr;
    for (int64_t i = 0; i < count_; ++i) {
      const int64_t p = pivots_.begin + i;
      if (dkey && dscore_[i] != T(0)) {
        add_role_gradient(dscore_[i], row_.q(), row_.keys(), order, view_.multiplicative, p, r,
                          view_.dim, dkey + p * grads_.key[r].stride[r]);
      }
      if (dvalue && kept_[i] != T(0)) {
        add_role_gradient(kept_[i], dout, row_.values(), order, view_.multiplicative, p, r,
                          view_.dim, dvalue + p * grads_.value[r].stride[r]);
      }
      if (dbias) dbias[p * grads_.bias[r].stride[r]] += dlogit_[i];
    }
  }

  const HeadView<T>& view_;
  const HeadGradients<T>& grads_;
  const BackwardPart part_;
  const Range pivots_;
  const Range first_;
  Row<T> row_;
  const int64_t count_;
  std::vector<T> kept_;    // the weight that each pivot's value got
  std::vector<T> dlogit_;  // gradients of logits and of <q, key>
  std::vector<T> dscore_;
};

template <typename T>
void weights_of(const HeadView<T>& view, const int64_t* target, T* weights) {
  Target v{};
  std::copy_n(target, view.order, v.begin());
  Row<T> row(view, {0, view.pivots});
  row.load(v);
  row.compute_logits();
  softmax(row.logits());
  std::copy(row.logits().begin(), row.logits().end(), weights);
}

void ForwardF32(const HeadView<float>& view, Range first) { forward(view, first); }
void ForwardF64(const HeadView<double>& view, Range first) { forward(view, first); }
void BackwardF32(const HeadView<float>& view, const HeadGradients<float>& grads, BackwardPart part,
                 Range range) {
  Backward<float>(view, grads, part, range).run();
}
void BackwardF64(const HeadView<double>& view, const HeadGradients<double>& grads,
                 BackwardPart part, Range range) {
  Backward<double>(view, grads, part, range).run();
}
void WeightsF32(const HeadView<float>& view, const int64_t* target, float* weights) {
  weights_of(view, target, weights);
}
void WeightsF64(const HeadView<double>& view, const int64_t* target, double* weights) {
  weights_of(view, target, weights);
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace floydnet::kernels {

HWY_EXPORT(ForwardF32);
HWY_EXPORT(ForwardF64);
HWY_EXPORT(BackwardF32);
HWY_EXPORT(BackwardF64);
HWY_EXPORT(WeightsF32);
HWY_EXPORT(WeightsF64);

void forward_rows(const HeadView<float>& view, Range first) {
  HWY_DYNAMIC_DISPATCH(ForwardF32)(view, first);
}
void forward_rows(const HeadView<double>& view, Range first) {
  HWY_DYNAMIC_DISPATCH(ForwardF64)(view, first);
}
void backward_rows(const HeadView<float>& view, const HeadGradients<float>& grads,
                   BackwardPart part, Range range) {
  HWY_DYNAMIC_DISPATCH(BackwardF32)(view, grads, part, range);
}
void backward_rows(const HeadView<double>& view, const HeadGradients<double>& grads,
                   BackwardPart part, Range range) {
  HWY_DYNAMIC_DISPATCH(BackwardF64)(view, grads, part, range);
}
void target_weights(const HeadView<float>& view, const int64_t* target, float* weights) {
  HWY_DYNAMIC_DISPATCH(WeightsF32)(view, target, weights);
}
void target_weights(const HeadView<double>& view, const int64_t* target, double* weights) {
  HWY_DYNAMIC_DISPATCH(WeightsF64)(view, target, weights);
}

}  // namespace floydnet::kernels
#endif
