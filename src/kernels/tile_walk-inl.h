// The walk over all tiles of a view, with relations packed. For the SIMD target that is being
// compiled, as gemm-inl.h.
#if defined(FLOYDNET_TILE_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLOYDNET_TILE_WALK_INL_H_
#undef FLOYDNET_TILE_WALK_INL_H_
#else
#define FLOYDNET_TILE_WALK_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "kernels/roles-inl.h"
#include "kernels/tile_kernel.h"
#include "kernels/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {

/// Targets of a tile along coordinate c. Found by trying (docs/performance.md): the longer the
/// tile, the more often what is packed is used, but its scores, for all pivots, have to stay in the
/// cache; and the lines along the last coordinate, whose targets stand side by side, are worth
/// most. For k > 2 the last bits of gradients depend on it, but not on the threads.
template <typename T>
int64_t best_tile_length(const HeadView<T>& view, Pass pass, int c) {
  constexpr int64_t kTriples[] = {kSumsRolesFirst ? 32 : 8, kSumsRolesFirst ? 16 : 32, 32};
  constexpr int64_t kQuadruples[] = {8, 16, 16, 16};
  switch (view.order) {
    case 1:
      return kMaxTileLength;
    case 2: {
      const int64_t longest = std::max(view.lengths[0], view.lengths[1]);
      if (view.multiplicative) return longest <= 32 || view.dim >= 32 ? 32 : 16;
      if (kSumsRolesFirst && c == 1) return 64;
      if (kSumsRolesFirst && longest <= 64) return view.dim < 32 ? 64 : 32;
      if (kSumsRolesFirst) return pass == Pass::kBackward && view.dim >= 32 ? 32 : 16;
      if (longest <= 64 || (longest <= 128 && pass == Pass::kForward)) return 64;
      if (view.dim < 32) return c == 0 ? 16 : 64;
      return 32;
    }
    case 3:
      return kTriples[c];
    default:
      return kQuadruples[c];
  }
}

/// Walks over the tiles of a range of first coordinates and one of second ones, with relations
/// packed. Role 0, which does not depend on the first coordinate, is packed for a wide band of the
/// other coordinates at a time, so that the other roles, packed anew for each band, are used many
/// times.
template <typename T>
class TileWalk {
 public:
  /// `matrices_per_line` is how many matrices [p, d] a line of role 0 takes.
  TileWalk(const HeadView<T>& view, Pass pass, int64_t matrices_per_line)
      : view_(view), shape_(view) {
    for (int c = 0; c < view.order; ++c) {
      tile_[c] = std::clamp<int64_t>(view.lengths[c], 1, best_tile_length(view, pass, c));
    }
    const int64_t line_bytes =
        std::max<int64_t>(1, matrices_per_line * shape_.rows() * static_cast<int64_t>(sizeof(T)));
    std::copy_n(tile_, view.order, band_);
    // Wider by a tile in all coordinates, while it fits.
    for (bool grown = true; grown;) {
      grown = false;
      int64_t wider[kMaxOrder] = {}, lines = 1;
      for (int c = 1; c < view.order; ++c) {
        wider[c] = std::min(round_up(view.lengths[c], tile_[c]), band_[c] + tile_[c]);
        grown |= wider[c] > band_[c];
        lines *= wider[c];
      }
      if (lines * line_bytes > kBandBytes) break;
      std::copy(wider + 1, wider + view.order, band_ + 1);
    }
  }

  const int64_t* tile_lengths() const { return tile_; }
  const RoleMatrices<T>& role(int r) const { return roles_[r]; }
  /// Lines of a role that are packed at the same time.
  int64_t lines(int role) const {
    int64_t count = 1;
    for (int c = role == 0 ? 1 : 0; c < view_.order; ++c) {
      if (c != role) count *= c == 0 ? tile_[0] : band_[c];
    }
    return count;
  }

  /// Whether the lines of a role are met by one tile each.
  bool meets_lines_once(int role) const { return tile_[role] >= view_.lengths[role]; }

  void take(Arena<T>& arena, std::initializer_list<Form> forms) {
    for (int r = 0; r < view_.order; ++r) {
      // What is composed is wanted for all of a tile's lines at once.
      const int64_t least = is_composed(view_, r) ? tile_[line_coordinate(view_.order, r)] : 1;
      roles_[r].take(arena, view_, r, lines(r), packs_late(r), least, forms);
    }
  }

  /// Visits tiles by band, then by first coordinate, then by the others, and calls the visitor's
  /// begin_band, begin_rows, visit, end_rows and end_band around them.
  template <typename Visitor>
  void run(Range first, Range second, Visitor& visitor) {
    Box all{view_.order, {}};
    for (int c = 0; c < view_.order; ++c) all.range[c] = {0, view_.lengths[c]};
    all.range[0] = first;
    if (view_.order > 1) all.range[1] = second;
    for (int c = 0; c < view_.order; ++c) {
      if (all.length(c) <= 0) return;
    }
    for_each_block(all, band_, 1, [&](const Box& band) {
      roles_[0].pack(view_, band, 1);
      visitor.begin_band(band);
      Box rows = band;
      for (int64_t begin = first.begin; begin < first.end; begin += tile_[0]) {
        rows.range[0] = {begin, std::min(first.end, begin + tile_[0])};
        for (int r = 1; r < view_.order; ++r) roles_[r].pack(view_, rows, 0);
        visitor.begin_rows(rows);
        for_each_block(rows, tile_, 1, [&](const Box& tile) { visitor.visit(tile); });
        visitor.end_rows(rows);
      }
      visitor.end_band(band);
    });
  }

 private:
  /// Whether lines of a role are packed by each tile that uses them, when it does, instead of all
  /// ahead. That pays where there are few such tiles, or long ones with lines in one piece.
  bool packs_late(int role) const {
    if (is_composed(view_, role)) return view_.order > 2 && view_.lengths[role] <= 2 * tile_[role];
    return view_.lengths[role] <= 2 * tile_[role] || (role == view_.order - 1 && tile_[role] >= 64);
  }

  static constexpr int64_t kBandBytes = int64_t{8} << 20;

  const HeadView<T>& view_;
  const Shape<T> shape_;
  int64_t tile_[kMaxOrder] = {}, band_[kMaxOrder] = {};
  RoleMatrices<T> roles_[kMaxOrder];
};

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
