// What forward and backward over tiles share. For the SIMD target that is being compiled, as
// gemm-inl.h.
#if defined(FLOYDNET_TILE_TASK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_TILE_TASK_INL_H_
#undef FLOYDNET_TILE_TASK_INL_H_
#else
#define FLOYDNET_TILE_TASK_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "kernels/dropout.h"
#include "kernels/softmax-inl.h"
#include "kernels/tile_products-inl.h"
#include "kernels/tile_walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

/// What forward and backward share: a view, its tiles, and the products of a tile.
template <typename T>
class TileTask {
 public:
  TileTask(const HeadView<T>& view, Pass pass, int64_t matrices_per_line)
      : view_(view), shape_(view), walk_(view, pass, matrices_per_line) {}

 protected:
  int last() const { return view_.order - 1; }
  bool is_multiplicative() const { return view_.multiplicative && view_.order == 2; }

  LineMatrix<T> matrix(Form form, int role, const Target& v, int64_t lines) const {
    return walk_.role(role).matrix(view_, form, v, lines);
  }

  static LineOperand<T> operand(const LineMatrix<T>& lines) {
    return {lines.matrix.data, lines.next_line, lines.matrix.row, lines.matrix.panel};
  }

  /// The rows of a line of targets along the last coordinate, which begins at v.
  Rows<T> rows_of(const TileArray<T>& array, const Box& tile, const Target& v) const {
    return {array.at(tile, v), array.stride[last()], tile.length(last())};
  }
  template <typename E>
  Rows<E> rows_of(const Strided<E>& array, const Box& tile, const Target& v) const {
    return {at(array, v, view_.order), array.stride[last()], tile.length(last())};
  }

  /// For each target of a tile so many elements.
  void take_tile(Arena<T>& arena, int64_t row, TileArray<T>& array) const {
    array.take(arena, view_.order, walk_.tile_lengths(), row);
  }

  /// The rows of a tile's targets as they stand in an array of all.
  template <typename E>
  TileArray<T> window(const Strided<E>& all, const Box& tile) const {
    TileArray<T> rows;
    rows.data = const_cast<T*>(at(all, tile.begin(), view_.order));
    std::copy_n(all.stride, view_.order, rows.stride);
    return rows;
  }
  /// Whether rows of d elements are whole vectors.
  bool has_whole_rows() const { return shape_.dim == shape_.dim_padded; }

  /// The rows of a tile's targets, padded: a window on those of a small graph, else a copy whose
  /// lines do not share sets of the cache.
  TileArray<T> load_targets(const Strided<const T>& given, const Box& tile,
                            const TileArray<T>& copy) const {
    constexpr int64_t kMaxLine = 1024 / static_cast<int64_t>(sizeof(T));
    if (view_.order == 2 && has_whole_rows() && given.stride[0] <= kMaxLine) {
      return window(given, tile);
    }
    for_each_line(tile, last(), [&](const Target& v) {
      const Rows<const T> from = rows_of(given, tile, v);
      const Rows<T> to = rows_of(copy, tile, v);
      if (from.stride == shape_.dim && to.stride == shape_.dim) {
        copy_row(from.data, shape_.dim * from.count, to.data);
        return;
      }
      for (int64_t i = 0; i < from.count; ++i) copy_row(from[i], shape_.dim, to[i]);
    });
    return copy;
  }

  /// scores[v, p] = <x_v, composition of panels(p)>
  void score_products(const Box& tile, const TileArray<T>& x, const TileArray<T>& scores,
                      Form panels) const {
    multiply(tile, shape_.pivots_padded, shape_.dim, x, panels, scores);
  }

  /// out[v, d] = sum_p weights[v, p] (composition of rows(p))[d]
  void pivot_sums(const Box& tile, const TileArray<T>& weights, const TileArray<T>& out,
                  Form rows) const {
    multiply(tile, shape_.dim_padded, shape_.pivots, weights, rows, out);
  }

  LogitRule<T> logit_rule() const {
    return {static_cast<T>(view_.scale), static_cast<T>(view_.logit_cap),
            view_.bias[0].data != nullptr};
  }

  /// Turns the scores of target v to what is exponentiated.
  void prepare_row(const LogitRule<T>& rule, const Target& v, T* row, T* slopes) const {
    if (!rule.is_plain()) {
      const T* biases[kMaxOrder] = {};
      const int bias_count = rule.has_bias ? view_.order : 0;
      for (int r = 0; r < bias_count; ++r) biases[r] = walk_.role(r).bias(v);
      to_logits(rule, biases, bias_count, shape_.pivots, row, slopes);
    }
    for (int64_t p = shape_.pivots; p < shape_.pivots_padded; ++p) row[p] = kMinusInfinity<T>;
  }

  /// As prepare_row for a line of targets that begins at v.
  void prepare_rows(const LogitRule<T>& rule, Target v, const Rows<T>& rows) const {
    if (rule.is_plain() && shape_.pivots == shape_.pivots_padded) return;
    for (int64_t i = 0; i < rows.count; ++i, ++v[last()]) prepare_row(rule, v, rows[i], nullptr);
  }

  void drop(const Target& v, T* weights) const {
    uint64_t number = 0;
    for (int c = 0; c < view_.order; ++c) {
      number = number * static_cast<uint64_t>(view_.lengths[c]) + static_cast<uint64_t>(v[c]);
    }
    const int64_t first = view_.first_pivot;
    apply_dropout(weights, first, first + shape_.pivots, view_.dropout, view_.seed,
                  view_.dropout_base + number);
  }

  const HeadView<T>& view_;
  const Shape<T> shape_;
  TileWalk<T> walk_;

 private:
  /// c[v, n] = sum_m a[v, m] (composition of the roles' matrices of v)[m, n]
  void multiply(const Box& tile, int64_t columns, int64_t inner, const TileArray<T>& a, Form form,
                const TileArray<T>& c) const {
    const bool composes = is_composed(view_, last());
    if (composes) compose_last_roles(tile, columns, inner, a, form, c);
    // Some lines at a time, one step behind, since what the next step needs is fetched meanwhile.
    Step now;
    for (int r = composes ? last() - 2 : last(); r >= 0; --r) {
      const RoleMatrices<T>& role = walk_.role(r);
      for_each_run(tile, r, [&](const Target& v, int64_t lines) {
        for (int64_t done = 0; done < lines; done += role.lines_at_a_time()) {
          Step next = {r, v, std::min(lines - done, role.lines_at_a_time())};
          next.v[line_coordinate_or_0(view_.order, r)] += done;
          const Upcoming<T> upcoming = role.upcoming(view_, form, next.v, next.lines);
          if (now.lines > 0) multiply_lines(tile, columns, inner, a, form, c, now, upcoming);
          now = next;
        }
      });
    }
    if (now.lines > 0) multiply_lines(tile, columns, inner, a, form, c, now, {});
  }

  /// The part of the last two roles, for all targets of a tile.
  void compose_last_roles(const Box& tile, int64_t columns, int64_t inner, const TileArray<T>& a,
                          Form form, const TileArray<T>& c) const {
    const int i = last() - 1, k = last();
    Box firsts = tile;
    firsts.range[i].end = firsts.range[i].begin + 1;
    for_each_line(firsts, k, [&](const Target& v) {
      const LineOperand<T> x = operand(matrix(form, k, v, tile.length(i)));
      const LineOperand<T> y = operand(matrix(form, i, v, tile.length(k)));
      const ComposedProduct<T> product = {
          tile.length(i), tile.length(k), columns, inner, a.at(tile, v),
          a.stride[i],    a.stride[k],    x,       y,     c.at(tile, v),
          c.stride[i],    c.stride[k]};
      (is_multiplicative() ? composed_product<true, T> : composed_product<false, T>)(product);
    });
  }

  /// Lines of one role that are multiplied together.
  struct Step {
    int role = 0;
    Target v{};
    int64_t lines = 0;
  };

  void multiply_lines(const Box& tile, int64_t columns, int64_t inner, const TileArray<T>& a,
                      Form form, const TileArray<T>& c, const Step& step,
                      const Upcoming<T>& upcoming) const {
    const int r = step.role, along = line_coordinate_or_0(view_.order, r);
    const LineMatrix<T> right = matrix(form, r, step.v, step.lines);
    products<T>({step.lines, a.stride[along], right.next_line, c.stride[along]}, Next::kRight,
                tile.length(r), columns, inner, {a.at(tile, step.v), a.stride[r], 1}, right.matrix,
                c.at(tile, step.v), c.stride[r], /*accumulate=*/r < last(), upcoming);
  }
};

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
