// Pivotal Attention one target at a time, for every k, composition and option.
//
// A target needs O(pivots) scratch, so nothing of size N^{k+1} is ever held. Every function works
// on a part of one (graph, head) and is single-threaded; parts that may run at the same time are
// said below. The result does not depend on how the work is cut into parts, to the bit.
#pragma once

#include "kernels/view.h"

namespace floydnet::kernels {

/// Computes out, row_max and row_factor for the targets whose first coordinate is in `first`. Parts
/// with disjoint ranges may run at the same time.
void forward_rows(const HeadView<float>& view, Range first);
void forward_rows(const HeadView<double>& view, Range first);

/// Which gradients a call of backward_rows computes.
enum class BackwardPart {
  kAll,        // everything, by one thread; `range` is of all pivots
  kTargets,    // all but role 0; `range` is of first coordinates
  kFirstRole,  // role 0 alone; `range` is of pivots
};

/// Adds gradients. The view holds what forward_rows computed. Role r > 0 keeps the
/// first coordinate of the target and role 0 replaces it by the pivot, so parts of the same kind
/// with disjoint ranges write to disjoint rows, and so do parts of different kinds.
void backward_rows(const HeadView<float>& view, const HeadGradients<float>& grads,
                   BackwardPart part, Range range);
void backward_rows(const HeadView<double>& view, const HeadGradients<double>& grads,
                   BackwardPart part, Range range);

/// The softmax weights, before dropout, of one target: `weights` has room for view.pivots values.
void target_weights(const HeadView<float>& view, const int64_t* target, float* weights);
void target_weights(const HeadView<double>& view, const int64_t* target, double* weights);

}  // namespace floydnet::kernels
