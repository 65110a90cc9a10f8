// Tiles of targets, the lines that they consist of, and their arrays. For the SIMD target that is
// being compiled, as gemm-inl.h.
#if defined(FLOYDNET_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_TILES_INL_H_
#undef FLOYDNET_TILES_INL_H_
#else
#define FLOYDNET_TILES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/gemm-inl.h"
#include "kernels/pack-inl.h"
#include "kernels/view.h"
#include "kernels/workspace.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

using Target = std::array<int64_t, kMaxOrder>;

/// Pivots of several lines that are handled together: whole vectors of any SIMD target.
constexpr int64_t kStretch = 16;

/// A range of every coordinate.
struct Box {
  int order = 0;
  Range range[kMaxOrder] = {};

  int64_t length(int c) const { return range[c].end - range[c].begin; }
  Target begin() const {
    Target v{};
    for (int c = 0; c < order; ++c) v[c] = range[c].begin;
    return v;
  }
};

/// Calls visit(v) for every choice in the box of the coordinates in [first, order) other than
/// `role`, in order; the rest stay at their beginnings. A role of -1 spares none.
template <typename Visit>
void for_each_line(const Box& box, int role, const Visit& visit, int first = 0) {
  Target v = box.begin();
  for (;;) {
    visit(v);
    int c = box.order - 1;
    for (; c >= first; --c) {
      if (c == role) continue;
      if (++v[c] < box.range[c].end) break;
      v[c] = box.range[c].begin;
    }
    if (c < first) return;
  }
}

/// The coordinate along which the lines of a role follow each other: the last but its own; -1 if
/// there is none.
inline int line_coordinate(int order, int role) {
  return role == order - 1 ? order - 2 : order - 1;
}

inline int line_coordinate_or_0(int order, int role) {
  return std::max(0, line_coordinate(order, role));
}

/// As for_each_line, but a whole run of lines along line_coordinate at a time: visit(v, count).
template <typename Visit>
void for_each_run(const Box& box, int role, const Visit& visit, int first = 0) {
  const int along = line_coordinate(box.order, role);
  if (along < first)
    return for_each_line(
        box, role, [&](const Target& v) { visit(v, int64_t{1}); }, first);
  Box firsts = box;
  firsts.range[along].end = firsts.range[along].begin + 1;
  for_each_line(
      firsts, role, [&](const Target& v) { visit(v, box.length(along)); }, first);
}

/// Calls visit(block) for blocks of `lengths` that cover the coordinates from `first` on; the
/// others keep their whole range.
template <typename Visit>
void for_each_block(const Box& box, const int64_t* lengths, int first, const Visit& visit) {
  if (first == box.order || first == kMaxOrder) return visit(box);
  for (int64_t begin = box.range[first].begin; begin < box.range[first].end;
       begin += lengths[first]) {
    Box part = box;
    part.range[first] = {begin, std::min(box.range[first].end, begin + lengths[first])};
    for_each_block(part, lengths, first + 1, visit);
  }
}

/// Calls visit(v, lines, pivots) so that all pivots of all lines of a role are met, in the order in
/// which rows [v[role<-p]] stand in memory, if not row by row. `lines` are those from v on, along
/// line_coordinate.
template <typename Visit>
void for_each_stretch(const Box& box, int role, int first, int64_t pivots, const Visit& visit) {
  const int64_t step = role == box.order - 1 ? std::max<int64_t>(1, pivots) : kStretch;
  for_each_run(
      box, role,
      [&](const Target& v, int64_t lines) {
        for (int64_t p = 0; p < pivots; p += step) {
          visit(v, lines, Range{p, std::min(pivots, p + step)});
        }
      },
      first);
}

/// Where an array stands for a target, leaving out the coordinate `role`, if it is not -1.
template <typename T>
HWY_INLINE T* at(const Strided<T>& array, const Target& v, int order, int role = -1) {
  T* data = array.data;
  for (int c = 0; c < order; ++c) {
    if (c != role) data += v[c] * array.stride[c];
  }
  return data;
}

/// Lengths of one problem, padded for vectors.
template <typename T>
struct Shape {
  explicit Shape(const HeadView<T>& view)
      : pivots(view.pivots),
        dim(view.dim),
        pivots_padded(round_up(view.pivots, lanes<T>())),
        dim_padded(round_up(view.dim, lanes<T>())) {}

  int64_t pivots, dim;
  int64_t pivots_padded, dim_padded;

  /// Elements of one role's matrix [p, d] as padded rows.
  int64_t rows() const { return pivots * dim_padded; }
};

/// Cuts the workspace into arrays, in two goes: first counting, then handing out.
template <typename T>
class Arena {
 public:
  explicit Arena(T* memory = nullptr) : memory_(memory) {}

  T* take(int64_t size) {
    T* taken = memory_ ? memory_ + used_ : nullptr;
    used_ += round_up(size, kLine<T>);
    return taken;
  }
  int64_t used() const { return used_; }

 private:
  T* memory_;
  int64_t used_ = 0;
};

/// Calls take_arrays with an arena that has room for all that it takes.
template <typename T, typename Take>
void with_workspace(const Take& take_arrays) {
  Arena<T> counting;
  take_arrays(counting);
  Arena<T> arena(
      static_cast<T*>(thread_workspace(static_cast<size_t>(counting.used()) * sizeof(T))));
  take_arrays(arena);
}

/// Values for each target of a tile: [v_0] ... [v_{k-1}][row].
template <typename T>
struct TileArray {
  T* data = nullptr;
  int64_t stride[kMaxOrder] = {};

  void take(Arena<T>& arena, int order, const int64_t* lengths, int64_t row) {
    int64_t size = row;
    for (int c = order - 1; c >= 0; --c) {
      stride[c] = size;
      // Rows a power of two apart would share sets of the cache.
      size = size * lengths[c] + kLine<T>;
    }
    data = arena.take(size);
  }
  T* at(const Box& tile, const Target& v) const {
    T* row = data;
    for (int c = 0; c < tile.order; ++c) row += (v[c] - tile.range[c].begin) * stride[c];
    return row;
  }
};

/// Numbers the lines of one role in a box, that is the choices of its other coordinates.
struct LineNumbers {
  Target begin{};
  int64_t stride[kMaxOrder] = {};
  int64_t count = 1;

  LineNumbers() = default;
  LineNumbers(const Box& box, int role, int first) : begin(box.begin()) {
    for (int c = box.order - 1; c >= first; --c) {
      if (c == role) continue;
      stride[c] = count;
      count *= box.length(c);
    }
  }
  int64_t operator()(const Target& v) const {
    int64_t number = 0;
    for (int c = 0; c < kMaxOrder; ++c) number += (v[c] - begin[c]) * stride[c];
    return number;
  }
};

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
