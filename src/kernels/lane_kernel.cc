#include "kernels/lane_kernel.h"

#include <algorithm>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/lane_kernel.cc"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "kernels/lanes-inl.h"
#include "kernels/softmax-inl.h"
#include "kernels/tiles-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

/// What both passes share: the heads of all lanes, and how their arrays are packed. First
/// coordinates i are taken kRows at a time: arrays [i][x][d] of theirs are lines along the second
/// coordinate or the pivot, those of the right relation, [k][j][d], are whole.
template <typename T, int kRows>
class LaneTask {
 protected:
  // Targets of a block along the first and the second coordinate: as many as registers allow, since
  // the relations of each have to come from the second-level cache.
  static constexpr int kHeight = HWY_TARGET <= HWY_AVX3 ? 4 : 2, kWidth = 2;

  LaneTask(const LaneHead<T>* heads, int64_t count)
      : heads_(heads), count_(count), view_(*heads[0].view) {
    for (int64_t l = 0; l < count; ++l) nodes_ = std::max(nodes_, heads[l].view->pivots);
    fewest_nodes_ = nodes_;
    for (int64_t l = 0; l < count; ++l) {
      fewest_nodes_ = std::min(fewest_nodes_, heads[l].view->pivots);
    }
    line_ = nodes_ * view_.dim * kLanes<T>;
    row_ = nodes_ * kLanes<T>;
  }

  /// For what lanes without a row read and write.
  void take_row(Arena<T>& arena) { spare_row_ = arena.take(view_.dim); }

  /// The rows of every lane along one coordinate, the other being `fixed`. `array` gives a head's.
  template <typename Array>
  auto rows(const Array& array, int along, int64_t fixed) const {
    LaneRows<std::remove_pointer_t<decltype(array(heads_[0]).data)>> rows;
    for (int l = 0; l < kLanes<T>; ++l) {
      const LaneHead<T>& head = heads_[std::min<int64_t>(l, count_ - 1)];
      const auto& of = array(head);
      const int64_t nodes = l < count_ ? head.view->pivots : 0;
      rows.step[l] = of.stride[along];
      rows.count[l] = fixed < nodes ? nodes : 0;
      rows.row[l] = of.data + (fixed < nodes ? fixed * of.stride[1 - along] : 0);
    }
    return rows;
  }

  template <typename Array>
  void pack(const Array& array, int along, int64_t fixed, T* out) const {
    std::fill_n(spare_row_, view_.dim, T(0));
    pack_lanes<T>(rows(array, along, fixed), nodes_, view_.dim, spare_row_, out);
  }
  /// Lines [i][x][d] of some first coordinates.
  template <typename Array>
  void pack_lines(const Array& array, Range first, T* out) const {
    for (int64_t i = first.begin; i < first.end; ++i, out += line_) pack(array, 1, i, out);
  }
  /// The right relation, [k][j][d].
  template <typename Array>
  void pack_right(const Array& array, T* out) const {
    for (int64_t k = 0; k < nodes_; ++k) pack(array, 0, k, out + k * line_);
  }

  /// All heads have the gradient in question, or none has.
  template <typename Array>
  void unpack(const T* in, const Array& array, int along, int64_t fixed) const {
    if (!array(heads_[0]).data) return;
    unpack_lanes<T>(in, nodes_, view_.dim, rows(array, along, fixed), spare_row_);
  }
  template <typename Array>
  void unpack_lines(const T* in, const Array& array, Range first) const {
    for (int64_t i = first.begin; i < first.end; ++i, in += line_) unpack(in, array, 1, i);
  }

  template <typename Visit>
  void for_each_rows(const Visit& visit) const {
    for (int64_t i = 0; i < nodes_; i += kRows) visit(Range{i, std::min(nodes_, i + kRows)});
  }

  /// Targets (i, k) of lines, in blocks: visit(i, k, kI, kK).
  template <typename Visit>
  HWY_INLINE void for_each_block_of_targets(int64_t lines, const Visit& visit) const {
    for (int64_t k = 0; k < nodes_; k += kWidth) {
      const bool is_pair = k + 1 < nodes_;
      for_each_lane_block<kHeight>(lines, [&](int64_t i, auto height) HWY_ATTR {
        if (is_pair) {
          visit(i, k, height, std::integral_constant<int, 2>());
        } else {
          visit(i, k, height, std::integral_constant<int, 1>());
        }
      });
    }
  }

  /// out[i][k][j] = sum over d of x[i][k][d] compose(left[i][j][d], right[k][j][d])
  template <int kI, int kK>
  void scores(const T* x, const T* left, const T* right, int64_t i, int64_t k, T* out,
              int64_t out_i) const {
    const ComposedProduct<T> product = {x + i * line_ + k * step(),
                                        left + i * line_,
                                        right + k * line_,
                                        out,
                                        line_,
                                        step(),
                                        line_,
                                        line_,
                                        step(),
                                        kLanes<T>,
                                        out_i,
                                        row_};
    compute<kI, kK>(product, nodes_, view_.dim);
  }
  /// out[i][k][d] = sum over j of weights[i][k][j] compose(left[i][j][d], right[k][j][d])
  template <int kI, int kK>
  void sums(const T* weights, int64_t weights_i, const T* left, const T* right, int64_t i,
            int64_t k, T* out) const {
    const ComposedProduct<T> product = {weights,
                                        left + i * line_,
                                        right + k * line_,
                                        out + i * line_ + k * step(),
                                        weights_i,
                                        row_,
                                        line_,
                                        line_,
                                        kLanes<T>,
                                        step(),
                                        line_,
                                        step()};
    compute<kI, kK>(product, view_.dim, nodes_);
  }

  /// Scores of one target, in place, to exponentials; returns what makes their sum 1.
  HWY_INLINE LaneVec<T> exponentiate_lanes(T* row) const {
    const hn::ScalableTag<T> tag;
    for (int64_t j = fewest_nodes_; j < nodes_; ++j) exclude_missing(j, row + j * kLanes<T>);
    LaneVec<T> max = load_lanes(row);
    for (int64_t j = 1; j < nodes_; ++j) max = hn::Max(load_lanes(row + j * kLanes<T>), max);
    // Where all are -inf no pivot is admissible, and all exponentials are 0.
    max = hn::IfThenZeroElse(hn::Eq(max, hn::Set(tag, kMinusInfinity<T>)), max);
    const auto scale = hn::Set(tag, static_cast<T>(view_.scale) * kExpUnit<T>);
    const auto shift = hn::Mul(max, scale);
    LaneVec<T> sum = hn::Zero(tag);
    for (int64_t j = 0; j < nodes_; ++j) {
      const auto e = exp_units(tag, hn::MulSub(load_lanes(row + j * kLanes<T>), scale, shift));
      hn::Store(e, tag, row + j * kLanes<T>);
      sum = hn::Add(sum, e);
    }
    const auto factor = hn::Div(hn::Set(tag, T(1)), sum);
    return hn::IfThenZeroElse(hn::Eq(sum, hn::Zero(tag)), factor);
  }

  int64_t step() const { return view_.dim * kLanes<T>; }

  const LaneHead<T>* const heads_;
  const int64_t count_;
  const HeadView<T>& view_;  // of the first lane: what is the same for all
  int64_t nodes_ = 1;        // of the largest graph
  int64_t fewest_nodes_;     // of the smallest
  int64_t line_, row_;       // elements of [x][d] and of [x], in all lanes
  T* spare_row_ = nullptr;

 private:
  template <int kI, int kK>
  void compute(const ComposedProduct<T>& product, int64_t outer, int64_t inner) const {
    (view_.multiplicative ? composed_product<true, kI, kK, T>
                          : composed_product<false, kI, kK, T>)(product, outer, inner);
  }

  void exclude_missing(int64_t j, T* scores) const {
    for (int64_t l = 0; l < count_; ++l) {
      if (j >= heads_[l].view->pivots) scores[l] = kMinusInfinity<T>;
    }
  }
};

constexpr int kForwardRows = HWY_TARGET <= HWY_AVX3 ? 4 : 2, kBackwardRows = 4;

template <typename T>
class LaneForward : private LaneTask<T, kForwardRows> {
  using Base = LaneTask<T, kForwardRows>;
  using Base::line_;
  using Base::nodes_;
  using Base::row_;

 public:
  LaneForward(const LaneHead<T>* heads, int64_t count) : Base(heads, count) {}

  void run() {
    with_workspace<T>([this](Arena<T>& arena) {
      this->take_row(arena);
      for (T** whole : {&right_key_, &right_value_}) *whole = arena.take(nodes_ * line_);
      for (T** lines : {&q_, &left_key_, &left_value_, &out_}) {
        *lines = arena.take(kForwardRows * line_);
      }
      weights_ = arena.take(Base::kHeight * Base::kWidth * row_);
    });
    this->pack_right([](const LaneHead<T>& head) { return head.view->key[0]; }, right_key_);
    this->pack_right([](const LaneHead<T>& head) { return head.view->value[0]; }, right_value_);
    this->for_each_rows([this](Range first) { visit(first); });
  }

 private:
  void visit(Range first) const {
    this->pack_lines([](const LaneHead<T>& head) { return head.view->q; }, first, q_);
    this->pack_lines([](const LaneHead<T>& head) { return head.view->key[1]; }, first, left_key_);
    this->pack_lines([](const LaneHead<T>& head) { return head.view->value[1]; }, first,
                     left_value_);
    this->for_each_block_of_targets(first.end - first.begin,
                                    [&](int64_t i, int64_t k, auto height, auto width) HWY_ATTR {
                                      attend<decltype(height)::value, decltype(width)::value>(i, k);
                                    });
    this->unpack_lines(
        out_, [](const LaneHead<T>& head) { return head.view->out; }, first);
  }

  template <int kI, int kK>
  HWY_INLINE void attend(int64_t i, int64_t k) const {
    const hn::ScalableTag<T> tag;
    const int64_t weights_i = Base::kWidth * row_;
    this->template scores<kI, kK>(q_, left_key_, right_key_, i, k, weights_, weights_i);
    LaneVec<T> factor[kI * kK];
    for (int v = 0; v < kI * kK; ++v) {
      factor[v] = this->exponentiate_lanes(weights_ + v / kK * weights_i + v % kK * row_);
    }
    this->template sums<kI, kK>(weights_, weights_i, left_value_, right_value_, i, k, out_);
    for (int v = 0; v < kI * kK; ++v) {
      T* out = out_ + (i + v / kK) * line_ + (k + v % kK) * this->step();
      for (int64_t d = 0; d < this->step(); d += kLanes<T>) {
        hn::Store(hn::Mul(load_lanes(out + d), factor[v]), tag, out + d);
      }
    }
  }

  T *right_key_ = nullptr, *right_value_ = nullptr;  // [k][j][d]
  // [i][x][d]
  T *q_ = nullptr, *left_key_ = nullptr, *left_value_ = nullptr, *out_ = nullptr;
  T* weights_ = nullptr;  // [i][k][j] of a block
};

template <typename T>
class LaneBackward : private LaneTask<T, kBackwardRows> {
  using Base = LaneTask<T, kBackwardRows>;
  using Base::line_;
  using Base::nodes_;
  using Base::row_;
  using Base::view_;

 public:
  LaneBackward(const LaneHead<T>* heads, int64_t count) : Base(heads, count) {}

  void run() {
    with_workspace<T>([this](Arena<T>& arena) {
      this->take_row(arena);
      for (Relation* relation : {&key_, &value_}) {
        relation->right = arena.take(nodes_ * line_);
        relation->dright = arena.take(nodes_ * line_);
        relation->left = arena.take(kBackwardRows * line_);
        relation->dleft = arena.take(kBackwardRows * line_);
      }
      for (T** lines : {&q_, &dq_, &dout_}) *lines = arena.take(kBackwardRows * line_);
      for (T** rows : {&weights_, &dscores_}) *rows = arena.take(kBackwardRows * nodes_ * row_);
    });
    this->pack_right([](const LaneHead<T>& head) { return head.view->key[0]; }, key_.right);
    this->pack_right([](const LaneHead<T>& head) { return head.view->value[0]; }, value_.right);
    this->for_each_rows([this](Range first) { visit(first); });
    for (int64_t k = 0; k < nodes_; ++k) {
      this->unpack(
          key_.dright + k * line_, [](const LaneHead<T>& head) { return head.grads->key[0]; }, 0,
          k);
      this->unpack(
          value_.dright + k * line_, [](const LaneHead<T>& head) { return head.grads->value[0]; },
          0, k);
    }
  }

 private:
  /// Keys or values.
  struct Relation {
    T *right = nullptr, *dright = nullptr;  // [k][j][d]
    T *left = nullptr, *dleft = nullptr;    // [i][j][d]
  };

  void visit(Range first) const {
    const int64_t lines = first.end - first.begin;
    this->pack_lines([](const LaneHead<T>& head) { return head.view->q; }, first, q_);
    this->pack_lines([](const LaneHead<T>& head) { return head.grads->out; }, first, dout_);
    this->pack_lines([](const LaneHead<T>& head) { return head.view->key[1]; }, first, key_.left);
    this->pack_lines([](const LaneHead<T>& head) { return head.view->value[1]; }, first,
                     value_.left);
    this->for_each_block_of_targets(
        lines, [&](int64_t i, int64_t k, auto height, auto width) HWY_ATTR {
          differentiate<decltype(height)::value, decltype(width)::value>(i, k);
        });
    add_relation(key_, dscores_, q_, lines, first.begin > 0);
    add_relation(value_, weights_, dout_, lines, first.begin > 0);
    this->unpack_lines(
        dq_, [](const LaneHead<T>& head) { return head.grads->q; }, first);
    this->unpack_lines(
        key_.dleft, [](const LaneHead<T>& head) { return head.grads->key[1]; }, first);
    this->unpack_lines(
        value_.dleft, [](const LaneHead<T>& head) { return head.grads->value[1]; }, first);
  }

  /// The weights of a block of targets and the gradients of their scores and queries.
  template <int kI, int kK>
  HWY_INLINE void differentiate(int64_t i, int64_t k) const {
    const int64_t tile = nodes_ * row_;
    T *weights = weights_ + i * tile + k * row_, *dscores = dscores_ + i * tile + k * row_;
    this->template scores<kI, kK>(q_, key_.left, key_.right, i, k, weights, tile);
    this->template scores<kI, kK>(dout_, value_.left, value_.right, i, k, dscores, tile);
    for (int v = 0; v < kI * kK; ++v) {
      const int64_t offset = v / kK * tile + v % kK * row_;
      softmax_gradients(weights + offset, dscores + offset);
    }
    this->template sums<kI, kK>(dscores, tile, key_.left, key_.right, i, k, dq_);
  }

  /// Scores of one target become weights, gradients of the weights those of the scores.
  HWY_INLINE void softmax_gradients(T* weights, T* gradients) const {
    const hn::ScalableTag<T> tag;
    const LaneVec<T> factor = this->exponentiate_lanes(weights);
    LaneVec<T> delta = hn::Zero(tag);
    for (int64_t j = 0; j < row_; j += kLanes<T>) {
      const LaneVec<T> weight = hn::Mul(load_lanes(weights + j), factor);
      delta = hn::MulAdd(weight, load_lanes(gradients + j), delta);
      hn::Store(weight, tag, weights + j);
    }
    const LaneVec<T> scale = hn::Set(tag, static_cast<T>(view_.scale));
    for (int64_t j = 0; j < row_; j += kLanes<T>) {
      const LaneVec<T> centred = hn::Mul(hn::Sub(load_lanes(gradients + j), delta), scale);
      hn::Store(hn::Mul(load_lanes(weights + j), centred), tag, gradients + j);
    }
  }

  /// dleft[i][j] = sum over k, and dright[k][j] += sum over i, of weights[i][k][j] x[i][k], each
  /// term times what stands in the other role if composition is a product.
  void add_relation(const Relation& of, const T* weights, const T* x, int64_t lines,
                    bool accumulate) const {
    const int64_t tile = nodes_ * row_;
    const auto multiply = view_.multiplicative ? outer_product<true, T> : outer_product<false, T>;
    for (int64_t i = 0; i < lines; ++i) {
      multiply({weights + i * tile, x + i * line_, of.right, of.dleft + i * line_, row_,
                this->step(), line_, this->step()},
               nodes_, view_.dim, nodes_, false);
    }
    for (int64_t k = 0; k < nodes_; ++k) {
      multiply({weights + k * row_, x + k * this->step(), of.left, of.dright + k * line_, tile,
                line_, line_, this->step()},
               nodes_, view_.dim, lines, accumulate);
    }
  }

  Relation key_, value_;
  T *q_ = nullptr, *dq_ = nullptr, *dout_ = nullptr;  // [i][k][d]
  T *weights_ = nullptr, *dscores_ = nullptr;         // [i][k][j]
};

int64_t LaneCountF32() { return kLanes<float>; }
int64_t LaneCountF64() { return kLanes<double>; }
void ForwardLanesF32(const LaneHead<float>* heads, int64_t count) {
  LaneForward<float>(heads, count).run();
}
void ForwardLanesF64(const LaneHead<double>* heads, int64_t count) {
  LaneForward<double>(heads, count).run();
}
void BackwardLanesF32(const LaneHead<float>* heads, int64_t count) {
  LaneBackward<float>(heads, count).run();
}
void BackwardLanesF64(const LaneHead<double>* heads, int64_t count) {
  LaneBackward<double>(heads, count).run();
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace floydnet::kernels {

HWY_EXPORT(LaneCountF32);
HWY_EXPORT(LaneCountF64);
HWY_EXPORT(ForwardLanesF32);
HWY_EXPORT(ForwardLanesF64);
HWY_EXPORT(BackwardLanesF32);
HWY_EXPORT(BackwardLanesF64);

template <>
int64_t lane_count<float>() {
  return HWY_DYNAMIC_DISPATCH(LaneCountF32)();
}
template <>
int64_t lane_count<double>() {
  return HWY_DYNAMIC_DISPATCH(LaneCountF64)();
}
void forward_lanes(const LaneHead<float>* heads, int64_t count) {
  HWY_DYNAMIC_DISPATCH(ForwardLanesF32)(heads, count);
}
void forward_lanes(const LaneHead<double>* heads, int64_t count) {
  HWY_DYNAMIC_DISPATCH(ForwardLanesF64)(heads, count);
}
void backward_lanes(const LaneHead<float>* heads, int64_t count) {
  HWY_DYNAMIC_DISPATCH(BackwardLanesF32)(heads, count);
}
void backward_lanes(const LaneHead<double>* heads, int64_t count) {
  HWY_DYNAMIC_DISPATCH(BackwardLanesF64)(heads, count);
}

}  // namespace floydnet::kernels
#endif
