// Makes the operators known to libtorch, so that Python reaches them after torch.ops.load_library.
//
// pivotal_attention and pivotal_attention_dense carry their gradients under the Autograd key and
// are made of the operators _packed_forward, _packed_backward, _dense_forward and _dense_backward.
#include <torch/library.h>

#include "attention/common.h"
#include "attention/dispatch.h"
#include "attention/packed_run.h"

namespace floydnet {
namespace {

using at::IntArrayRef;
using at::Tensor;
using at::TensorList;

double or_infinite(OptionalReal excluded_logit) {
  return excluded_logit.value_or(-std::numeric_limits<double>::infinity());
}

// --- Without gradients ---------------------------------------------------------------------------

Tensor packed(const Tensor& q, const Tensor& k, const Tensor& v, IntArrayRef sizes,
              const OptionalTensor& bias, OptionalReal scale, bool multiplicative, double logit_cap,
              double dropout, const OptionalTensor& seed) {
  return std::get<0>(packed_forward(q, k, v, sizes, bias, scale, multiplicative, logit_cap, dropout,
                                    seed, c10::nullopt, /*needs_backward=*/false));
}

Tensor dense(const Tensor& q, TensorList keys, TensorList values, const OptionalTensor& mask,
             OptionalReal excluded_logit, OptionalReal scale, bool multiplicative, double logit_cap,
             double dropout, const OptionalTensor& seed) {
  return std::get<0>(dense_forward(in_one_list(q, keys, values), mask, or_infinite(excluded_logit),
                                   scale, multiplicative, logit_cap, dropout, seed));
}

Tensor weights(const Tensor& q, const Tensor& k, IntArrayRef sizes, IntArrayRef targets,
               const OptionalTensor& bias, OptionalReal scale, bool multiplicative,
               double logit_cap) {
  require(k.dim() == 4, "attention_weights: k has shape {}, wanted [order, heads, rows, d_h]",
          shape_of(k));
  const TupleLayout layout(static_cast<int>(std::min<int64_t>(k.size(0), kMaxOrder + 1)),
                           sizes.vec());
  return attention_weights(q, k, layout, targets.vec(),
                           make_options(scale, multiplicative, logit_cap, 0), as_std(bias));
}

// --- With gradients ------------------------------------------------------------------------------

Tensor packed_autograd(const Tensor& q, const Tensor& k, const Tensor& v, IntArrayRef sizes,
                       const OptionalTensor& bias, OptionalReal scale, bool multiplicative,
                       double logit_cap, double dropout, const OptionalTensor& seed) {
  return packed_with_gradients(q, k, v, sizes.vec(),
                               make_options(scale, multiplicative, logit_cap, dropout), bias, seed);
}

Tensor dense_autograd(const Tensor& q, TensorList keys, TensorList values,
                      const OptionalTensor& mask, OptionalReal excluded_logit, OptionalReal scale,
                      bool multiplicative, double logit_cap, double dropout,
                      const OptionalTensor& seed) {
  return dense_with_gradients(in_one_list(q, keys, values), mask,
                              make_options(scale, multiplicative, logit_cap, dropout),
                              or_infinite(excluded_logit), seed);
}

/// Of the operators that compute gradients.
void differentiable_once(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  require_first_order(at::GradMode::is_enabled());
  at::AutoDispatchBelowADInplaceOrView below_autograd;
  op.callBoxed(stack);
}

// --- Autocast: narrow numbers in and out, float32 inside -----------------------------------------

bool is_narrow(const Tensor& tensor) {
  return tensor.scalar_type() == at::kBFloat16 || tensor.scalar_type() == at::kHalf;
}

Tensor widened(const Tensor& tensor) { return is_narrow(tensor) ? tensor.to(at::kFloat) : tensor; }

OptionalTensor widened(const OptionalTensor& tensor) {
  return tensor ? OptionalTensor(widened(*tensor)) : tensor;
}

std::vector<Tensor> widened(TensorList tensors) {
  std::vector<Tensor> wide;
  for (const Tensor& tensor : tensors) wide.push_back(widened(tensor));
  return wide;
}

Tensor packed_autocast(const Tensor& q, const Tensor& k, const Tensor& v, IntArrayRef sizes,
                       const OptionalTensor& bias, OptionalReal scale, bool multiplicative,
                       double logit_cap, double dropout, const OptionalTensor& seed) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("floydnet::pivotal_attention", "")
                             .typed<decltype(packed)>();
  c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::DispatchKey::AutocastCPU);
  return op
      .call(widened(q), widened(k), widened(v), sizes, widened(bias), scale, multiplicative,
            logit_cap, dropout, seed)
      .to(q.scalar_type());
}

Tensor dense_autocast(const Tensor& q, TensorList keys, TensorList values,
                      const OptionalTensor& mask, OptionalReal excluded_logit, OptionalReal scale,
                      bool multiplicative, double logit_cap, double dropout,
                      const OptionalTensor& seed) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("floydnet::pivotal_attention_dense", "")
                             .typed<decltype(dense)>();
  c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::DispatchKey::AutocastCPU);
  return op
      .call(widened(q), widened(keys), widened(values), widened(mask), excluded_logit, scale,
            multiplicative, logit_cap, dropout, seed)
      .to(q.scalar_type());
}

Tensor weights_autocast(const Tensor& q, const Tensor& k, IntArrayRef sizes, IntArrayRef targets,
                        const OptionalTensor& bias, OptionalReal scale, bool multiplicative,
                        double logit_cap) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("floydnet::attention_weights", "")
                             .typed<decltype(weights)>();
  c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::DispatchKey::AutocastCPU);
  return op
      .call(widened(q), widened(k), sizes, targets, widened(bias), scale, multiplicative, logit_cap)
      .to(q.scalar_type());
}

// --- vmap ----------------------------------------------------------------------------------------

void refuse_vmap(const c10::OperatorHandle& op, torch::jit::Stack* /*stack*/) {
  require(false,
          "{}: vmap is not supported; pass graphs of any sizes side by side in packed states, or "
          "the batch as the first dimension of dense ones",
          op.operator_name().name);
}

int64_t kept_by_numbers(IntArrayRef sizes, int64_t order, int64_t dim, bool has_bias,
                        OptionalReal scale, bool multiplicative, double logit_cap, double dropout,
                        c10::optional<bool> keep_weights, bool needs_backward) {
  PackedCall call = {TupleLayout(static_cast<int>(order), sizes.vec()),
                     make_options(scale, multiplicative, logit_cap, dropout), needs_backward};
  if (keep_weights) call.options.keep_weights = *keep_weights;
  return kept_elements(dim, has_bias, call);
}

}  // namespace

AttentionOptions make_options(OptionalReal scale, bool multiplicative, double logit_cap,
                              double dropout, const OptionalTensor& seed) {
  AttentionOptions options;
  if (scale) options.scale = *scale;
  options.composition = multiplicative ? Composition::kMultiplicative : Composition::kAdditive;
  options.logit_cap = logit_cap;
  options.dropout = dropout;
  if (!seed) return options;
  require(seed->dim() == 0 && seed->scalar_type() == at::kLong && seed->device().is_cpu(),
          "pivotal_attention: seed has shape {} and type {} on {}, wanted one int64 on the CPU",
          shape_of(*seed), toString(seed->scalar_type()), seed->device().str());
  options.seed = static_cast<uint64_t>(seed->item<int64_t>());
  return options;
}

OptionalTensor seed_tensor(const AttentionOptions& options) {
  if (options.dropout <= 0) return c10::nullopt;
  return at::scalar_tensor(static_cast<int64_t>(options.seed), at::kLong);
}

TORCH_LIBRARY(floydnet, m) {
  m.def(
      "pivotal_attention(Tensor q, Tensor k, Tensor v, int[] sizes, Tensor? bias=None, *, "
      "float? scale=None, bool multiplicative=False, float logit_cap=0., float dropout=0., "
      "Tensor? seed=None) -> Tensor");
  m.def(
      "pivotal_attention_dense(Tensor q, Tensor[] keys, Tensor[] values, Tensor? mask=None, "
      "float? excluded_logit=None, *, float? scale=None, bool multiplicative=False, "
      "float logit_cap=0., float dropout=0., Tensor? seed=None) -> Tensor");
  m.def(
      "attention_weights(Tensor q, Tensor k, int[] sizes, int[] targets, Tensor? bias=None, *, "
      "float? scale=None, bool multiplicative=False, float logit_cap=0.) -> Tensor");
  m.def(
      "_packed_forward(Tensor q, Tensor k, Tensor v, int[] sizes, Tensor? bias, float? scale, "
      "bool multiplicative, float logit_cap, float dropout, Tensor? seed, bool? keep_weights, "
      "bool needs_backward) -> (Tensor, Tensor, Tensor)");
  m.def(
      "_packed_backward(Tensor dout, Tensor q, Tensor k, Tensor v, int[] sizes, Tensor? bias, "
      "Tensor out, Tensor row_stats, Tensor kept, float? scale, bool multiplicative, "
      "float logit_cap, float dropout, Tensor? seed, bool? keep_weights, int[] wanted) -> "
      "Tensor[]");
  m.def(
      "_dense_forward(Tensor[] qkv, Tensor? mask, float excluded_logit, float? scale, "
      "bool multiplicative, float logit_cap, float dropout, Tensor? seed) -> (Tensor, Tensor)");
  m.def(
      "_dense_backward(Tensor dout, Tensor[] qkv, Tensor? mask, Tensor out, Tensor row_stats, "
      "float excluded_logit, float? scale, bool multiplicative, float logit_cap, float dropout, "
      "Tensor? seed, int[] wanted) -> Tensor[]");
  m.def(
      "_kept_elements(int[] sizes, int order, int dim, bool has_bias, float? scale, bool "
      "multiplicative, "
      "float logit_cap, float dropout, bool? keep_weights, bool needs_backward) -> int",
      kept_by_numbers);
}

TORCH_LIBRARY_IMPL(floydnet, CPU, m) {
  m.impl("pivotal_attention", packed);
  m.impl("pivotal_attention_dense", dense);
  m.impl("attention_weights", weights);
  m.impl("_packed_forward", packed_forward);
  m.impl("_packed_backward", packed_backward);
  m.impl("_dense_forward", dense_forward);
  m.impl("_dense_backward", dense_backward);
}

TORCH_LIBRARY_IMPL(floydnet, Autograd, m) {
  m.impl("pivotal_attention", packed_autograd);
  m.impl("pivotal_attention_dense", dense_autograd);
  m.impl("attention_weights", torch::CppFunction::makeFallthrough());
  m.impl("_packed_forward", torch::CppFunction::makeFallthrough());
  m.impl("_dense_forward", torch::CppFunction::makeFallthrough());
  m.impl("_packed_backward", torch::CppFunction::makeFromBoxedFunction<&differentiable_once>());
  m.impl("_dense_backward", torch::CppFunction::makeFromBoxedFunction<&differentiable_once>());
}

TORCH_LIBRARY_IMPL(floydnet, AutocastCPU, m) {
  m.impl("pivotal_attention", packed_autocast);
  m.impl("pivotal_attention_dense", dense_autocast);
  m.impl("attention_weights", weights_autocast);
}

TORCH_LIBRARY_IMPL(floydnet, FuncTorchBatched, m) {
  for (const char* name : {"pivotal_attention", "pivotal_attention_dense", "attention_weights"}) {
    m.impl(name, torch::CppFunction::makeFromBoxedFunction<&refuse_vmap>());
  }
}

}  // namespace floydnet
