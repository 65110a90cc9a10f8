// The matrices [p, d] of one role, packed for products, and their gradients. For the SIMD target
// that is being compiled, as gemm-inl.h.
#if defined(FLOYDNET_ROLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_ROLES_INL_H_
#undef FLOYDNET_ROLES_INL_H_
#else
#define FLOYDNET_ROLES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "attention/kernels/pack-inl.h"
#include "attention/kernels/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

/// Rows [p, d] that a product can use where they stand: whole vectors, one after the other.
template <typename T>
bool usable_in_place(const Strided<T>& rows, int role, const Shape<std::remove_const_t<T>>& shape) {
  return rows.data && shape.dim == shape.dim_padded && rows.stride[role] == shape.dim;
}

/// Matrices [p, d] of one role, one after the other.
template <typename T>
struct Matrices {
  T* data = nullptr;
  int64_t size = 0;  // of one of them

  T* operator[](int64_t number) const { return data + number * size; }
};

/// Which forms of a role's matrices a task uses.
struct PackedForms {
  bool key_panels, value_panels, key_rows, value_rows;

  int count() const { return key_panels + value_panels + key_rows + value_rows; }
};

/// One line's matrix as the right side of a product, and the way to the next line's.
template <typename T>
struct LineMatrix {
  Right<T> matrix;
  int64_t next_line;  // along line_coordinate
};

/// The keys and values of one role along the lines of a box, as the products want them.
template <typename T>
class RoleMatrices {
 public:
  void take(Arena<T>& arena, const HeadView<T>& view, int role, int64_t lines,
            const PackedForms& forms) {
    role_ = role;
    const Shape<T> shape(view);
    const auto take = [&](bool wanted, int64_t size) {
      return Matrices<T>{wanted ? arena.take(lines * size) : nullptr, size};
    };
    const auto in_place = [&](const Strided<const T>& rows) {
      return !view.bias[role].data && usable_in_place(rows, role, shape);
    };
    key_panels_ = take(forms.key_panels, shape.panels());
    value_panels_ = take(forms.value_panels, shape.panels());
    key_rows_ = take(forms.key_rows && !in_place(view.key[role]), shape.rows());
    value_rows_ = take(forms.value_rows && !in_place(view.value[role]), shape.rows());
    bias_ = take(view.bias[role].data, shape.pivots_padded);
    zeros_ = arena.take(shape.dim);
  }

  /// Packs the lines of a box; coordinates below `first` do not matter to this role.
  void pack(const HeadView<T>& view, const Box& box, int first) {
    const Shape<T> shape(view);
    number_ = LineNumbers(box, role_, first);
    std::fill_n(zeros_, shape.dim, T(0));
    for_each_stretch(box, role_, first, shape.pivots,
                     [&](const Target& v, int64_t lines, Range pivots) {
                       pack_lines(view, shape, v, lines, pivots);
                     });
  }

  LineMatrix<T> key_panels(const HeadView<T>& view, const Target& v) const {
    return panels(key_panels_, view.dim, v);
  }
  LineMatrix<T> value_panels(const HeadView<T>& view, const Target& v) const {
    return panels(value_panels_, view.dim, v);
  }
  LineMatrix<T> key_rows(const HeadView<T>& view, const Target& v) const {
    return rows(key_rows_, view.key[role_], view, v);
  }
  LineMatrix<T> value_rows(const HeadView<T>& view, const Target& v) const {
    return rows(value_rows_, view.value[role_], view, v);
  }
  const T* bias(const Target& v) const { return bias_[number_(v)]; }

 private:
  LineRows<T> line_rows(const HeadView<T>& view, const Strided<const T>& values, const Target& v,
                        int64_t lines) const {
    const auto& bias = view.bias[role_];
    const int along = std::max(0, line_coordinate(view.order, role_));
    return {{at(values, v, view.order, role_), values.stride[role_],
             bias.data ? at(bias, v, view.order, role_) : nullptr, bias.stride[role_], view.pivots},
            lines,
            values.stride[along],
            bias.stride[along]};
  }

  /// Some pivots of so many lines from v on.
  void pack_lines(const HeadView<T>& view, const Shape<T>& shape, const Target& v, int64_t lines,
                  Range pivots) const {
    const int64_t number = number_(v);
    const bool is_end = pivots.end == shape.pivots;
    const Range padded = {pivots.begin,
                          is_end ? round_up(pivots.end, panel_width<T>()) : pivots.end};
    const auto pack = [&](const Strided<const T>& values, const Matrices<T>& panels,
                          const Matrices<T>& rows) {
      const LineRows<T> from = line_rows(view, values, v, lines);
      if (panels.data) pack_panels(from, padded, shape.dim, zeros_, panels[number], panels.size);
      if (rows.data) pack_rows(from, pivots, shape.dim, zeros_, rows[number], rows.size);
    };
    pack(view.key[role_], key_panels_, key_rows_);
    pack(view.value[role_], value_panels_, value_rows_);
    if (!bias_.data) return;
    const LineRows<T> keys = line_rows(view, view.key[role_], v, lines);
    for (int64_t i = 0; i < lines; ++i) {
      T* bias = bias_[number + i];
      const T* from = keys.first.bias + i * keys.bias_stride;
      for (int64_t p = pivots.begin; p < pivots.end; ++p)
        bias[p] = from[p * keys.first.bias_stride];
      if (is_end) std::fill(bias + shape.pivots, bias + shape.pivots_padded, T(0));
    }
  }

  LineMatrix<T> panels(const Matrices<T>& panels, int64_t dim, const Target& v) const {
    const int64_t width = panel_width<T>();
    return {{panels[number_(v)], width, width * dim}, panels.size};
  }
  LineMatrix<T> rows(const Matrices<T>& packed, const Strided<const T>& given,
                     const HeadView<T>& view, const Target& v) const {
    const int64_t row = round_up(view.dim, lanes<T>()), panel = panel_width<T>();
    if (packed.data) return {{packed[number_(v)], row, panel}, packed.size};
    const int along = std::max(0, line_coordinate(view.order, role_));
    return {{at(given, v, view.order, role_), row, panel}, given.stride[along]};
  }

  int role_ = 0;
  LineNumbers number_;
  Matrices<T> key_panels_, value_panels_, key_rows_, value_rows_, bias_;
  T* zeros_ = nullptr;
};

/// Where the gradient of one line's matrix is summed, in scratch or in its place, and the way to
/// the next line's.
template <typename T>
struct LineSums {
  T* data;
  int64_t next_line;  // along line_coordinate
};

/// Gradients of one role's matrices along the lines of a box.
template <typename T>
class RoleSums {
 public:
  void take(Arena<T>& arena, const HeadView<T>& view, const HeadGradients<T>& grads, int role,
            int64_t lines) {
    role_ = role;
    const Shape<T> shape(view);
    const auto fits = [&](const Strided<T>& gradient) {
      return !gradient.data || usable_in_place(gradient, role, shape);
    };
    in_place_ = fits(grads.key[role]) && fits(grads.value[role]);
    const auto take_rows = [&](const Strided<T>& gradient) {
      const bool scratch = gradient.data && !in_place_;
      return Matrices<T>{scratch ? arena.take(lines * shape.rows()) : nullptr, shape.rows()};
    };
    key_ = take_rows(grads.key[role]);
    value_ = take_rows(grads.value[role]);
    wants_key_ = grads.key[role].data != nullptr;
    wants_value_ = grads.value[role].data != nullptr;
    const bool wants_bias = grads.bias[role].data != nullptr;
    bias_ = {wants_bias ? arena.take(lines * shape.pivots_padded) : nullptr, shape.pivots_padded};
  }

  void begin(const Box& box, int first) {
    number_ = LineNumbers(box, role_, first);
    begin_ = in_place_ ? 0 : box.range[role_].begin;
    if (bias_.data) std::fill_n(bias_.data, number_.count * bias_.size, T(0));
  }

  /// Whether a tile is the first to give something to the sums of its lines.
  bool begins_with(const Box& tile) const { return tile.range[role_].begin == begin_; }

  /// Brings to the gradients what is not there yet.
  void end(const HeadGradients<T>& grads, const Shape<T>& shape, const Box& box, int first) const {
    for_each_stretch(box, role_, first, shape.pivots, [&](Target v, int64_t lines, Range pivots) {
      if (key_.data) move_lines(grads.key[role_], shape, box.order, v, lines, pivots, key_);
      if (value_.data) move_lines(grads.value[role_], shape, box.order, v, lines, pivots, value_);
      if (!bias_.data) return;
      const Strided<T>& gradient = grads.bias[role_];
      for (const int along = std::max(0, line_coordinate(box.order, role_)); lines > 0;
           --lines, ++v[along]) {
        T* out = at(gradient, v, box.order, role_);
        for (int64_t p = pivots.begin; p < pivots.end; ++p) {
          out[p * gradient.stride[role_]] += bias(v)[p];
        }
      }
    });
  }

  bool wants_key() const { return wants_key_; }
  bool wants_value() const { return wants_value_; }
  LineSums<T> key(const HeadGradients<T>& grads, int order, const Target& v) const {
    return sums(key_, grads.key[role_], order, v);
  }
  LineSums<T> value(const HeadGradients<T>& grads, int order, const Target& v) const {
    return sums(value_, grads.value[role_], order, v);
  }
  /// Null where it is not wanted.
  T* bias(const Target& v) const { return bias_.data ? bias_[number_(v)] : nullptr; }

 private:
  LineSums<T> sums(const Matrices<T>& scratch, const Strided<T>& gradient, int order,
                   const Target& v) const {
    if (scratch.data) return {scratch[number_(v)], scratch.size};
    const int along = std::max(0, line_coordinate(order, role_));
    return {at(gradient, v, order, role_), gradient.stride[along]};
  }

  /// The first sums of a line replace what was there, others are added.
  void move_lines(const Strided<T>& gradient, const Shape<T>& shape, int order, const Target& v,
                  int64_t lines, Range pivots, const Matrices<T>& from) const {
    const int64_t line_stride = gradient.stride[std::max(0, line_coordinate(order, role_))];
    const T* sums = from[number_(v)] + pivots.begin * shape.dim_padded;
    T* out = at(gradient, v, order, role_) + pivots.begin * gradient.stride[role_];
    for (int64_t i = 0; i < lines; ++i, sums += from.size, out += line_stride) {
      for (int64_t p = 0; p < pivots.end - pivots.begin; ++p) {
        (begin_ == 0 ? copy_elements<T> : add_elements<T>)(sums + p * shape.dim_padded, shape.dim,
                                                           out + p * gradient.stride[role_]);
      }
    }
  }

  int role_ = 0;
  LineNumbers number_;
  bool wants_key_ = false, wants_value_ = false;
  bool in_place_ = false;  // the gradients themselves hold the sums
  int64_t begin_ = 0;      // of the coordinate `role`, where sums begin
  Matrices<T> key_, value_, bias_;
};

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
