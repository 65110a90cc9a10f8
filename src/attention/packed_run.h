// Pivotal Attention on packed tensors without checks or autograd: what the operator and the block
// are made of.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "floydnet/attention.h"
#include "floydnet/graph.h"
#include "kernels/view.h"

namespace floydnet {

/// As pivotal_attention takes them, but with contiguous rows; or their gradients. Undefined tensors
/// are those that there are none of, or whose gradients are not wanted.
struct PackedTensors {
  at::Tensor q, k, v;
  at::Tensor bias;  // [order, heads, rows]

  int64_t heads() const { return q.size(0); }
  int64_t dim() const { return q.size(2); }
};

/// Everything that is not a tensor.
struct PackedCall {
  TupleLayout layout;
  AttentionOptions options;
  bool needs_backward = false;
};

/// What forward computes: the result, and what backward needs of the softmax.
struct PackedOutputs {
  at::Tensor out;        // [heads, rows, d_h]
  at::Tensor row_stats;  // [2, heads, rows]: maxima and factors
  at::Tensor kept;       // [heads, elements]: the exponentials of those graphs that keep them
};

/// What forward keeps of a head's exponentials, as they are chosen by sizes and options alone.
int64_t kept_elements(int64_t dim, bool has_bias, const PackedCall& call);

/// Room for them; `out` is where the result goes, with contiguous rows.
PackedOutputs packed_outputs(const PackedTensors& in, const PackedCall& call,
                             const at::Tensor& out);

void run_packed_forward(const PackedTensors& in, const PackedCall& call,
                        const PackedOutputs& outputs);

/// The gradients of `in`, given that of the result. `grads` are where they go, and need not be set
/// to anything.
void run_packed_backward(const PackedTensors& in, const PackedCall& call,
                         const PackedOutputs& outputs, const at::Tensor& dout,
                         const PackedTensors& grads);

/// Every (graph, head) as the kernels see it, graph by graph.
template <typename T>
std::vector<kernels::HeadView<T>> head_views(const PackedTensors& in, const PackedCall& call,
                                             const PackedOutputs& outputs);
template <typename T>
std::vector<kernels::HeadGradients<T>> head_gradients(const PackedCall& call,
                                                      const at::Tensor& dout,
                                                      const PackedTensors& grads);

/// As attention_weights.
at::Tensor packed_weights(const PackedTensors& in, const PackedCall& call,
                          const std::vector<int64_t>& targets);

}  // namespace floydnet
