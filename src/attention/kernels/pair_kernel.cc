#include "attention/kernels/pair_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "attention/kernels/dropout.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "attention/kernels/pair_kernel.cc"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "attention/kernels/pair_tiles-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

template <typename T>
class PairForward {
 public:
  explicit PairForward(const HeadView<T>& view) : view_(view), shape_(view), walk_(view, shape_) {}

  void run(Range first) {
    with_workspace<T>([this](Arena<T>& arena) { take(arena); });
    walk_.run(first, {0, view_.lengths[1]}, *this);
  }

  void begin_band() const {}
  void end_band(Range) const {}
  void begin_rows() const {}
  void end_rows(Range) const {}

  /// `column` is where the tile's k begin in the band.
  void visit(const Tile& tile, int64_t column) {
    pack_targets(view_.q, tile, shape_, static_cast<T>(view_.scale), q_);
    score_products(tile, shape_, q_, walk_.left().key_panels, walk_.right().key_panels.from(column),
                   scores_);
    for (int64_t i = 0, target = 0; i < tile.height(); ++i) {
      for (int64_t k = 0; k < tile.width(); ++k, ++target) weigh(tile, i, k, column, target);
    }
    pivot_sums(tile, shape_, scores_, walk_.left().value_rows,
               walk_.right().value_rows.from(column), out_);
    for (int64_t i = 0, target = 0; i < tile.height(); ++i) {
      for (int64_t k = 0; k < tile.width(); ++k, ++target) {
        T* out = at(view_.out, tile.i.begin + i, tile.k.begin + k);
        const T* sum = out_ + target * shape_.dim_padded;
        for (int64_t d = 0; d < shape_.dim; ++d) out[d] = factors_[target] * sum[d];
      }
    }
  }

 private:
  void take(Arena<T>& arena) {
    walk_.take(arena, /*backward=*/false);
    const int64_t targets = walk_.block() * walk_.block();
    q_ = arena.take(targets * shape_.dim_padded);
    out_ = arena.take(targets * shape_.dim_padded);
    scores_ = arena.take(targets * shape_.score_row);
    factors_ = arena.take(targets);
  }

  /// Scores of one target become exp(logit - max), with dropout; the factor is left for the sums.
  void weigh(const Tile& tile, int64_t i, int64_t k, int64_t column, int64_t target) {
    T* row = scores_ + target * shape_.score_row;
    const bool has_bias = walk_.left().bias.data != nullptr;
    to_logits<T>(view_, shape_, has_bias ? walk_.left().bias[i] : nullptr,
                 has_bias ? walk_.right().bias[column + k] : nullptr, row, nullptr);
    const hn::ScalableTag<T> tag;
    auto max = hn::Set(tag, -std::numeric_limits<T>::infinity());
    for (int64_t j = 0; j < shape_.pivots_padded; j += lanes<T>()) {
      max = hn::Max(max, hn::LoadU(tag, row + j));
    }
    const T largest = hn::GetLane(hn::MaxOfLanes(tag, max));
    T factor = 0;
    if (largest == -std::numeric_limits<T>::infinity() && !has_nan(row)) {
      std::fill_n(row, shape_.pivots_padded, T(0));
    } else {
      auto sum = hn::Zero(tag);
      const auto shift = hn::Set(tag, largest);
      for (int64_t j = 0; j < shape_.pivots_padded; j += lanes<T>()) {
        const auto e = exp_of(tag, hn::Sub(hn::LoadU(tag, row + j), shift));
        hn::StoreU(e, tag, row + j);
        sum = hn::Add(sum, e);
      }
      factor = T(1) / hn::GetLane(hn::SumOfLanes(tag, sum));
    }
    const int64_t row_i = tile.i.begin + i, row_k = tile.k.begin + k;
    *at(view_.row_max, row_i, row_k) = largest;
    *at(view_.row_factor, row_i, row_k) = factor;
    factors_[target] = factor;
    if (view_.dropout > 0) {
      apply_dropout(row, 0, shape_.pivots, view_.dropout, view_.seed,
                    view_.dropout_base + static_cast<uint64_t>(row_i * view_.lengths[1] + row_k));
    }
  }

  // Max passes over what is no number, which must not be taken for a row of -inf.
  bool has_nan(const T* row) const {
    return std::any_of(row, row + shape_.pivots, [](T x) { return std::isnan(x); });
  }

  const HeadView<T>& view_;
  const Shape<T> shape_;
  TileWalk<T> walk_;
  T *q_ = nullptr, *out_ = nullptr, *scores_ = nullptr, *factors_ = nullptr;
};

template <typename T>
class PairBackward {
 public:
  PairBackward(const HeadView<T>& view, const HeadGradients<T>& grads, BackwardPart part)
      : view_(view),
        grads_(grads),
        shape_(view),
        walk_(view, shape_),
        targets_(part != BackwardPart::kFirstRole),
        first_role_(part != BackwardPart::kTargets) {}

  void run(Range rows, Range columns) {
    with_workspace<T>([this](Arena<T>& arena) { take(arena); });
    walk_.run(rows, columns, *this);
  }

  void begin_band() const {
    if (!first_role_) return;
    for (const Packed<T>& sums : {dkey_right_, dvalue_right_, dbias_right_}) {
      std::fill_n(sums.data, walk_.band() * sums.size, T(0));
    }
  }
  void begin_rows() const {
    if (!targets_) return;
    for (const Packed<T>& sums : {dkey_left_, dvalue_left_, dbias_left_}) {
      std::fill_n(sums.data, walk_.block() * sums.size, T(0));
    }
  }
  void end_rows(Range rows) const {
    if (!targets_) return;
    for (int64_t i = rows.begin; i < rows.end; ++i) {
      const int64_t index = i - rows.begin;
      const auto &key = grads_.key[kLeft], &value = grads_.value[kLeft], &bias = grads_.bias[kLeft];
      if (key.data) add_rows(dkey_left_[index], at(key, i, 0), key.stride[1]);
      if (value.data) add_rows(dvalue_left_[index], at(value, i, 0), value.stride[1]);
      if (bias.data) add_biases(dbias_left_[index], at(bias, i, 0), bias.stride[1]);
    }
  }
  void end_band(Range band) const {
    if (!first_role_) return;
    for (int64_t k = band.begin; k < band.end; ++k) {
      const int64_t index = k - band.begin;
      const auto &key = grads_.key[kRight], &value = grads_.value[kRight],
                 &bias = grads_.bias[kRight];
      if (key.data) add_rows(dkey_right_[index], at(key, 0, k), key.stride[0]);
      if (value.data) add_rows(dvalue_right_[index], at(value, 0, k), value.stride[0]);
      if (bias.data) add_biases(dbias_right_[index], at(bias, 0, k), bias.stride[0]);
    }
  }

  /// `column` is where the tile's k begin in the band.
  void visit(const Tile& tile, int64_t column) {
    const Relations<T>&left = walk_.left(), &right = walk_.right();
    pack_targets(view_.q, tile, shape_, static_cast<T>(view_.scale), q_);
    pack_targets(grads_.out, tile, shape_, T(1), dout_);
    score_products(tile, shape_, q_, left.key_panels, right.key_panels.from(column), scores_);
    score_products(tile, shape_, dout_, left.value_panels, right.value_panels.from(column),
                   dscores_);
    for (int64_t i = 0, target = 0; i < tile.height(); ++i) {
      for (int64_t k = 0; k < tile.width(); ++k, ++target)
        differentiate(tile, i, k, column, target);
    }
    if (first_role_) {
      add_right_gradients(tile, shape_, dscores_, q_, dkey_right_.from(column));
      add_right_gradients(tile, shape_, scores_, dout_, dvalue_right_.from(column));
    }
    if (!targets_) return;
    pivot_sums(tile, shape_, dscores_, left.key_rows, right.key_rows.from(column), dq_);
    write_dq(tile);
    add_left_gradients(tile, shape_, dscores_, q_, dkey_left_);
    add_left_gradients(tile, shape_, scores_, dout_, dvalue_left_);
  }

 private:
  void take(Arena<T>& arena) {
    walk_.take(arena, /*backward=*/true);
    const int64_t block = walk_.block(), targets = block * block;
    q_ = arena.take(targets * shape_.dim_padded);
    dout_ = arena.take(targets * shape_.dim_padded);
    dq_ = arena.take(targets * shape_.dim_padded);
    scores_ = arena.take(targets * shape_.score_row);
    dscores_ = arena.take(targets * shape_.score_row);
    slopes_ = arena.take(shape_.pivots_padded);
    kept_ = arena.take(shape_.pivots_padded);
    dkey_right_ = arena.take(walk_.band(), shape_.rows);
    dvalue_right_ = arena.take(walk_.band(), shape_.rows);
    dbias_right_ = arena.take(walk_.band(), shape_.pivots_padded);
    dkey_left_ = arena.take(block, shape_.rows);
    dvalue_left_ = arena.take(block, shape_.rows);
    dbias_left_ = arena.take(block, shape_.pivots_padded);
  }

  /// One target: scores become the weights that its values got, dscores the gradients of its
  /// scores.
  void differentiate(const Tile& tile, int64_t i, int64_t k, int64_t column, int64_t target) {
    T* row = scores_ + target * shape_.score_row;
    T* drow = dscores_ + target * shape_.score_row;
    const int64_t row_i = tile.i.begin + i, row_k = tile.k.begin + k;
    const T factor = *at(view_.row_factor, row_i, row_k);
    if (factor == T(0)) {
      std::fill_n(row, shape_.pivots_padded, T(0));
      std::fill_n(drow, shape_.pivots_padded, T(0));
      return;
    }
    const bool has_bias = walk_.left().bias.data != nullptr, has_cap = view_.logit_cap > 0;
    to_logits<T>(view_, shape_, has_bias ? walk_.left().bias[i] : nullptr,
                 has_bias ? walk_.right().bias[column + k] : nullptr, row, slopes_);
    if (view_.dropout > 0) {
      std::fill_n(kept_, shape_.pivots_padded, T(1));
      apply_dropout(kept_, 0, shape_.pivots, view_.dropout, view_.seed,
                    view_.dropout_base + static_cast<uint64_t>(row_i * view_.lengths[1] + row_k));
    }
    const hn::ScalableTag<T> tag;
    const auto shift = hn::Set(tag, *at(view_.row_max, row_i, row_k));
    const auto scale = hn::Set(tag, factor);
    const auto delta = hn::Set(tag, out_dot_dout(row_i, row_k, target));
    for (int64_t j = 0; j < shape_.pivots_padded; j += lanes<T>()) {
      const auto p = hn::Mul(exp_of(tag, hn::Sub(hn::LoadU(tag, row + j), shift)), scale);
      auto dp = hn::LoadU(tag, drow + j);
      auto weight = p;
      if (view_.dropout > 0) {
        const auto keep = hn::LoadU(tag, kept_ + j);
        dp = hn::Mul(dp, keep);
        weight = hn::Mul(p, keep);
      }
      const auto dlogit = hn::Mul(p, hn::Sub(dp, delta));
      if (targets_) add_to(dbias_left_[i] + j, dlogit);
      if (first_role_) add_to(dbias_right_[column + k] + j, dlogit);
      hn::StoreU(weight, tag, row + j);
      // Where a pivot is excluded or beyond the last, the slope may be no number.
      const auto dscore = has_cap ? hn::Mul(dlogit, hn::LoadU(tag, slopes_ + j)) : dlogit;
      hn::StoreU(hn::IfThenZeroElse(hn::Eq(dlogit, hn::Zero(tag)), dscore), tag, drow + j);
    }
  }

  template <class V>
  static HWY_INLINE void add_to(T* sums, V terms) {
    const hn::ScalableTag<T> tag;
    hn::StoreU(hn::Add(hn::LoadU(tag, sums), terms), tag, sums);
  }

  T out_dot_dout(int64_t i, int64_t k, int64_t target) const {
    const T* out = at(view_.out, i, k);
    const T* dout = dout_ + target * shape_.dim_padded;
    T sum = 0;
    for (int64_t d = 0; d < shape_.dim; ++d) sum += out[d] * dout[d];
    return sum;
  }

  void write_dq(const Tile& tile) const {
    if (!grads_.q.data) return;
    const T* dq = dq_;
    for (int64_t i = tile.i.begin; i < tile.i.end; ++i) {
      for (int64_t k = tile.k.begin; k < tile.k.end; ++k, dq += shape_.dim_padded) {
        T* out = at(grads_.q, i, k);
        for (int64_t d = 0; d < shape_.dim; ++d) out[d] = static_cast<T>(view_.scale) * dq[d];
      }
    }
  }

  /// Adds sums, [j][dim_padded], to the gradient rows that start at `out`.
  void add_rows(const T* sums, T* out, int64_t stride) const {
    for (int64_t j = 0; j < shape_.pivots; ++j, sums += shape_.dim_padded, out += stride) {
      for (int64_t d = 0; d < shape_.dim; ++d) out[d] += sums[d];
    }
  }
  void add_biases(const T* sums, T* out, int64_t stride) const {
    for (int64_t j = 0; j < shape_.pivots; ++j) out[j * stride] += sums[j];
  }

  const HeadView<T>& view_;
  const HeadGradients<T>& grads_;
  const Shape<T> shape_;
  TileWalk<T> walk_;
  const bool targets_, first_role_;  // which gradients are wanted
  T *q_ = nullptr, *dout_ = nullptr, *dq_ = nullptr;
  T *scores_ = nullptr, *dscores_ = nullptr;
  T *slopes_ = nullptr, *kept_ = nullptr;  // of one target
  Packed<T> dkey_right_, dvalue_right_, dbias_right_, dkey_left_, dvalue_left_, dbias_left_;
};

template <typename T>
void backward(const HeadView<T>& view, const HeadGradients<T>& grads, BackwardPart part,
              Range range) {
  const Range all_rows = {0, view.lengths[0]}, all_columns = {0, view.lengths[1]};
  PairBackward<T>(view, grads, part)
      .run(part == BackwardPart::kTargets ? range : all_rows,
           part == BackwardPart::kFirstRole ? range : all_columns);
}

void ForwardPairsF32(const HeadView<float>& view, Range first) {
  PairForward<float>(view).run(first);
}
void ForwardPairsF64(const HeadView<double>& view, Range first) {
  PairForward<double>(view).run(first);
}
void BackwardPairsF32(const HeadView<float>& view, const HeadGradients<float>& grads,
                      BackwardPart part, Range range) {
  backward(view, grads, part, range);
}
void BackwardPairsF64(const HeadView<double>& view, const HeadGradients<double>& grads,
                      BackwardPart part, Range range) {
  backward(view, grads, part, range);
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace floydnet::kernels {

HWY_EXPORT(ForwardPairsF32);
HWY_EXPORT(ForwardPairsF64);
HWY_EXPORT(BackwardPairsF32);
HWY_EXPORT(BackwardPairsF64);

void forward_pairs(const HeadView<float>& view, Range first) {
  HWY_DYNAMIC_DISPATCH(ForwardPairsF32)(view, first);
}
void forward_pairs(const HeadView<double>& view, Range first) {
  HWY_DYNAMIC_DISPATCH(ForwardPairsF64)(view, first);
}
void backward_pairs(const HeadView<float>& view, const HeadGradients<float>& grads,
                    BackwardPart part, Range range) {
  HWY_DYNAMIC_DISPATCH(BackwardPairsF32)(view, grads, part, range);
}
void backward_pairs(const HeadView<double>& view, const HeadGradients<double>& grads,
                    BackwardPart part, Range range) {
  HWY_DYNAMIC_DISPATCH(BackwardPairsF64)(view, grads, part, range);
}

}  // namespace floydnet::kernels
#endif
