#include "kernels/tile_kernel.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/tile_kernel.cc"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "kernels/softmax-inl.h"
#include "kernels/tile_task-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

template <typename T>
class TileForward : private TileTask<T> {
  using Base = TileTask<T>;
  using Base::shape_;
  using Base::view_;
  using Base::walk_;

 public:
  explicit TileForward(const HeadView<T>& view)
      : Base(view, Pass::kForward, /*matrices_per_line=*/2) {}

  void run(Range first) {
    with_workspace<T>([this](Arena<T>& arena) {
      walk_.take(arena, {kKeyPanels, kValueRows});
      for (TileArray<T>* array : {&q_, &sums_}) this->take_tile(arena, shape_.dim_padded, *array);
      this->take_tile(arena, shape_.pivots_padded, scores_);
      for (TileArray<T>* array : {&shares_, &shares_before_}) this->take_tile(arena, 1, *array);
    });
    walk_.run(first, {0, view_.lengths[1]}, *this);
  }

  void begin_band(const Box&) const {}
  void end_band(const Box&) const {}
  void begin_rows(const Box&) const {}
  void end_rows(const Box&) const {}

  void visit(const Box& tile) const {
    const TileArray<T> q = this->load_targets(view_.q, tile, q_);
    this->score_products(tile, q, scores_, kKeyPanels);
    for_each_line(tile, this->last(), [&](const Target& v) { weigh(tile, v); });
    this->pivot_sums(tile, scores_, sums_, kValueRows);
    for_each_line(tile, this->last(), [&](const Target& v) { write_out(tile, v); });
  }

 private:
  /// Scores of a line of targets become exp(logit - max), with dropout; the factors are left for
  /// the sums.
  void weigh(const Box& tile, Target v) const {
    const LogitRule<T> rule = this->logit_rule();
    const Rows<T> rows = this->rows_of(scores_, tile, v);
    const Rows<T> row_max = this->rows_of(view_.row_max, tile, v);
    const Rows<T> row_factor = this->rows_of(view_.row_factor, tile, v);
    const Rows<T> kept = this->rows_of(view_.kept, tile, v);
    T maxima[kMaxTileLength], factors[kMaxTileLength];
    this->prepare_rows(rule, v, rows);
    (kept.data ? exponentiate<true, T> : exponentiate<false, T>)(rows, shape_.pivots_padded,
                                                                 rule.exponent_scale(), kept,
                                                                 maxima, factors);
    const Rows<T> shares = this->rows_of(shares_, tile, v);
    if (view_.first_pivot == 0) {
      for (int64_t i = 0; i < rows.count; ++i) {
        *row_max[i] = maxima[i];
        *row_factor[i] = *shares[i] = factors[i];
      }
    } else {
      const Rows<T> shares_before = this->rows_of(shares_before_, tile, v);
      for (int64_t i = 0; i < rows.count; ++i) {
        const Merged<T> merged = merge_softmax(rule.exponent_scale(), {*row_max[i], *row_factor[i]},
                                               {maxima[i], factors[i]});
        *row_max[i] = merged.all.max;
        *row_factor[i] = merged.all.factor;
        *shares_before[i] = merged.first_share;
        *shares[i] = merged.second_share;
      }
    }
    if (view_.dropout == 0) return;
    for (int64_t i = 0; i < rows.count; ++i, ++v[this->last()]) this->drop(v, rows[i]);
  }

  void write_out(const Box& tile, const Target& v) const {
    const Rows<T> sums = this->rows_of(sums_, tile, v), out = this->rows_of(view_.out, tile, v);
    const Rows<T> shares = this->rows_of(shares_, tile, v);
    const Rows<T> shares_before = this->rows_of(shares_before_, tile, v);
    for (int64_t i = 0; i < sums.count; ++i) {
      if (view_.first_pivot == 0) {
        scale_row(*shares[i], sums[i], shape_.dim, out[i]);
      } else {
        mix_rows(*shares[i], sums[i], shape_.dim, *shares_before[i], out[i]);
      }
    }
  }

  TileArray<T> q_, sums_, scores_;
  TileArray<T> shares_, shares_before_;  // of the sums in the output, and of what was there before
};

template <typename T>
class TileBackward : private TileTask<T> {
  using Base = TileTask<T>;
  using Base::shape_;
  using Base::view_;
  using Base::walk_;

 public:
  TileBackward(const HeadView<T>& view, const HeadGradients<T>& grads, BackwardPart part)
      : Base(view, Pass::kBackward, /*matrices_per_line=*/view.kept.data ? 4 : 5),
        grads_(grads),
        part_(part) {}

  void run(Range first, Range second) {
    with_workspace<T>([this](Arena<T>& arena) { take_all(arena); });
    walk_.run(first, second, *this);
  }

  void begin_band(const Box& band) {
    if (wants_role(0)) sums_[0].begin(band, 1);
  }
  void end_band(const Box& band) const {
    if (wants_role(0)) sums_[0].end(grads_, shape_, band, 1);
  }
  void begin_rows(const Box& rows) {
    for (int r = 1; r < view_.order; ++r) {
      if (wants_role(r)) sums_[r].begin(rows, 0);
    }
  }
  void end_rows(const Box& rows) const {
    for (int r = 1; r < view_.order; ++r) {
      if (wants_role(r)) sums_[r].end(grads_, shape_, rows, 0);
    }
  }

  void visit(const Box& tile) const {
    const TileArray<T> q = this->load_targets(view_.q, tile, q_);
    const TileArray<T> dout = this->load_targets(grads_.out, tile, dout_);
    if (!view_.kept.data) this->score_products(tile, q, scores_, kKeyPanels);
    this->score_products(tile, dout, dscores_, kValuePanels);
    for_each_line(tile, this->last(), [&](const Target& v) { differentiate(tile, v, dout); });
    if (this->is_multiplicative()) {
      add_composed_gradients(tile, dscores_, q, kKeyRows, [&](const RoleSums<T>& sums) {
        return sums.wants_key() ? sums.key(grads_, view_.order, tile.begin()) : LineSums<T>{};
      });
      add_composed_gradients(tile, scores_, dout, kValueRows, [&](const RoleSums<T>& sums) {
        return sums.wants_value() ? sums.value(grads_, view_.order, tile.begin()) : LineSums<T>{};
      });
    } else {
      for (int r = 0; r < view_.order; ++r) {
        if (wants_role(r)) add_role_gradients(tile, r, q, dout);
      }
    }
    if (part_ != BackwardPart::kFirstRole && grads_.q.data) set_query_gradients(tile);
  }

 private:
  bool wants_role(int r) const {
    if (part_ == BackwardPart::kAll) return true;
    return (part_ == BackwardPart::kFirstRole) == (r == 0);
  }

  void set_query_gradients(const Box& tile) const {
    if (!grads_.adds_q && this->has_whole_rows()) {
      return this->pivot_sums(tile, dscores_, this->window(grads_.q, tile), kKeyRows);
    }
    this->pivot_sums(tile, dscores_, dq_, kKeyRows);
    for_each_line(tile, this->last(), [&](const Target& v) {
      const Rows<T> from = this->rows_of(dq_, tile, v), to = this->rows_of(grads_.q, tile, v);
      for (int64_t i = 0; i < from.count; ++i) {
        (grads_.adds_q ? add_elements<T> : copy_elements<T>)(from[i], shape_.dim, to[i]);
      }
    });
  }

  void take_matrices(Arena<T>& arena) {
    if (this->is_multiplicative()) {
      walk_.take(arena, {kKeyPanels, kValuePanels, kKeyRows, kValueRows});
    } else if (view_.kept.data) {
      walk_.take(arena, {kValuePanels, kKeyRows});
    } else {
      walk_.take(arena, {kKeyPanels, kValuePanels, kKeyRows});
    }
  }

  void take_all(Arena<T>& arena) {
    take_matrices(arena);
    for (TileArray<T>* array : {&q_, &dout_, &dq_}) {
      this->take_tile(arena, shape_.dim_padded, *array);
    }
    for (TileArray<T>* array : {&scores_, &dscores_}) {
      this->take_tile(arena, shape_.pivots_padded, *array);
    }
    slopes_ = arena.take(shape_.pivots_padded);
    dropped_ = arena.take(shape_.pivots_padded);
    for (int r = 0; r < view_.order; ++r) {
      if (wants_role(r)) {
        const bool allows_rows_apart = walk_.meets_lines_once(r) && !this->is_multiplicative();
        sums_[r].take(arena, view_, grads_, r, walk_.lines(r), allows_rows_apart);
      }
    }
  }

  /// A line of targets: scores become the weights that their values got, dscores the gradients of
  /// their scores.
  void differentiate(const Box& tile, Target v, const TileArray<T>& dout_tile) const {
    const LogitRule<T> rule = this->logit_rule();
    const Rows<T> rows = this->rows_of(scores_, tile, v), drows = this->rows_of(dscores_, tile, v);
    const Rows<T> dout = this->rows_of(dout_tile, tile, v), out = this->rows_of(view_.out, tile, v);
    const Rows<T> row_max = this->rows_of(view_.row_max, tile, v);
    const Rows<T> row_factor = this->rows_of(view_.row_factor, tile, v);
    const Rows<T> kept = this->rows_of(view_.kept, tile, v);
    T deltas[kMaxTileLength];
    dot_rows(out, dout, shape_.dim, deltas);
    for (int64_t i = 0; i < rows.count; ++i, ++v[this->last()]) {
      const RowState<T> state = {*row_max[i], *row_factor[i], deltas[i]};
      if (state.factor == T(0)) {
        std::fill_n(rows[i], shape_.pivots_padded, T(0));
        std::fill_n(drows[i], shape_.pivots_padded, T(0));
        continue;
      }
      const T* kept_row = kept.data ? kept[i] : nullptr;
      if (!kept_row) this->prepare_row(rule, v, rows[i], slopes_);
      const WeightSource<T> source = {rows[i], kept_row, state, rule.exponent_scale()};
      if (rule.is_plain() && view_.dropout == 0) {
        plain_gradients(source, rule.scale, shape_.pivots_padded, rows[i], drows[i]);
      } else {
        differentiate_row(rule, source, v, rows[i], drows[i]);
      }
    }
  }

  void differentiate_row(const LogitRule<T>& rule, const WeightSource<T>& source, const Target& v,
                         T* row, T* drow) const {
    std::fill_n(dropped_, shape_.pivots_padded, T(1));
    if (view_.dropout > 0) this->drop(v, dropped_);
    logit_gradients(source, dropped_, shape_.pivots_padded, row, drow);
    for (int r = 0; r < view_.order; ++r) {
      T* bias = wants_role(r) ? sums_[r].bias(v) : nullptr;
      if (bias) add_row(drow, shape_.pivots_padded, bias);
    }
    if (rule.cap == T(0)) {
      scale_row(rule.scale, drow, shape_.pivots_padded, drow);
    } else {
      through_cap(slopes_, rule.scale, shape_.pivots_padded, drow);
    }
  }

  /// dK_r[p] += sum of dscores[v, p] q_v over the targets of a line, and dV_r likewise.
  void add_role_gradients(const Box& tile, int r, const TileArray<T>& q,
                          const TileArray<T>& dout) const {
    for_each_run(tile, r, [&](const Target& v, int64_t lines) {
      if (sums_[r].wants_key()) {
        add_outer(tile, r, v, lines, dscores_, q, sums_[r].key(grads_, view_.order, v));
      }
      if (sums_[r].wants_value()) {
        add_outer(tile, r, v, lines, scores_, dout, sums_[r].value(grads_, view_.order, v));
      }
    });
  }

  /// For so many lines from v on: sums[p, d] = or += sum over a line's targets of
  /// weights[v, p] x[v, d]
  void add_outer(const Box& tile, int r, const Target& v, int64_t lines,
                 const TileArray<T>& weights, const TileArray<T>& x,
                 const LineSums<T>& sums) const {
    const int along = line_coordinate_or_0(view_.order, r);
    products<T>({lines, weights.stride[along], x.stride[along], sums.next_line}, Next::kResult,
                shape_.pivots, shape_.dim_padded, tile.length(r),
                {weights.at(tile, v), 1, weights.stride[r]},
                {x.at(tile, v), x.stride[r], panel_width<T>()}, sums.data, sums.next_row,
                /*accumulate=*/!sums_[r].begins_with(tile));
  }

  /// The same for both roles of a pair that are multiplied: each term of a role's gradient is times
  /// what stands in the other role. sums_of(sums_[r]) are those of a role, or none.
  template <typename SumsOf>
  void add_composed_gradients(const Box& tile, const TileArray<T>& weights, const TileArray<T>& x,
                              Form form, const SumsOf& sums_of) const {
    const Target v = tile.begin();
    const auto sum_lines = [&](int r) {
      const LineSums<T> sums = wants_role(r) ? sums_of(sums_[r]) : LineSums<T>{};
      for (int64_t line = 0; sums.data && sums_[r].begins_with(tile) && line < tile.length(1 - r);
           ++line) {
        std::fill_n(sums.data + line * sums.next_line, shape_.rows(), T(0));
      }
      return SumLines<T>{sums.data, sums.next_line, sums.next_row};
    };
    const OuterProducts<T> outer = {tile.length(0),
                                    tile.length(1),
                                    shape_.pivots,
                                    shape_.dim_padded,
                                    weights.at(tile, v),
                                    weights.stride[0],
                                    weights.stride[1],
                                    x.at(tile, v),
                                    x.stride[0],
                                    x.stride[1],
                                    this->operand(this->matrix(form, 1, v, tile.length(0))),
                                    this->operand(this->matrix(form, 0, v, tile.length(1))),
                                    sum_lines(1),
                                    sum_lines(0)};
    if (outer.dx.data && outer.dy.data) {
      outer_products<true, true>(outer);
    } else if (outer.dx.data) {
      outer_products<true, false>(outer);
    } else if (outer.dy.data) {
      outer_products<false, true>(outer);
    }
  }

  const HeadGradients<T>& grads_;
  const BackwardPart part_;
  TileArray<T> q_, dout_, dq_;  // where the arrays of all targets are not used
  TileArray<T> scores_, dscores_;
  T *slopes_ = nullptr, *dropped_ = nullptr;  // of one target
  RoleSums<T> sums_[kMaxOrder];
};

/// Moves arrays of relations (v[r<-p]) on by so many pivots.
template <typename T>
void skip_pivots(int64_t count, int order, Strided<T>* relations) {
  for (int r = 0; r < order; ++r) {
    if (relations[r].data) relations[r].data += count * relations[r].stride[r];
  }
}

/// Calls visit(some) with views of `step` pivots of a range each.
template <typename T, typename Visit>
void for_some_pivots(const HeadView<T>& view, Range pivots, int64_t step, const Visit& visit) {
  int64_t pivot = pivots.begin;
  do {
    HeadView<T> some = view;
    some.first_pivot = pivot;
    some.pivots = std::min(step, pivots.end - pivot);
    for (auto* relations : {some.key, some.value, some.bias}) {
      skip_pivots(pivot, view.order, relations);
    }
    if (some.kept.data) some.kept.data += pivot;
    visit(some);
    pivot += step;
  } while (pivot < pivots.end);
}

template <typename T>
void forward_in_parts(const HeadView<T>& view, Range first) {
  // Exponentials that are kept are those under the maximum of all pivots.
  if (view.kept.data) return TileForward<T>(view).run(first);
  for_some_pivots(view, {0, view.pivots}, 2 * backward_pivots(view),
                  [&](const HeadView<T>& some) { TileForward<T>(some).run(first); });
}

template <typename T>
void backward_in_parts(const HeadView<T>& view, const HeadGradients<T>& grads, BackwardPart part,
                       Range range) {
  const Range all_first = {0, view.lengths[0]}, all_second = {0, view.lengths[1]};
  const Range pivots = part == BackwardPart::kAll ? range : Range{0, view.pivots};
  for_some_pivots(view, pivots, backward_pivots(view), [&](const HeadView<T>& some) {
    HeadGradients<T> some_grads = grads;
    some_grads.adds_q = grads.adds_q || some.first_pivot > pivots.begin;
    for (auto* relations : {some_grads.key, some_grads.value, some_grads.bias}) {
      skip_pivots(some.first_pivot, view.order, relations);
    }
    TileBackward<T>(some, some_grads, part)
        .run(part == BackwardPart::kTargets ? range : all_first,
             part == BackwardPart::kFirstRole ? range : all_second);
  });
}

int64_t TileLengthF32(const HeadView<float>& view, Pass pass, int c) {
  return best_tile_length(view, pass, c);
}
int64_t TileLengthF64(const HeadView<double>& view, Pass pass, int c) {
  return best_tile_length(view, pass, c);
}
void ForwardTilesF32(const HeadView<float>& view, Range first) { forward_in_parts(view, first); }
void ForwardTilesF64(const HeadView<double>& view, Range first) { forward_in_parts(view, first); }
void BackwardTilesF32(const HeadView<float>& view, const HeadGradients<float>& grads,
                      BackwardPart part, Range range) {
  backward_in_parts(view, grads, part, range);
}
void BackwardTilesF64(const HeadView<double>& view, const HeadGradients<double>& grads,
                      BackwardPart part, Range range) {
  backward_in_parts(view, grads, part, range);
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace floydnet::kernels {

HWY_EXPORT(TileLengthF32);
HWY_EXPORT(TileLengthF64);
HWY_EXPORT(ForwardTilesF32);
HWY_EXPORT(ForwardTilesF64);
HWY_EXPORT(BackwardTilesF32);
HWY_EXPORT(BackwardTilesF64);

int64_t tile_length(const HeadView<float>& view, Pass pass, int c) {
  return HWY_DYNAMIC_DISPATCH(TileLengthF32)(view, pass, c);
}
int64_t tile_length(const HeadView<double>& view, Pass pass, int c) {
  return HWY_DYNAMIC_DISPATCH(TileLengthF64)(view, pass, c);
}
void forward_tiles(const HeadView<float>& view, Range first) {
  HWY_DYNAMIC_DISPATCH(ForwardTilesF32)(view, first);
}
void forward_tiles(const HeadView<double>& view, Range first) {
  HWY_DYNAMIC_DISPATCH(ForwardTilesF64)(view, first);
}
void backward_tiles(const HeadView<float>& view, const HeadGradients<float>& grads,
                    BackwardPart part, Range range) {
  HWY_DYNAMIC_DISPATCH(BackwardTilesF32)(view, grads, part, range);
}
void backward_tiles(const HeadView<double>& view, const HeadGradients<double>& grads,
                    BackwardPart part, Range range) {
  HWY_DYNAMIC_DISPATCH(BackwardTilesF64)(view, grads, part, range);
}

}  // namespace floydnet::kernels
#endif
