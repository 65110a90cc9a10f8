#include "attention/packed_run.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include <algorithm>

#include "attention/common.h"
#include "attention/schedule.h"
#include "kernels/lane_kernel.h"
#include "kernels/row_kernel.h"
#include "kernels/tile_kernel.h"

namespace floydnet {
namespace {

using at::Tensor;
using kernels::HeadGradients;
using kernels::HeadView;
using kernels::Strided;

/// Pointer and strides of a [role, head, row, ...] or a [head, row, ...] tensor. Asking a tensor
/// for them anew for every head would cost more than the work on a small graph.
template <typename T>
class PackedArray {
 public:
  PackedArray() = default;
  explicit PackedArray(const Tensor& tensor, bool has_roles) {
    if (!tensor.defined()) return;
    data_ = tensor.data_ptr<std::remove_const_t<T>>();
    role_stride_ = has_roles ? tensor.stride(0) : 0;
    head_stride_ = tensor.stride(has_roles ? 1 : 0);
    row_stride_ = tensor.stride(has_roles ? 2 : 1);
  }

  /// The rows of one graph; null where there is no tensor.
  Strided<T> rows(const TupleLayout& layout, int64_t graph, int64_t head, int role = 0) const {
    Strided<T> rows;
    if (!data_) return rows;
    rows.data =
        data_ + role * role_stride_ + head * head_stride_ + layout.offset(graph) * row_stride_;
    int64_t stride = row_stride_;
    for (int c = layout.order() - 1; c >= 0; --c) {
      rows.stride[c] = stride;
      stride *= layout.size(graph);
    }
    return rows;
  }

 private:
  T* data_ = nullptr;
  int64_t role_stride_ = 0, head_stride_ = 0, row_stride_ = 0;
};

/// Calls visit(graph, head) for all of them, graphs first.
template <typename Visit>
void for_each_head(const TupleLayout& layout, int64_t heads, const Visit& visit) {
  for (int64_t graph = 0; graph < layout.graphs(); ++graph) {
    for (int64_t head = 0; head < heads; ++head) visit(graph, head);
  }
}

int64_t rows_of(const TupleLayout& layout, int64_t graph) {
  return layout.offset(graph + 1) - layout.offset(graph);
}

template <typename T>
HeadView<T> shape_of_view(int64_t dim, const PackedCall& call, int64_t graph) {
  HeadView<T> view;
  view.order = call.layout.order();
  std::fill_n(view.lengths, view.order, call.layout.size(graph));
  view.pivots = call.layout.size(graph);
  view.dim = dim;
  set_options(view, call.options);
  return view;
}

/// Elements that a graph's exponentials take for one head; 0 where they are not kept. Keeping them
/// costs N / d_h of the memory of a state and saves a seventh of the work. The slopes of a cap
/// could not be had from them, and the lane kernel has no use for them.
int64_t kept_size(int64_t dim, bool has_bias, const PackedCall& call, int64_t graph) {
  const int64_t nodes = call.layout.size(graph);
  const bool is_additive = call.options.composition == Composition::kAdditive;
  const bool goes_by_lanes =
      !has_bias && kernels::suits_lane_kernel(shape_of_view<float>(dim, call, graph));
  const bool is_possible = call.needs_backward && call.options.logit_cap == 0 && !goes_by_lanes &&
                           (is_additive || call.layout.order() <= 2);
  const bool is_wanted = call.options.keep_weights.value_or(nodes <= 2 * dim);
  if (!is_possible || !is_wanted) return 0;
  return rows_of(call.layout, graph) * kernels::kept_row_length(nodes);
}

/// The tile kernel sets gradients, the row kernel adds to them.
void zero_what_is_added_to(const PackedTensors& grads, bool sets_gradients) {
  if (grads.bias.defined()) grads.bias.zero_();
  if (sets_gradients) return;
  for (const Tensor& gradient : {grads.q, grads.k, grads.v}) {
    if (gradient.defined()) gradient.zero_();
  }
}

}  // namespace

template <typename T>
std::vector<HeadView<T>> head_views(const PackedTensors& in, const PackedCall& call,
                                    const PackedOutputs& outputs) {
  const TupleLayout& layout = call.layout;
  const PackedArray<const T> q(in.q, false), k(in.k, true), v(in.v, true), bias(in.bias, true);
  const PackedArray<T> out(outputs.out, false), stats(outputs.row_stats, true);
  std::vector<int64_t> kept_offsets = {0};
  for (int64_t graph = 0; graph < layout.graphs(); ++graph) {
    kept_offsets.push_back(kept_offsets.back() +
                           kept_size(in.dim(), in.bias.defined(), call, graph));
  }
  std::vector<HeadView<T>> views;
  views.reserve(layout.graphs() * in.heads());
  for_each_head(layout, in.heads(), [&](int64_t graph, int64_t head) {
    HeadView<T>& view = views.emplace_back(shape_of_view<T>(in.dim(), call, graph));
    view.q = q.rows(layout, graph, head);
    for (int r = 0; r < view.order; ++r) {
      view.key[r] = k.rows(layout, graph, head, r);
      view.value[r] = v.rows(layout, graph, head, r);
      view.bias[r] = bias.rows(layout, graph, head, r);
    }
    view.out = out.rows(layout, graph, head);
    view.row_max = stats.rows(layout, graph, head, 0);
    view.row_factor = stats.rows(layout, graph, head, 1);
    if (kept_offsets[graph] < kept_offsets[graph + 1]) {
      int64_t stride = kernels::kept_row_length(view.pivots);
      for (int c = view.order - 1; c >= 0; --c) {
        view.kept.stride[c] = stride;
        stride *= view.pivots;
      }
      view.kept.data =
          outputs.kept.data_ptr<T>() + head * kept_offsets.back() + kept_offsets[graph];
    }
    view.dropout_base = static_cast<uint64_t>(head * layout.rows() + layout.offset(graph));
  });
  return views;
}

template <typename T>
std::vector<HeadGradients<T>> head_gradients(const PackedCall& call, const Tensor& dout,
                                             const PackedTensors& grads) {
  const TupleLayout& layout = call.layout;
  const PackedArray<const T> out(dout, false);
  const PackedArray<T> q(grads.q, false), k(grads.k, true), v(grads.v, true);
  const PackedArray<T> bias(grads.bias, true);
  std::vector<HeadGradients<T>> gradients;
  gradients.reserve(layout.graphs() * dout.size(0));
  for_each_head(layout, dout.size(0), [&](int64_t graph, int64_t head) {
    HeadGradients<T>& g = gradients.emplace_back();
    g.out = out.rows(layout, graph, head);
    g.q = q.rows(layout, graph, head);
    for (int r = 0; r < layout.order(); ++r) {
      g.key[r] = k.rows(layout, graph, head, r);
      g.value[r] = v.rows(layout, graph, head, r);
      g.bias[r] = bias.rows(layout, graph, head, r);
    }
  });
  return gradients;
}

template std::vector<HeadView<float>> head_views(const PackedTensors&, const PackedCall&,
                                                 const PackedOutputs&);
template std::vector<HeadView<double>> head_views(const PackedTensors&, const PackedCall&,
                                                  const PackedOutputs&);
template std::vector<HeadGradients<float>> head_gradients(const PackedCall&, const Tensor&,
                                                          const PackedTensors&);
template std::vector<HeadGradients<double>> head_gradients(const PackedCall&, const Tensor&,
                                                           const PackedTensors&);

int64_t kept_elements(int64_t dim, bool has_bias, const PackedCall& call) {
  int64_t kept = 0;
  for (int64_t graph = 0; graph < call.layout.graphs(); ++graph) {
    kept += kept_size(dim, has_bias, call, graph);
  }
  return kept;
}

PackedOutputs packed_outputs(const PackedTensors& in, const PackedCall& call, const Tensor& out) {
  return {
      out, at::empty({2, in.q.size(0), in.q.size(1)}, in.q.options()),
      at::empty({in.heads(), kept_elements(in.dim(), in.bias.defined(), call)}, in.q.options())};
}

void run_packed_forward(const PackedTensors& in, const PackedCall& call,
                        const PackedOutputs& outputs) {
  AT_DISPATCH_FLOATING_TYPES(in.q.scalar_type(), "pivotal_attention",
                             [&] { run_forward(head_views<scalar_t>(in, call, outputs)); });
}

void run_packed_backward(const PackedTensors& in, const PackedCall& call,
                         const PackedOutputs& outputs, const Tensor& dout,
                         const PackedTensors& grads) {
  AT_DISPATCH_FLOATING_TYPES(in.q.scalar_type(), "pivotal_attention_backward", [&] {
    const auto views = head_views<scalar_t>(in, call, outputs);
    zero_what_is_added_to(grads, !views.empty() && kernels::suits_tile_kernel(views[0]));
    run_backward(views, head_gradients<scalar_t>(call, dout, grads));
  });
}

Tensor packed_weights(const PackedTensors& in, const PackedCall& call,
                      const std::vector<int64_t>& targets) {
  const TupleLayout& layout = call.layout;
  const int64_t pivots =
      layout.graphs() == 0 ? 0 : *std::max_element(layout.sizes().begin(), layout.sizes().end());
  const int64_t count = static_cast<int64_t>(targets.size());
  const Tensor weights = at::zeros({in.heads(), count, pivots}, in.q.options());
  AT_DISPATCH_FLOATING_TYPES(in.q.scalar_type(), "attention_weights", [&] {
    const auto views = head_views<scalar_t>(in, call, {});
    for (int64_t t = 0; t < count; ++t) {
      const auto [graph, v] = layout.tuple(targets[t]);
      for (int64_t head = 0; head < in.heads(); ++head) {
        kernels::target_weights(views[graph * in.heads() + head], v.data(),
                                weights[head][t].data_ptr<scalar_t>());
      }
    }
  });
  return weights;
}

}  // namespace floydnet
