// Pivotal Attention for pairs (k=2, additive) as matrix products over tiles of targets.
//
// Scores split, S[i,k,j] = <q_ik, K_L ij> + <q_ik, K_R jk>: for a fixed i the first term is a
// product over (k, j), for a fixed k the second is one over (i, j). Values and gradients split the
// same way. A tile of targets holds its scores for all pivots; nothing of size N^3 is held. As with
// row_kernel.h, each call is single-threaded and the result does not depend on how the work is cut,
// to the bit.
#pragma once

#include "attention/kernels/row_kernel.h"
#include "attention/kernels/view.h"

namespace floydnet::kernels {

/// Whether these kernels can take the place of row_kernel.h for a view.
template <typename T>
bool suits_pair_kernel(const HeadView<T>& view) {
  const bool biases_of_both_or_none = !view.bias[0].data == !view.bias[1].data;
  return view.order == 2 && !view.multiplicative && !view.mask.data && !view.excluded.data &&
         biases_of_both_or_none;
}

/// Targets of a tile along each coordinate; ranges of other lengths leave part of a tile unused.
constexpr int64_t kPairTile = 16;

void forward_pairs(const HeadView<float>& view, Range first);
void forward_pairs(const HeadView<double>& view, Range first);

/// As backward_rows, but for kFirstRole the range is of second coordinates: the rows (j, k) that
/// role 0 writes to are told apart by k.
void backward_pairs(const HeadView<float>& view, const HeadGradients<float>& grads,
                    BackwardPart part, Range range);
void backward_pairs(const HeadView<double>& view, const HeadGradients<double>& grads,
                    BackwardPart part, Range range);

}  // namespace floydnet::kernels
