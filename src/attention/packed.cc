// The operator on packed states: checks and autograd.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/autograd.h>
#include <torch/custom_class.h>

#include "attention/common.h"
#include "attention/dispatch.h"
#include "attention/packed_run.h"

namespace floydnet {
namespace {

using at::Tensor;

/// What is not a tensor, as autograd keeps it for backward.
struct HeldArguments : torch::CustomClassHolder {
  HeldArguments(std::vector<int64_t> s, AttentionOptions o) : sizes(std::move(s)), options(o) {}

  bool multiplicative() const { return options.composition == Composition::kMultiplicative; }
  OptionalReal scale() const { return options.scale ? OptionalReal(*options.scale) : c10::nullopt; }
  c10::optional<bool> keep_weights() const {
    return options.keep_weights ? c10::optional<bool>(*options.keep_weights) : c10::nullopt;
  }

  std::vector<int64_t> sizes;
  AttentionOptions options;
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

PackedCall make_call(const Tensor& k, at::IntArrayRef sizes, AttentionOptions options,
                     c10::optional<bool> keep_weights) {
  require(k.dim() == 4, "pivotal_attention: k has shape {}, wanted [order, heads, rows, d_h]",
          shape_of(k));
  if (keep_weights) options.keep_weights = *keep_weights;
  return {TupleLayout(static_cast<int>(std::min<int64_t>(k.size(0), kMaxOrder + 1)), sizes.vec()),
          options, false};
}

class PackedFunction : public torch::autograd::Function<PackedFunction> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* ctx, const Tensor& q, const Tensor& k,
                        const Tensor& v, const OptionalTensor& bias, const OptionalTensor& seed,
                        const c10::intrusive_ptr<HeldArguments>& held, bool needs_backward) {
    static const auto op = c10::Dispatcher::singleton()
                               .findSchemaOrThrow("floydnet::_packed_forward", "")
                               .typed<PackedForward>();
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const AttentionOptions& o = held->options;
    const auto [out, row_stats, kept] =
        op.call(q, k, v, held->sizes, bias, held->scale(), held->multiplicative(), o.logit_cap,
                o.dropout, seed, held->keep_weights(), needs_backward);
    ctx->save_for_backward(
        {q, k, v, bias.value_or(Tensor()), out, row_stats, kept, seed.value_or(Tensor())});
    ctx->saved_data["held"] = c10::IValue::make_capsule(held);
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 const torch::autograd::variable_list& grad_out) {
    static const auto op = c10::Dispatcher::singleton()
                               .findSchemaOrThrow("floydnet::_packed_backward", "")
                               .typed<PackedBackward>();
    const auto saved = ctx->get_saved_variables();
    const auto held =
        c10::static_intrusive_pointer_cast<HeldArguments>(ctx->saved_data["held"].toCapsule());
    const AttentionOptions& o = held->options;
    const OptionalTensor bias = if_defined(saved[3]);
    std::vector<int64_t> wanted;
    for (size_t i = 0; i < 4; ++i) wanted.push_back(saved[i].defined() && ctx->needs_input_grad(i));
    auto grads = op.call(grad_out[0], saved[0], saved[1], saved[2], held->sizes, bias, saved[4],
                         saved[5], saved[6], held->scale(), held->multiplicative(), o.logit_cap,
                         o.dropout, if_defined(saved[7]), held->keep_weights(), wanted);
    for (size_t i = 0; i < 4; ++i) {
      if (!wanted[i]) grads[i] = Tensor();
    }
    return {grads[0], grads[1], grads[2], grads[3], Tensor(), Tensor(), Tensor()};
  }
};

bool wants_gradient(const Tensor& tensor) { return tensor.defined() && tensor.requires_grad(); }

}  // namespace

std::tuple<Tensor, Tensor, Tensor> packed_forward(const Tensor& q, const Tensor& k, const Tensor& v,
                                                  at::IntArrayRef sizes, const OptionalTensor& bias,
                                                  OptionalReal scale, bool multiplicative,
                                                  double logit_cap, double dropout,
                                                  const OptionalTensor& seed,
                                                  c10::optional<bool> keep_weights,
                                                  bool needs_backward) {
  PackedCall call = make_call(
      k, sizes, make_options(scale, multiplicative, logit_cap, dropout, seed), keep_weights);
  call.needs_backward = needs_backward;
  const PackedTensors given = {q, k, v, bias.value_or(Tensor())};
  check(given, call);
  const PackedTensors in = prepared(given);
  const PackedOutputs outputs = packed_outputs(in, call, at::empty(in.q.sizes(), in.q.options()));
  run_packed_forward(in, call, outputs);
  return {outputs.out, outputs.row_stats, outputs.kept};
}

std::vector<Tensor> packed_backward(const Tensor& dout, const Tensor& q, const Tensor& k,
                                    const Tensor& v, at::IntArrayRef sizes,
                                    const OptionalTensor& bias, const Tensor& out,
                                    const Tensor& row_stats, const Tensor& kept, OptionalReal scale,
                                    bool multiplicative, double logit_cap, double dropout,
                                    const OptionalTensor& seed, c10::optional<bool> keep_weights,
                                    at::IntArrayRef wanted) {
  PackedCall call = make_call(
      k, sizes, make_options(scale, multiplicative, logit_cap, dropout, seed), keep_weights);
  call.needs_backward = true;
  const PackedTensors given = {q, k, v, bias.value_or(Tensor())};
  check(given, call);
  require_shape("the gradient", dout, q.sizes());
  require_same_type("the gradient", dout, q);
  require_shape("out", out, q.sizes());
  require_shape("row_stats", row_stats, {2, q.size(0), q.size(1)});
  require(wanted.size() == 4, "pivotal_attention: wanted has {} entries, not 4", wanted.size());
  const PackedTensors in = prepared(given);
  require_shape("kept", kept, {in.heads(), kept_elements(in.dim(), in.bias.defined(), call)});
  const auto buffer = [&](int i, const Tensor& like) {
    return wanted[i] != 0 && like.defined() ? at::empty(like.sizes(), like.options()) : Tensor();
  };
  PackedTensors grads = {buffer(0, in.q), buffer(1, in.k), buffer(2, in.v), buffer(3, in.bias)};
  run_packed_backward(in, call, {out, row_stats, kept}, with_contiguous_rows(dout), grads);
  if (grads.bias.defined() && bias->size(1) != in.bias.size(1)) {
    grads.bias = grads.bias.sum(1, true);
  }
  std::vector<Tensor> result = {grads.q, grads.k, grads.v, grads.bias};
  for (Tensor& gradient : result) {
    if (!gradient.defined()) gradient = at::empty({0}, q.options());
  }
  return result;
}

Tensor packed_with_gradients(const Tensor& q, const Tensor& k, const Tensor& v,
                             std::vector<int64_t> sizes, const AttentionOptions& options,
                             const OptionalTensor& bias, const OptionalTensor& seed) {
  const bool needs_backward =
      at::GradMode::is_enabled() && (wants_gradient(q) || wants_gradient(k) || wants_gradient(v) ||
                                     wants_gradient(bias.value_or(Tensor())));
  return PackedFunction::apply(q, k, v, bias, seed,
                               c10::make_intrusive<HeldArguments>(std::move(sizes), options),
                               needs_backward);
}

Tensor pivotal_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                         const TupleLayout& layout, const AttentionOptions& options,
                         const std::optional<Tensor>& bias) {
  if (k.dim() == 4) {
    require_shape("k", k, {layout.order(), k.size(1), k.size(2), k.size(3)});
  }
  return packed_with_gradients(q, k, v, layout.sizes(), options, as_c10(bias),
                               seed_tensor(options));
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
