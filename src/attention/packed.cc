// The operator on packed states: checks, views for the kernels, autograd.
#include <torch/autograd.h>
#include <torch/custom_class.h>

#include <algorithm>

#include "attention/common.h"
#include "attention/kernels/row_kernel.h"
#include "attention/schedule.h"

namespace floydnet {
namespace {

using at::Tensor;
using kernels::HeadGradients;
using kernels::HeadView;
using kernels::Strided;

struct PackedInputs {
  Tensor q, k, v, bias;  // bias may be undefined
};

/// Everything that is not a tensor; a class holder so that autograd can keep it for backward.
struct PackedCall : torch::CustomClassHolder {
  PackedCall(TupleLayout l, AttentionOptions o) : layout(std::move(l)), options(o) {}

  TupleLayout layout;
  AttentionOptions options;
};

int64_t heads_of(const PackedInputs& in) { return in.q.size(0); }
int64_t dim_of(const PackedInputs& in) { return in.q.size(2); }

void check(const PackedInputs& in, const PackedCall& call) {
  require_float_on_cpu(in.q);
  require_valid(call.options);
  require(in.q.dim() == 3, "pivotal_attention: q has shape {}, wanted [heads, rows, d_h]",
          shape_of(in.q));
  const int64_t order = call.layout.order();
  const int64_t rows = call.layout.rows();
  require(dim_of(in) > 0, "pivotal_attention: q has shape {}, wanted d_h of at least 1",
          shape_of(in.q));
  require(in.q.size(1) == rows, "pivotal_attention: q has {} rows, but the layout has {}",
          in.q.size(1), rows);
  const std::vector<int64_t> roles = {order, heads_of(in), rows, dim_of(in)};
  require_shape("k", in.k, roles);
  require_shape("v", in.v, roles);
  require_same_type("k", in.k, in.q);
  require_same_type("v", in.v, in.q);
  if (!in.bias.defined()) return;
  require_same_type("bias", in.bias, in.q);
  const int64_t bias_heads = in.bias.dim() == 3 && in.bias.size(1) == 1 ? 1 : heads_of(in);
  require_shape("bias", in.bias, {order, bias_heads, rows});
}

PackedInputs prepared(const PackedInputs& in) {
  PackedInputs out = {with_contiguous_rows(in.q), with_contiguous_rows(in.k),
                      with_contiguous_rows(in.v), in.bias};
  if (in.bias.defined())
    out.bias = in.bias.expand({in.bias.size(0), heads_of(in), in.bias.size(2)});
  return out;
}

/// The rows of one graph of a packed tensor whose row 0 is at `data`.
template <typename T>
Strided<T> rows_of(T* data, int64_t row_stride, const TupleLayout& layout, int64_t graph) {
  Strided<T> rows;
  rows.data = data + layout.offset(graph) * row_stride;
  int64_t stride = row_stride;
  for (int c = layout.order() - 1; c >= 0; --c) {
    rows.stride[c] = stride;
    stride *= layout.size(graph);
  }
  return rows;
}

/// As above for tensor[head] (q, out), where `tensor` is [heads, rows, ...].
template <typename T>
Strided<T> head_rows(const Tensor& tensor, const TupleLayout& layout, int64_t graph, int64_t head) {
  using Element = std::remove_const_t<T>;
  return rows_of<T>(tensor.data_ptr<Element>() + head * tensor.stride(0), tensor.stride(1), layout,
                    graph);
}

/// As above for tensor[role][head] (k, v, bias; row statistics).
template <typename T>
Strided<T> role_rows(const Tensor& tensor, const TupleLayout& layout, int64_t graph, int64_t head,
                     int role) {
  return head_rows<T>(tensor.select(0, role), layout, graph, head);
}

template <typename T>
std::vector<HeadView<T>> make_views(const PackedInputs& in, const PackedCall& call,
                                    const Tensor& out, const Tensor& row_stats) {
  const TupleLayout& layout = call.layout;
  std::vector<HeadView<T>> views;
  views.reserve(layout.graphs() * heads_of(in));
  for (int64_t graph = 0; graph < layout.graphs(); ++graph) {
    for (int64_t head = 0; head < heads_of(in); ++head) {
      HeadView<T> view;
      view.order = layout.order();
      std::fill_n(view.lengths, view.order, layout.size(graph));
      view.pivots = layout.size(graph);
      view.dim = dim_of(in);
      view.q = head_rows<const T>(in.q, layout, graph, head);
      for (int r = 0; r < view.order; ++r) {
        view.key[r] = role_rows<const T>(in.k, layout, graph, head, r);
        view.value[r] = role_rows<const T>(in.v, layout, graph, head, r);
        if (in.bias.defined()) view.bias[r] = role_rows<const T>(in.bias, layout, graph, head, r);
      }
      if (out.defined()) view.out = head_rows<T>(out, layout, graph, head);
      if (row_stats.defined()) {
        view.row_max = role_rows<T>(row_stats, layout, graph, head, 0);
        view.row_factor = role_rows<T>(row_stats, layout, graph, head, 1);
      }
      set_options(view, call.options);
      view.dropout_base = static_cast<uint64_t>(head * layout.rows() + layout.offset(graph));
      views.push_back(view);
    }
  }
  return views;
}

template <typename T>
std::vector<HeadGradients<T>> make_gradients(const PackedCall& call, int64_t heads,
                                             const Tensor& dout, const PackedInputs& grads) {
  const TupleLayout& layout = call.layout;
  std::vector<HeadGradients<T>> gradients;
  for (int64_t graph = 0; graph < layout.graphs(); ++graph) {
    for (int64_t head = 0; head < heads; ++head) {
      HeadGradients<T> g;
      g.out = head_rows<const T>(dout, layout, graph, head);
      if (grads.q.defined()) g.q = head_rows<T>(grads.q, layout, graph, head);
      for (int r = 0; r < layout.order(); ++r) {
        if (grads.k.defined()) g.key[r] = role_rows<T>(grads.k, layout, graph, head, r);
        if (grads.v.defined()) g.value[r] = role_rows<T>(grads.v, layout, graph, head, r);
        if (grads.bias.defined()) g.bias[r] = role_rows<T>(grads.bias, layout, graph, head, r);
      }
      gradients.push_back(g);
    }
  }
  return gradients;
}

class PackedFunction : public torch::autograd::Function<PackedFunction> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* ctx, const Tensor& q, const Tensor& k,
                        const Tensor& v, const c10::optional<Tensor>& bias,
                        const PackedCall& call) {
    const PackedInputs in = prepared({q, k, v, bias.value_or(Tensor())});
    const Tensor out = at::empty(q.sizes(), q.options());
    const Tensor row_stats = at::empty({2, q.size(0), q.size(1)}, q.options());
    AT_DISPATCH_FLOATING_TYPES(q.scalar_type(), "pivotal_attention", [&] {
      run_forward(make_views<scalar_t>(in, call, out, row_stats));
    });
    ctx->save_for_backward({in.q, in.k, in.v, in.bias, out, row_stats});
    ctx->saved_data["call"] = c10::IValue::make_capsule(c10::make_intrusive<PackedCall>(call));
    ctx->saved_data["shared_bias"] = bias.has_value() && bias->size(1) != in.bias.size(1);
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 const torch::autograd::variable_list& grad_out) {
    require_first_order(at::GradMode::is_enabled());
    const auto saved = ctx->get_saved_variables();
    const PackedInputs in = {saved[0], saved[1], saved[2], saved[3]};
    const auto call =
        c10::static_intrusive_pointer_cast<PackedCall>(ctx->saved_data["call"].toCapsule());
    const Tensor dout = with_contiguous_rows(grad_out[0]);
    const bool wants_bias = in.bias.defined() && ctx->needs_input_grad(3);
    PackedInputs grads = {gradient_buffer(ctx->needs_input_grad(0), in.q),
                          gradient_buffer(ctx->needs_input_grad(1), in.k),
                          gradient_buffer(ctx->needs_input_grad(2), in.v),
                          gradient_buffer(wants_bias, in.bias)};
    AT_DISPATCH_FLOATING_TYPES(in.q.scalar_type(), "pivotal_attention_backward", [&] {
      run_backward(make_views<scalar_t>(in, *call, saved[4], saved[5]),
                   make_gradients<scalar_t>(*call, heads_of(in), dout, grads));
    });
    if (wants_bias && ctx->saved_data["shared_bias"].toBool()) grads.bias = grads.bias.sum(1, true);
    return {grads.q, grads.k, grads.v, grads.bias, Tensor()};
  }
};

}  // namespace

Tensor pivotal_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                         const TupleLayout& layout, const AttentionOptions& options,
                         const std::optional<Tensor>& bias) {
  const PackedCall call(layout, options);
  check({q, k, v, bias.value_or(Tensor())}, call);
  return PackedFunction::apply(q, k, v, bias ? c10::optional<Tensor>(*bias) : c10::nullopt, call);
}

Tensor attention_weights(const Tensor& q, const Tensor& k, const TupleLayout& layout,
                         const std::vector<int64_t>& targets, const AttentionOptions& options,
                         const std::optional<Tensor>& bias) {
  const PackedCall call(layout, options);
  check({q, k, k, bias.value_or(Tensor())}, call);
  const PackedInputs in = prepared({q.detach(), k.detach(), k.detach(), bias.value_or(Tensor())});
  const int64_t pivots =
      layout.graphs() == 0 ? 0 : *std::max_element(layout.sizes().begin(), layout.sizes().end());
  const int64_t count = static_cast<int64_t>(targets.size());
  const Tensor weights = at::zeros({heads_of(in), count, pivots}, q.options());
  AT_DISPATCH_FLOATING_TYPES(q.scalar_type(), "attention_weights", [&] {
    const auto views = make_views<scalar_t>(in, call, Tensor(), Tensor());
    for (int64_t t = 0; t < count; ++t) {
      const auto [graph, v] = layout.tuple(targets[t]);
      for (int64_t head = 0; head < heads_of(in); ++head) {
        kernels::target_weights(views[graph * heads_of(in) + head], v.data(),
                                weights[head][t].data_ptr<scalar_t>());
      }
    }
  });
  return weights;
}

const char* simd_target() { return kernels::simd_target(); }

}  // namespace floydnet
