// The operator on packed states: checks and autograd.
#include <torch/autograd.h>
#include <torch/custom_class.h>

#include "attention/common.h"
#include "attention/packed_run.h"

namespace floydnet {
namespace {

using at::Tensor;

/// A holder, so that autograd can keep a call for backward.
struct HeldCall : torch::CustomClassHolder {
  explicit HeldCall(PackedCall c) : call(std::move(c)) {}
  PackedCall call;
};

void check(const PackedTensors& in, const PackedCall& call) {
  require_float_on_cpu(in.q);
  require_valid(call.options);
  require(in.q.dim() == 3, "pivotal_attention: q has shape {}, wanted [heads, rows, d_h]",
          shape_of(in.q));
  const int64_t order = call.layout.order();
  const int64_t rows = call.layout.rows();
  require(in.dim() > 0, "pivotal_attention: q has shape {}, wanted d_h of at least 1",
          shape_of(in.q));
  require(in.q.size(1) == rows, "pivotal_attention: q has {} rows, but the layout has {}",
          in.q.size(1), rows);
  const std::vector<int64_t> roles = {order, in.heads(), rows, in.dim()};
  require_shape("k", in.k, roles);
  require_shape("v", in.v, roles);
  require_same_type("k", in.k, in.q);
  require_same_type("v", in.v, in.q);
  if (!in.bias.defined()) return;
  require_same_type("bias", in.bias, in.q);
  const int64_t bias_heads = in.bias.dim() == 3 && in.bias.size(1) == 1 ? 1 : in.heads();
  require_shape("bias", in.bias, {order, bias_heads, rows});
}

PackedTensors prepared(const PackedTensors& in) {
  PackedTensors out = {with_contiguous_rows(in.q), with_contiguous_rows(in.k),
                       with_contiguous_rows(in.v), in.bias};
  if (in.bias.defined()) out.bias = in.bias.expand({in.bias.size(0), in.heads(), in.bias.size(2)});
  return out;
}

class PackedFunction : public torch::autograd::Function<PackedFunction> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* ctx, const Tensor& q, const Tensor& k,
                        const Tensor& v, const c10::optional<Tensor>& bias,
                        const PackedCall& call) {
    const PackedTensors in = prepared({q, k, v, bias.value_or(Tensor())});
    const PackedOutputs outputs = packed_outputs(in, call, at::empty(in.q.sizes(), in.q.options()));
    run_packed_forward(in, call, outputs);
    ctx->save_for_backward(
        {in.q, in.k, in.v, in.bias, outputs.out, outputs.row_stats, outputs.kept});
    ctx->saved_data["call"] = c10::IValue::make_capsule(c10::make_intrusive<HeldCall>(call));
    ctx->saved_data["shared_bias"] = bias.has_value() && bias->size(1) != in.bias.size(1);
    return outputs.out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 const torch::autograd::variable_list& grad_out) {
    require_first_order(at::GradMode::is_enabled());
    const auto saved = ctx->get_saved_variables();
    const PackedTensors in = {saved[0], saved[1], saved[2], saved[3]};
    const auto held =
        c10::static_intrusive_pointer_cast<HeldCall>(ctx->saved_data["call"].toCapsule());
    const auto buffer = [](bool wanted, const Tensor& like) {
      return wanted ? at::empty(like.sizes(), like.options()) : Tensor();
    };
    const bool wants_bias = in.bias.defined() && ctx->needs_input_grad(3);
    PackedTensors grads = {buffer(ctx->needs_input_grad(0), in.q),
                           buffer(ctx->needs_input_grad(1), in.k),
                           buffer(ctx->needs_input_grad(2), in.v), buffer(wants_bias, in.bias)};
    run_packed_backward(in, held->call, {saved[4], saved[5], saved[6]},
                        with_contiguous_rows(grad_out[0]), grads);
    if (wants_bias && ctx->saved_data["shared_bias"].toBool()) grads.bias = grads.bias.sum(1, true);
    return {grads.q, grads.k, grads.v, grads.bias, Tensor()};
  }
};

bool wants_gradient(const PackedTensors& in) {
  if (!at::GradMode::is_enabled()) return false;
  return in.q.requires_grad() || in.k.requires_grad() || in.v.requires_grad() ||
         (in.bias.defined() && in.bias.requires_grad());
}

}  // namespace

Tensor pivotal_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                         const TupleLayout& layout, const AttentionOptions& options,
                         const std::optional<Tensor>& bias) {
  const PackedTensors in = {q, k, v, bias.value_or(Tensor())};
  PackedCall call = {layout, options};
  check(in, call);
  call.needs_backward = wants_gradient(in);
  return PackedFunction::apply(q, k, v, bias ? c10::optional<Tensor>(*bias) : c10::nullopt, call);
}

Tensor attention_weights(const Tensor& q, const Tensor& k, const TupleLayout& layout,
                         const std::vector<int64_t>& targets, const AttentionOptions& options,
                         const std::optional<Tensor>& bias) {
  const Tensor key = k.detach();
  const PackedTensors in = {q.detach(), key, key, bias.value_or(Tensor())};
  const PackedCall call = {layout, options};
  check(in, call);
  return packed_weights(prepared(in), call, targets);
}

}  // namespace floydnet
