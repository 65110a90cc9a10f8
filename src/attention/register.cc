// Makes the operators known to libtorch, so that Python reaches them after torch.ops.load_library.
#include <torch/library.h>

#include "attention/common.h"

namespace floydnet {
namespace {

using at::Tensor;

std::optional<Tensor> as_std(const c10::optional<Tensor>& tensor) {
  return tensor ? std::optional<Tensor>(*tensor) : std::nullopt;
}

AttentionOptions make_options(c10::optional<double> scale, bool multiplicative, double logit_cap,
                              double dropout, int64_t seed) {
  AttentionOptions options;
  if (scale) options.scale = *scale;
  options.composition = multiplicative ? Composition::kMultiplicative : Composition::kAdditive;
  options.logit_cap = logit_cap;
  options.dropout = dropout;
  options.seed = static_cast<uint64_t>(seed);
  return options;
}

TupleLayout make_layout(const Tensor& k, at::IntArrayRef sizes) {
  require(k.dim() == 4, "pivotal_attention: k has shape {}, wanted [order, heads, rows, d_h]",
          shape_of(k));
  return TupleLayout(static_cast<int>(k.size(0)), sizes.vec());
}

Tensor packed(const Tensor& q, const Tensor& k, const Tensor& v, at::IntArrayRef sizes,
              const c10::optional<Tensor>& bias, c10::optional<double> scale, bool multiplicative,
              double logit_cap, double dropout, int64_t seed) {
  return pivotal_attention(q, k, v, make_layout(k, sizes),
                           make_options(scale, multiplicative, logit_cap, dropout, seed),
                           as_std(bias));
}

Tensor dense(const Tensor& q, at::TensorList keys, at::TensorList values,
             const c10::optional<Tensor>& mask, c10::optional<double> excluded_logit,
             c10::optional<double> scale, bool multiplicative, double logit_cap, double dropout,
             int64_t seed) {
  return pivotal_attention_dense(q, keys.vec(), values.vec(), as_std(mask),
                                 make_options(scale, multiplicative, logit_cap, dropout, seed),
                                 excluded_logit.value_or(-std::numeric_limits<double>::infinity()));
}

Tensor weights(const Tensor& q, const Tensor& k, at::IntArrayRef sizes, at::IntArrayRef targets,
               const c10::optional<Tensor>& bias, c10::optional<double> scale, bool multiplicative,
               double logit_cap) {
  return attention_weights(q, k, make_layout(k, sizes), targets.vec(),
                           make_options(scale, multiplicative, logit_cap, 0, 0), as_std(bias));
}

}  // namespace

// The functions carry their own autograd, so one implementation serves every dispatch key.
TORCH_LIBRARY(floydnet, m) {
  m.def(
      "pivotal_attention(Tensor q, Tensor k, Tensor v, int[] sizes, Tensor? bias=None, *, "
      "float? scale=None, bool multiplicative=False, float logit_cap=0., float dropout=0., "
      "int seed=0) -> Tensor",
      packed);
  m.def(
      "pivotal_attention_dense(Tensor q, Tensor[] keys, Tensor[] values, Tensor? mask=None, "
      "float? excluded_logit=None, *, float? scale=None, bool multiplicative=False, "
      "float logit_cap=0., float dropout=0., int seed=0) -> Tensor",
      dense);
  m.def(
      "attention_weights(Tensor q, Tensor k, int[] sizes, int[] targets, Tensor? bias=None, *, "
      "float? scale=None, bool multiplicative=False, float logit_cap=0.) -> Tensor",
      weights);
}

}  // namespace floydnet
