// Pivotal Attention of small graphs, one head of one graph in each lane of a vector.
//
// With N = 17 and d_h = 8 neither pivots nor elements fill vectors, and what surrounds the products
// (packing rows, reducing over lanes, padding) takes longer than they do. Across heads there is
// nothing to pad or to reduce: every lane does the same work on a head of its own. Graphs of
// different sizes share a vector, too; the smaller ones then idle for a while.
//
// A lane's result does not depend on what stands in the others, to the bit.
#pragma once

#include "kernels/view.h"

namespace floydnet::kernels {

/// Whether graphs of so many nodes and heads of this width gain by it.
constexpr bool prefers_lanes(int64_t nodes, int64_t dim) { return nodes <= 40 && dim <= 8; }

/// Whether these kernels are to take the place of tile_kernel.h for a view.
template <typename T>
bool suits_lane_kernel(const HeadView<T>& view) {
  const bool is_plain = !view.mask.data && !view.excluded.data && !view.bias[0].data &&
                        !view.bias[1].data && !view.kept.data && view.logit_cap == 0 &&
                        view.dropout == 0 && view.scale > 0;
  return is_plain && view.order == 2 && view.lengths[0] == view.pivots &&
         view.lengths[1] == view.pivots && view.dim > 0 && prefers_lanes(view.pivots, view.dim);
}

/// A head, and in backward where its gradients go.
template <typename T>
struct LaneHead {
  const HeadView<T>* view;
  const HeadGradients<T>* grads = nullptr;
};

/// Heads that one call takes, at most.
template <typename T>
int64_t lane_count();
// Specialisations do not become hidden by -fvisibility alone.
template <>
[[gnu::visibility("hidden")]] int64_t lane_count<float>();
template <>
[[gnu::visibility("hidden")]] int64_t lane_count<double>();

/// Heads of one width and composition; about equal sizes are best. They leave nothing but the
/// output: backward computes the softmax again.
void forward_lanes(const LaneHead<float>* heads, int64_t count);
void forward_lanes(const LaneHead<double>* heads, int64_t count);

/// Sets the gradients of q, keys and values that are wanted.
void backward_lanes(const LaneHead<float>* heads, int64_t count);
void backward_lanes(const LaneHead<double>* heads, int64_t count);

}  // namespace floydnet::kernels
