#include "kernels/block_kernel.h"

#include <algorithm>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/block_kernel.cc"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "kernels/pack-inl.h"
#include "kernels/bfloat16-inl.h"
#include "kernels/rows-inl.h"
#include "kernels/tiles-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

/// Where each map's panels are in the packed weights. For forward a map is [in, out], for backward
/// [out, in]. Where heads are apart, the slices of qkv have panels of their own in forward, since
/// each is written to a place of its own; so have those of proj in backward.
template <typename T>
struct PackedMaps {
  explicit PackedMaps(const BlockArrays<T>& a)
      : slice(round_up(a.head_dim(), panel_width<T>()) * a.dim),
        proj(a.slices * std::max(slice, a.head_dim() * round_up(a.dim, panel_width<T>()))),
        up(proj + std::max(panels(a.dim, a.dim), a.heads * slice)),
        down(up + panels(a.dim, a.hidden)),
        end(down + panels(a.dim, a.hidden)) {}

  static int64_t panels(int64_t a, int64_t b) {
    return std::max(round_up(a, panel_width<T>()) * b, round_up(b, panel_width<T>()) * a);
  }

  int64_t slice;  // elements of one
  int64_t proj, up, down, end;
};

/// panels of B[k, n] = w[n, k]
template <typename T>
void pack_transposed(const T* w, int64_t out, int64_t in, T* panels) {
  const LineRows<T> rows = {{w, in, nullptr, 0, out}, /*lines=*/1, 0, 0};
  const std::vector<T> zeros(static_cast<size_t>(in), T(0));
  const int64_t width = panel_width<T>();
  pack_panels(rows, {0, round_up(out, width)}, in, width, zeros.data(), panels, 0);
}

/// Heads narrower than a vector, or not whole vectors wide: rows are copied piece by piece.
template <typename T>
HWY_INLINE void copy_piece(const T* in, int64_t count, T* out) {
  const hn::CappedTag<T, 4> tag;
  const int64_t step = static_cast<int64_t>(hn::Lanes(tag));
  int64_t i = 0;
  for (; i + step <= count; i += step) hn::StoreU(hn::LoadU(tag, in + i), tag, out + i);
  for (; i < count; ++i) out[i] = in[i];
}

/// out[k * out_row + i] = source(k, begin + i), k in `rows`, for the columns of a vector.
template <typename T>
void copy_columns(const ColumnGroups<T>& source, Range rows, int64_t begin, T* out,
                  int64_t out_row) {
  const hn::ScalableTag<T> tag;
  const auto column = [&](int64_t c) {
    return source.data + c / source.group * source.group_stride + c % source.group +
           rows.begin * source.row;
  };
  const int64_t count = rows.end - rows.begin;
  if (source.group % lanes<T>() == 0) {
    const T* in = column(begin);
    for (int64_t k = 0; k < count; ++k) {
      hn::StoreU(hn::LoadU(tag, in + k * source.row), tag, out + k * out_row);
    }
    return;
  }
  for (int64_t c = begin, end = begin + lanes<T>(); c < end;) {
    const int64_t piece = std::min(end - c, source.group - c % source.group);
    const T* in = column(c);
    for (int64_t k = 0; k < count; ++k) {
      copy_piece(in + k * source.row, piece, out + k * out_row + c - begin);
    }
    c += piece;
  }
}

/// panels of B[k, n] = source(k, n), k in `rows`
template <typename T>
void pack_columns(const ColumnGroups<T>& source, Range rows, int64_t columns, T* panels) {
  const int64_t width = panel_width<T>(), count = rows.end - rows.begin;
  for (int64_t n = 0; n < columns; n += lanes<T>()) {
    copy_columns(source, rows, n, panels + n / width * width * count + n % width, width);
  }
}

template <typename T>
Right<T> panels_of(const T* panels, int64_t inner) {
  const int64_t width = panel_width<T>();
  return {panels, width, width * inner};
}

/// C = or += A B, where A has rows of `inner` numbers, or of half as many pairs, and B such panels.
template <typename T>
void map_rows(bool are_pairs, int64_t rows, int64_t columns, int64_t inner, Left<T> a,
              const T* panels, int64_t panel_inner, T* c, int64_t c_row, bool accumulate) {
  if constexpr (kHasPairs<T>) {
    if (are_pairs) {
      return product<T, Elements::kPairs>(rows, columns, inner / 2, a,
                                          panels_of(panels, panel_inner / 2), c, c_row, accumulate);
    }
  }
  product<T>(rows, columns, inner, a, panels_of(panels, panel_inner), c, c_row, accumulate);
}

/// Numbers to pairs, in place, if so wanted.
template <typename T>
void round_rows(bool rounds, int64_t rows, int64_t columns, T* data) {
  if constexpr (kHasPairs<T>) {
    if (rounds) pair_rows(rows, columns, data);
  }
}

template <typename T>
void add_bias(const T* bias, int64_t rows, int64_t columns, T* out, int64_t stride) {
  for (int64_t r = 0; bias && r < rows; ++r) add_row(bias, columns, out + r * stride);
}

template <typename T>
class BlockPass {
 public:
  BlockPass(const BlockArrays<T>& arrays, Range rows) : a_(arrays), maps_(arrays), rows_(rows) {}

  void forward_inputs() {
    with_workspace<T>([this](Arena<T>& arena) {
      first_ = arena.take(kBlockRowsAtATime * a_.dim);
      take_left(arena);
    });
    for_each_block([this] {
      for (int64_t r = 0; r < count_; ++r) {
        T* stats = a_.stats1 + 2 * (begin_ + r);
        row_statistics(a_.x + (begin_ + r) * a_.dim, a_.dim, a_.eps, !a_.norm1.bias, stats);
        normalise(a_.x + (begin_ + r) * a_.dim, a_.dim, stats, a_.norm1, first_ + r * a_.dim);
      }
      const Left<T> left = left_rows(first_, a_.dim);
      if (!a_.is_by_head) {
        T* qkv = a_.qkv + begin_ * slices_width();
        map(left, a_.dim, a_.packed, slices_width(), qkv, false);
        return add_bias(a_.qkv_map.bias, count_, slices_width(), qkv, slices_width());
      }
      const int64_t d = a_.head_dim();
      for (int64_t s = 0; s < a_.slices; ++s) {
        T* out = a_.qkv + (s * a_.rows + begin_) * d;
        map(left, a_.dim, a_.packed + s * maps_.slice, d, out, false);
        add_bias(a_.qkv_map.bias ? a_.qkv_map.bias + s * d : nullptr, count_, d, out, d);
      }
    });
  }

  void forward_outputs() {
    with_workspace<T>([this](Arena<T>& arena) {
      first_ = arena.take(kBlockRowsAtATime * a_.dim);
      second_ = arena.take(kBlockRowsAtATime * a_.hidden);
      third_ = arena.take(kBlockRowsAtATime * a_.hidden);
      take_left(arena);
    });
    for_each_block([this] {
      T* middle = a_.middle + begin_ * a_.dim;
      copy_elements(a_.x + begin_ * a_.dim, count_ * a_.dim, middle);
      add_projection(middle);
      for (int64_t r = 0; r < count_; ++r) {
        T* stats = a_.stats2 + 2 * (begin_ + r);
        row_statistics(middle + r * a_.dim, a_.dim, a_.eps, !a_.norm2.bias, stats);
        normalise(middle + r * a_.dim, a_.dim, stats, a_.norm2, first_ + r * a_.dim);
      }
      T* hidden = a_.before_activation ? a_.before_activation + begin_ * a_.hidden : third_;
      map(left_rows(first_, a_.dim), a_.dim, a_.packed + maps_.up, a_.hidden, hidden, false);
      add_bias(a_.up.bias, count_, a_.hidden, hidden, a_.hidden);
      activated(hidden, second_);
      T* y = a_.y + begin_ * a_.dim;
      copy_elements(middle, count_ * a_.dim, y);
      map(left_rows(second_, a_.hidden), a_.hidden, a_.packed + maps_.down, a_.dim, y, true);
      add_bias(a_.down.bias, count_, a_.dim, y, a_.dim);
    });
  }

  void backward_outputs() {
    with_workspace<T>([this](Arena<T>& arena) {
      first_ = arena.take(kBlockRowsAtATime * a_.dim);
      take_left(arena);
    });
    for_each_block([this] {
      const T* dy = a_.dy + begin_ * a_.dim;
      const T* middle = a_.middle + begin_ * a_.dim;
      T* dhidden = a_.dhidden + begin_ * a_.hidden;
      map(left_rows(dy, a_.dim), a_.dim, a_.packed + maps_.down, a_.hidden, dhidden, false);
      activated_backward(a_.before_activation + begin_ * a_.hidden,
                         a_.activated + begin_ * a_.hidden, dhidden);
      map(left_rows(dhidden, a_.hidden), a_.hidden, a_.packed + maps_.up, a_.dim, first_, false);
      T* dmiddle = a_.dmiddle + begin_ * a_.dim;
      norm_backward(middle, dy, a_.stats2, a_.norm2, a_.normed2, a_.dnorm2, dmiddle);
      const Left<T> left = left_rows(dmiddle, a_.dim);
      if (!a_.is_by_head) {
        return map(left, a_.dim, a_.packed + maps_.proj, a_.dim, a_.dattended + begin_ * a_.dim,
                   false);
      }
      const int64_t d = a_.head_dim();
      for (int64_t h = 0; h < a_.heads; ++h) {
        map(left, a_.dim, a_.packed + maps_.proj + h * maps_.slice, d,
            a_.dattended + (h * a_.rows + begin_) * d, false);
      }
    });
  }

  void backward_inputs() {
    with_workspace<T>([this](Arena<T>& arena) {
      first_ = arena.take(kBlockRowsAtATime * a_.dim);
      take_left(arena);
    });
    for_each_block([this] {
      const int64_t d = a_.head_dim(), slice = round_up(a_.dim, panel_width<T>()) * d;
      if (!a_.is_by_head) {
        map(left_rows(a_.dqkv + begin_ * slices_width(), slices_width()), slices_width(), a_.packed,
            a_.dim, first_, false);
      }
      for (int64_t s = 0; a_.is_by_head && s < a_.slices; ++s) {
        map(left_rows(a_.dqkv + (s * a_.rows + begin_) * d, d), d, a_.packed + s * slice, a_.dim,
            first_, s > 0);
      }
      norm_backward(a_.x + begin_ * a_.dim, a_.dmiddle + begin_ * a_.dim, a_.stats1, a_.norm1,
                    a_.normed1, a_.dnorm1, a_.dx + begin_ * a_.dim);
    });
  }

 private:
  template <typename Step>
  void for_each_block(const Step& step) {
    for (begin_ = rows_.begin; begin_ < rows_.end; begin_ += kBlockRowsAtATime) {
      count_ = std::min(kBlockRowsAtATime, rows_.end - begin_);
      step();
    }
  }

  int64_t slices_width() const { return a_.slices * a_.head_dim(); }

  void take_left(Arena<T>& arena) {
    if (a_.rounds) {
      left_ = arena.take(kBlockRowsAtATime * std::max(slices_width(), a_.hidden) / 2);
    }
  }

  /// The rows at hand, `inner` long, as the left side of products: as they are, or, until the next
  /// call, rounded.
  Left<T> left_rows(const T* rows, int64_t inner) const {
    if constexpr (kHasPairs<T>) {
      if (a_.rounds) {
        pair_neighbours(rows, count_ * inner, left_);
        return {left_, inner / 2, 1};
      }
    }
    return {rows, inner, 1};
  }

  /// out = or += the rows at hand times a packed map [inner, columns].
  void map(const Left<T>& rows, int64_t inner, const T* packed, int64_t columns, T* out,
           bool accumulate) const {
    map_rows<T>(a_.rounds, count_, columns, inner, rows, packed, inner, out, columns, accumulate);
  }

  /// middle += W_proj attended
  void add_projection(T* middle) const {
    const int64_t d = a_.head_dim(), width = panel_width<T>();
    if (!a_.is_by_head) {
      map(left_rows(a_.attended + begin_ * a_.dim, a_.dim), a_.dim, a_.packed + maps_.proj, a_.dim,
          middle, true);
    }
    for (int64_t h = 0; a_.is_by_head && h < a_.heads; ++h) {
      map_rows<T>(a_.rounds, count_, a_.dim, d,
                  left_rows(a_.attended + (h * a_.rows + begin_) * d, d),
                  a_.packed + maps_.proj + (a_.rounds ? h * d / 2 : h * d) * width, a_.dim, middle,
                  a_.dim, true);
    }
    add_bias(a_.proj.bias, count_, a_.dim, middle, a_.dim);
  }

  /// The rows `first_`, gradients of normalised rows, through the norm of x, beside a residual.
  void norm_backward(const T* x, const T* through, const T* stats, const NormWeights<T>& norm,
                     T* normed, T* dnorm, T* out) const {
    T* sums = dnorm + begin_ / kBlockRowsAtATime * 2 * a_.dim;
    std::fill_n(sums, 2 * a_.dim, T(0));
    for (int64_t r = 0; r < count_; ++r) {
      const T* row_stats = stats + 2 * (begin_ + r);
      normalise(x + r * a_.dim, a_.dim, row_stats, norm, normed + (begin_ + r) * a_.dim);
      normalise_backward(x + r * a_.dim, first_ + r * a_.dim, through + r * a_.dim, a_.dim,
                         row_stats, norm, sums, out + r * a_.dim);
    }
  }

  void activated(const T* in, T* out) const {
    const int64_t count = count_ * a_.hidden;
    switch (a_.activation) {
      case BlockActivation::kGelu:
        return activate_elements<BlockActivation::kGelu>(in, count, out);
      case BlockActivation::kRelu:
        return activate_elements<BlockActivation::kRelu>(in, count, out);
      case BlockActivation::kSilu:
        return activate_elements<BlockActivation::kSilu>(in, count, out);
    }
  }
  void activated_backward(const T* in, T* out, T* gradient) const {
    const int64_t count = count_ * a_.hidden;
    switch (a_.activation) {
      case BlockActivation::kGelu:
        return activate_backward<BlockActivation::kGelu>(in, count, out, gradient);
      case BlockActivation::kRelu:
        return activate_backward<BlockActivation::kRelu>(in, count, out, gradient);
      case BlockActivation::kSilu:
        return activate_backward<BlockActivation::kSilu>(in, count, out, gradient);
    }
  }

  const BlockArrays<T>& a_;
  const PackedMaps<T> maps_;
  const Range rows_;
  int64_t begin_ = 0, count_ = 0;  // the rows at hand
  T *first_ = nullptr, *second_ = nullptr, *third_ = nullptr;
  T* left_ = nullptr;  // rounded rows
};

template <typename T>
void pack_maps(const BlockArrays<T>& a, bool backward, T* out) {
  const PackedMaps<T> maps(a);
  const int64_t d = a.head_dim();
  const auto round_panels = [&](int64_t rows, int64_t columns, T* panels) {
    const int64_t width = panel_width<T>();
    round_rows(a.rounds, round_up(columns, width) / width * rows, width, panels);
  };
  // B[k, n] = w[k, n]
  const auto pack_plain = [&](const T* w, int64_t rows, int64_t columns, int64_t row, T* panels) {
    pack_columns<T>({w, columns, 0, row}, {0, rows}, columns, panels);
    round_panels(rows, columns, panels);
  };
  // B[k, n] = w[n, k]
  const auto pack_turned = [&](const T* w, int64_t columns, int64_t rows, T* panels) {
    pack_transposed(w, columns, rows, panels);
    round_panels(rows, columns, panels);
  };
  if (!backward) {
    if (a.is_by_head) {
      for (int64_t s = 0; s < a.slices; ++s) {
        pack_turned(a.qkv_map.weight + s * d * a.dim, d, a.dim, out + s * maps.slice);
      }
    } else {
      pack_turned(a.qkv_map.weight, a.slices * d, a.dim, out);
    }
    pack_turned(a.proj.weight, a.dim, a.dim, out + maps.proj);
    pack_turned(a.up.weight, a.hidden, a.dim, out + maps.up);
    pack_turned(a.down.weight, a.dim, a.hidden, out + maps.down);
    return;
  }
  if (a.is_by_head) {
    const int64_t slice = round_up(a.dim, panel_width<T>()) * d;
    for (int64_t s = 0; s < a.slices; ++s) {
      pack_plain(a.qkv_map.weight + s * d * a.dim, d, a.dim, a.dim, out + s * slice);
    }
    for (int64_t h = 0; h < a.heads; ++h) {
      pack_plain(a.proj.weight + h * d, a.dim, d, a.dim, out + maps.proj + h * maps.slice);
    }
  } else {
    pack_plain(a.qkv_map.weight, a.slices * d, a.dim, a.dim, out);
    pack_plain(a.proj.weight, a.dim, a.dim, a.dim, out + maps.proj);
  }
  pack_plain(a.up.weight, a.hidden, a.dim, a.dim, out + maps.up);
  pack_plain(a.down.weight, a.dim, a.hidden, a.hidden, out + maps.down);
}

template <typename T>
void add_weight_gradient(const WeightGradient<T>& g, Range m) {
  constexpr int64_t kRowsAtATime = 64;
  const int64_t count = m.end - m.begin, width = panel_width<T>();
  T *left = nullptr, *right = nullptr;
  with_workspace<T>([&](Arena<T>& arena) {
    left = arena.take(kRowsAtATime * round_up(count, width));
    right = arena.take(kRowsAtATime * round_up(g.n, width));
  });
  for (int64_t begin = 0; begin < g.rows; begin += kRowsAtATime) {
    const Range rows = {begin, std::min(g.rows, begin + kRowsAtATime)};
    const int64_t inner = rows.end - rows.begin;
    for (int64_t c = m.begin; c < m.end; c += lanes<T>()) {
      copy_columns(g.a, rows, c, left + c - m.begin, count);
    }
    pack_columns(g.b, rows, g.n, right);
    const bool rounds = g.rounds && inner % 2 == 0;  // a last odd row has no partner
    round_rows(rounds, inner, count, left);
    round_rows(rounds, round_up(g.n, width) / width * inner, width, right);
    map_rows<T>(rounds, count, g.n, inner, {left, 1, count}, right, inner, g.d + m.begin * g.n, g.n,
                begin > 0);
  }
}

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define FLOYDNET_INSTANTIATE(T, Suffix)                                                       \
  int64_t PackedWeightsSize##Suffix(const BlockArrays<T>& a) { return PackedMaps<T>(a).end; } \
  void PackWeights##Suffix(const BlockArrays<T>& a, bool backward, T* out) {                  \
    pack_maps(a, backward, out);                                                              \
  }                                                                                           \
  void ForwardInputs##Suffix(const BlockArrays<T>& a, Range rows) {                           \
    BlockPass<T>(a, rows).forward_inputs();                                                   \
  }                                                                                           \
  void ForwardOutputs##Suffix(const BlockArrays<T>& a, Range rows) {                          \
    BlockPass<T>(a, rows).forward_outputs();                                                  \
  }                                                                                           \
  void BackwardOutputs##Suffix(const BlockArrays<T>& a, Range rows) {                         \
    BlockPass<T>(a, rows).backward_outputs();                                                 \
  }                                                                                           \
  void BackwardInputs##Suffix(const BlockArrays<T>& a, Range rows) {                          \
    BlockPass<T>(a, rows).backward_inputs();                                                  \
  }                                                                                           \
  void AddWeightGradient##Suffix(const WeightGradient<T>& g, Range m) {                       \
    add_weight_gradient(g, m);                                                                \
  }                                                                                           \
  void ColumnSums##Suffix(const T* rows, int64_t count, int64_t columns, T* out) {            \
    std::fill_n(out, columns, T(0));                                                          \
    for (int64_t r = 0; r < count; ++r) add_elements(rows + r * columns, columns, out);       \
  }

FLOYDNET_INSTANTIATE(float, F32)
FLOYDNET_INSTANTIATE(double, F64)
#undef FLOYDNET_INSTANTIATE
// NOLINTEND(bugprone-macro-parentheses)

bool HasPairs() { return kHasPairs<float>; }

// Both types at once: float has the longer vectors.
bool AreWholeVectors(int64_t dim, int64_t hidden) {
  return dim % lanes<float>() == 0 && hidden % lanes<float>() == 0;
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace floydnet::kernels {

// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
#define FLOYDNET_DISPATCH(T, Suffix)                                        \
  HWY_EXPORT(PackedWeightsSize##Suffix);                                    \
  HWY_EXPORT(PackWeights##Suffix);                                          \
  HWY_EXPORT(ForwardInputs##Suffix);                                        \
  HWY_EXPORT(ForwardOutputs##Suffix);                                       \
  HWY_EXPORT(BackwardOutputs##Suffix);                                      \
  HWY_EXPORT(BackwardInputs##Suffix);                                       \
  HWY_EXPORT(AddWeightGradient##Suffix);                                    \
  HWY_EXPORT(ColumnSums##Suffix);                                           \
  int64_t packed_weights_size(const BlockArrays<T>& arrays) {               \
    return HWY_DYNAMIC_DISPATCH(PackedWeightsSize##Suffix)(arrays);         \
  }                                                                         \
  void pack_weights(const BlockArrays<T>& arrays, bool backward, T* out) {  \
    HWY_DYNAMIC_DISPATCH(PackWeights##Suffix)(arrays, backward, out);       \
  }                                                                         \
  void forward_inputs(const BlockArrays<T>& arrays, Range rows) {           \
    HWY_DYNAMIC_DISPATCH(ForwardInputs##Suffix)(arrays, rows);              \
  }                                                                         \
  void forward_outputs(const BlockArrays<T>& arrays, Range rows) {          \
    HWY_DYNAMIC_DISPATCH(ForwardOutputs##Suffix)(arrays, rows);             \
  }                                                                         \
  void backward_outputs(const BlockArrays<T>& arrays, Range rows) {         \
    HWY_DYNAMIC_DISPATCH(BackwardOutputs##Suffix)(arrays, rows);            \
  }                                                                         \
  void backward_inputs(const BlockArrays<T>& arrays, Range rows) {          \
    HWY_DYNAMIC_DISPATCH(BackwardInputs##Suffix)(arrays, rows);             \
  }                                                                         \
  void weight_gradient(const WeightGradient<T>& gradient, Range m) {        \
    HWY_DYNAMIC_DISPATCH(AddWeightGradient##Suffix)(gradient, m);           \
  }                                                                         \
  void column_sums(const T* rows, int64_t count, int64_t columns, T* out) { \
    HWY_DYNAMIC_DISPATCH(ColumnSums##Suffix)(rows, count, columns, out);    \
  }
FLOYDNET_DISPATCH(float, F32)
FLOYDNET_DISPATCH(double, F64)
#undef FLOYDNET_DISPATCH
// NOLINTEND(bugprone-macro-parentheses)

HWY_EXPORT(HasPairs);
bool has_bfloat16() {
#if HWY_ARCH_X86_64
  return HWY_DYNAMIC_DISPATCH(HasPairs)() && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

HWY_EXPORT(AreWholeVectors);
bool suits_block_kernel(int64_t dim, int64_t hidden) {
  return HWY_DYNAMIC_DISPATCH(AreWholeVectors)(dim, hidden);
}

}  // namespace floydnet::kernels
#endif
