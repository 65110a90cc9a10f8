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
#include <initializer_list>

#include "kernels/pack-inl.h"
#include "kernels/tile_products-inl.h"
#include "kernels/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

/// Matrices [p, d] of one role, one after the other.
template <typename T>
struct Matrices {
  T* data = nullptr;
  int64_t size = 0;  // of one of them

  T* operator[](int64_t number) const { return data + number * size; }
};

/// From one matrix to the next of `elements`. Products of a pair use the same rows of many lines
/// together, and a power of two apart they would share sets of the cache.
template <typename T>
int64_t line_size(const HeadView<T>& view, int64_t elements) {
  return view.multiplicative ? elements + kLine<T> : elements;
}

/// The forms in which products want a role's matrices [p, d]: panels have vectors along the pivots,
/// rows along d.
enum Form { kKeyPanels, kValuePanels, kKeyRows, kValueRows };
constexpr int kForms = 4;

/// Whether products take a role together with another one, composed (tile_products-inl.h): the last
/// two are, if at all. Otherwise each role has products of its own.
template <typename T>
bool is_composed(const HeadView<T>& view, int role) {
  if (view.order < 2 || role < view.order - 2) return false;
  return kSumsRolesFirst || (view.multiplicative && view.order == 2);
}

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
  /// `lines` are those of the box. If they are packed late, they are not all there at once, but
  /// packed when a product wants them, `least_lines` or more, to memory that stays in the cache.
  void take(Arena<T>& arena, const HeadView<T>& view, int role, int64_t lines, bool packs_late,
            int64_t least_lines, std::initializer_list<Form> forms) {
    role_ = role;
    const Shape<T> shape(view);
    packs_late_ = packs_late;
    is_composed_ = is_composed(view, role);
    width_ = is_composed_ ? lanes<T>() : panel_width<T>();
    const int64_t panels = round_up(shape.pivots, width_) * shape.dim;
    const int64_t line = line_size(view, std::max(panels, shape.rows()));
    lines_at_a_time_ = lines;
    if (packs_late) {
      const int64_t fitting = kLateSize / std::max<int64_t>(1, line);
      lines_at_a_time_ = std::min(lines, std::max(fitting, least_lines));
    }
    T* late = packs_late ? arena.take(lines_at_a_time_ * line) : nullptr;
    for (const Form form : forms) {
      matrices_[form].size = line_size(view, is_panels(form) ? panels : shape.rows());
      if (is_in_place(view, form)) continue;
      matrices_[form].data = packs_late ? late : arena.take(lines * matrices_[form].size);
    }
    if (view.bias[role].data) {
      bias_ = {arena.take(lines * shape.pivots_padded), shape.pivots_padded};
    }
    zeros_ = arena.take(shape.dim);
  }

  /// Packs the lines of a box; coordinates below `first` do not matter to this role.
  void pack(const HeadView<T>& view, const Box& box, int first) {
    const Shape<T> shape(view);
    number_ = LineNumbers(box, role_, first);
    std::fill_n(zeros_, shape.dim, T(0));
    if (packs_late_ && !bias_.data) return;
    for_each_stretch(box, role_, first, shape.pivots,
                     [&](const Target& v, int64_t lines, Range pivots) {
                       for (int form = 0; form < kForms && !packs_late_; ++form) {
                         const Matrices<T>& to = matrices_[form];
                         if (to.data)
                           pack_lines(view, Form(form), v, lines, pivots, to[number_(v)]);
                       }
                       if (bias_.data) pack_bias(view, shape, v, lines, pivots);
                     });
  }

  /// How many lines a call of `matrix` may ask for.
  int64_t lines_at_a_time() const { return lines_at_a_time_; }

  /// The matrices of so many lines from v on, until the next call.
  LineMatrix<T> matrix(const HeadView<T>& view, Form form, const Target& v, int64_t lines) const {
    const Matrices<T>& packed = matrices_[form];
    if (!packed.data) {
      const Strided<const T>& given = source(view, form);
      return {{at(given, v, view.order, role_), given.stride[role_], width_},
              given.stride[along(view.order)]};
    }
    if (packs_late_) pack_lines(view, form, v, lines, {0, view.pivots}, packed.data);
    const T* data = packs_late_ ? packed.data : packed[number_(v)];
    return {{data, row(view, form), panel(view, form)}, packed.size};
  }

  /// What a call of `matrix` will read; of packed lines the first.
  Upcoming<T> upcoming(const HeadView<T>& view, Form form, const Target& v, int64_t lines) const {
    const Matrices<T>& packed = matrices_[form];
    if (packed.data && !packs_late_) return {packed[number_(v)], 1, packed.size, packed.size};
    const Strided<const T>& given = source(view, form);
    const T* data = at(given, v, view.order, role_);
    const int64_t matrix = view.pivots * view.dim;
    if (role_ == view.order - 1) return {data, lines, given.stride[along(view.order)], matrix};
    return {data, view.pivots, given.stride[role_], lines * view.dim};
  }

  const T* bias(const Target& v) const { return bias_[number_(v)]; }

 private:
  // What is packed at a time if that is late, a line at least: a quarter of the first-level cache.
  static constexpr int64_t kLateSize = 8192 / static_cast<int64_t>(sizeof(T));

  static bool is_panels(Form form) { return form == kKeyPanels || form == kValuePanels; }
  const Strided<const T>& source(const HeadView<T>& view, Form form) const {
    return (form == kKeyPanels || form == kKeyRows ? view.key : view.value)[role_];
  }
  /// Whether products can use the matrices where they stand. If rows are apart, that is where all
  /// lines together stay in the cache.
  bool is_in_place(const HeadView<T>& view, Form form) const {
    if (is_panels(form) || view.bias[role_].data || view.dim % lanes<T>() != 0) return false;
    if (is_composed_ && view.dim != lanes<T>()) return false;
    const int64_t stride = source(view, form).stride[role_];
    const int64_t most = is_composed_ ? 4 * kMaxRight<T> : kMaxRight<T>;
    return stride == view.dim || (!view.multiplicative && view.pivots * stride <= most);
  }
  /// Of packed matrices, as the right sides of products. What is composed has panels of one vector,
  /// so that what a product needs at a time stands together.
  int64_t row(const HeadView<T>& view, Form form) const {
    return is_panels(form) || is_composed_ ? width_ : round_up(view.dim, lanes<T>());
  }
  int64_t panel(const HeadView<T>& view, Form form) const {
    if (is_panels(form)) return width_ * view.dim;
    return is_composed_ ? width_ * view.pivots : width_;
  }
  int along(int order) const { return line_coordinate_or_0(order, role_); }

  /// Some pivots of so many lines from v on.
  void pack_lines(const HeadView<T>& view, Form form, const Target& v, int64_t lines, Range pivots,
                  T* out) const {
    const Strided<const T>&values = source(view, form), &bias = view.bias[role_];
    const LineRows<T> from = {
        {at(values, v, view.order, role_), values.stride[role_],
         bias.data ? at(bias, v, view.order, role_) : nullptr, bias.stride[role_], view.pivots},
        lines,
        values.stride[along(view.order)],
        bias.stride[along(view.order)]};
    const int64_t size = matrices_[form].size;
    if (is_panels(form)) {
      if (pivots.end == view.pivots) pivots.end = round_up(pivots.end, width_);
      pack_panels(from, pivots, view.dim, width_, zeros_, out, size);
    } else {
      pack_rows(from, pivots, view.dim, zeros_, out, row(view, form),
                is_composed_ ? panel(view, form) : lanes<T>(), size);
    }
  }

  void pack_bias(const HeadView<T>& view, const Shape<T>& shape, Target v, int64_t lines,
                 Range pivots) const {
    const Strided<const T>& given = view.bias[role_];
    for (; lines > 0; --lines, ++v[along(view.order)]) {
      const T* from = at(given, v, view.order, role_);
      T* bias = bias_[number_(v)];
      for (int64_t p = pivots.begin; p < pivots.end; ++p) bias[p] = from[p * given.stride[role_]];
      std::fill(bias + shape.pivots, bias + shape.pivots_padded, T(0));
    }
  }

  int role_ = 0;
  bool packs_late_ = false;
  int64_t lines_at_a_time_ = 1;
  bool is_composed_ = false;
  int64_t width_ = 0;  // of panels
  LineNumbers number_;
  Matrices<T> matrices_[kForms], bias_;
  T* zeros_ = nullptr;
};

/// Where the gradient of one line's matrix is summed, in scratch or in its place, and the way to
/// the next row's and the next line's.
template <typename T>
struct LineSums {
  T* data;
  int64_t next_row;
  int64_t next_line;  // along line_coordinate
};

/// Gradients of one role's matrices along the lines of a box.
template <typename T>
class RoleSums {
 public:
  /// Lines that only one tile gives something to can be summed in their places even if the rows are
  /// apart, if `allows_rows_apart`: they are written once.
  void take(Arena<T>& arena, const HeadView<T>& view, const HeadGradients<T>& grads, int role,
            int64_t lines, bool allows_rows_apart) {
    role_ = role;
    const Shape<T> shape(view);
    const auto fits = [&](const Strided<T>& gradient) {
      const bool is_row_apart = gradient.stride[role] != shape.dim;
      return !gradient.data ||
             (shape.dim == shape.dim_padded && (allows_rows_apart || !is_row_apart));
    };
    in_place_ = fits(grads.key[role]) && fits(grads.value[role]);
    const auto take_rows = [&](const Strided<T>& gradient) {
      const bool scratch = gradient.data && !in_place_;
      const int64_t size = line_size(view, shape.rows());
      return Matrices<T>{scratch ? arena.take(lines * size) : nullptr, size};
    };
    row_ = shape.dim_padded;
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
      for (const int along = line_coordinate_or_0(box.order, role_); lines > 0;
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
    if (scratch.data) return {scratch[number_(v)], row_, scratch.size};
    const int along = line_coordinate_or_0(order, role_);
    return {at(gradient, v, order, role_), gradient.stride[role_], gradient.stride[along]};
  }

  /// The first sums of a line replace what was there, others are added.
  void move_lines(const Strided<T>& gradient, const Shape<T>& shape, int order, const Target& v,
                  int64_t lines, Range pivots, const Matrices<T>& from) const {
    const int64_t line_stride = gradient.stride[line_coordinate_or_0(order, role_)];
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
  int64_t row_ = 0;        // of scratch
  int64_t begin_ = 0;      // of the coordinate `role`, where sums begin
  Matrices<T> key_, value_, bias_;
};

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
