// Pivotal Attention as matrix products over tiles of targets: any order with additive composition,
// pairs (k=2) with either.
//
// Scores split by role. For k=2, S[i,k,j] = <q_ik, K_L ij> + <q_ik, K_R jk>: for a fixed i the
// first term is a product over (k, j), for a fixed k the second is one over (i, j). In general role
// r is a product over (v_r, p) for every choice of the other coordinates. Values and gradients
// split the same way. A tile of targets holds its scores for some pivots at a time; nothing of size
// N^{k+1} is held. As with row_kernel.h, each call is single-threaded and the result does not
// depend on how the work is cut, to the bit.
#pragma once

#include <algorithm>

#include "kernels/row_kernel.h"
#include "kernels/view.h"

namespace floydnet::kernels {

/// Whether these kernels can take the place of row_kernel.h for a view.
template <typename T>
bool suits_tile_kernel(const HeadView<T>& view) {
  bool biases_of_all_or_none = true;
  for (int r = 1; r < view.order; ++r) {
    biases_of_all_or_none &= !view.bias[r].data == !view.bias[0].data;
  }
  return !view.mask.data && !view.excluded.data && biases_of_all_or_none &&
         (!view.multiplicative || view.order <= 2);
}

constexpr int64_t kMaxTileLength = 64;

enum class Pass { kForward, kBackward };

/// Targets of a tile along coordinate c, for the SIMD target in use.
int64_t tile_length(const HeadView<float>& view, Pass pass, int c);
int64_t tile_length(const HeadView<double>& view, Pass pass, int c);

void forward_tiles(const HeadView<float>& view, Range first);
void forward_tiles(const HeadView<double>& view, Range first);

/// Pivots that backward takes at a time, so that what a tile's lines need together stays in the
/// cache. The sums of q's gradients over so many are added up in the order of pivots.
template <typename T>
int64_t backward_pivots(const HeadView<T>& view) {
  const int64_t row_bytes = std::max<int64_t>(1, view.dim) * static_cast<int64_t>(sizeof(T));
  return std::max<int64_t>(1, (int64_t{16} << 10) / row_bytes / 64) * 64;
}

/// As backward_rows, but for kFirstRole the range is of second coordinates (k=1: anything but
/// empty, for all of it): the rows (p, v_1, ...) that role 0 writes to are told apart by v_1. For
/// kAll it is of pivots, cut at multiples of backward_pivots: parts with disjoint ranges write to
/// disjoint rows but for those of q.
void backward_tiles(const HeadView<float>& view, const HeadGradients<float>& grads,
                    BackwardPart part, Range range);
void backward_tiles(const HeadView<double>& view, const HeadGradients<double>& grads,
                    BackwardPart part, Range range);

}  // namespace floydnet::kernels
