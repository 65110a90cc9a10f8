// Checks and conversions shared by the packed and the dense operator.
#pragma once

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>

#include "base/require.h"
#include "floydnet/attention.h"
#include "kernels/view.h"

namespace floydnet {

inline std::string shape_of(const at::Tensor& tensor) {
  return fmt::format("[{}]", fmt::join(tensor.sizes(), ", "));
}

inline void require_shape(const char* name, const at::Tensor& tensor, at::IntArrayRef wanted) {
  require(tensor.sizes() == wanted, "pivotal_attention: {} has shape {}, wanted [{}]", name,
          shape_of(tensor), fmt::join(wanted, ", "));
}

inline void require_float_on_cpu(const at::Tensor& q) {
  require(q.device().is_cpu(), "pivotal_attention: q is on {}, wanted a CPU tensor",
          q.device().str());
  require(q.scalar_type() == at::kFloat || q.scalar_type() == at::kDouble,
          "pivotal_attention: q has type {}, wanted float32 or float64", toString(q.scalar_type()));
}

inline void require_same_type(const char* name, const at::Tensor& tensor, const at::Tensor& q) {
  require(tensor.scalar_type() == q.scalar_type() && tensor.device() == q.device(),
          "pivotal_attention: {} has type {} on {}, wanted {} on {} as q", name,
          toString(tensor.scalar_type()), tensor.device().str(), toString(q.scalar_type()),
          q.device().str());
}

inline void require_valid(const AttentionOptions& options) {
  require(options.dropout >= 0 && options.dropout < 1,
          "pivotal_attention: dropout is {}, wanted a number in [0, 1)", options.dropout);
  require(options.logit_cap >= 0 && std::isfinite(options.logit_cap),
          "pivotal_attention: logit_cap is {}, wanted 0 (none) or a positive number",
          options.logit_cap);
  require(!options.scale || std::isfinite(*options.scale),
          "pivotal_attention: scale is {}, wanted a finite number", options.scale.value_or(0));
}

/// The kernels want the elements of a row side by side; all other strides are free.
inline at::Tensor with_contiguous_rows(const at::Tensor& tensor) {
  return tensor.stride(-1) == 1 || tensor.size(-1) <= 1 ? tensor : tensor.contiguous();
}

template <typename T>
void set_options(kernels::HeadView<T>& view, const AttentionOptions& options) {
  view.scale = options.scale.value_or(1.0 / std::sqrt(static_cast<double>(view.dim)));
  view.logit_cap = options.logit_cap;
  view.multiplicative = options.composition == Composition::kMultiplicative;
  view.dropout = options.dropout;
  view.seed = options.seed;
}

inline at::Tensor gradient_buffer(bool wanted, const at::Tensor& like) {
  return wanted ? at::zeros(like.sizes(), like.options()) : at::Tensor();
}

/// Refuses to be differentiated a second time: the kernels' gradients carry no graph.
inline void require_first_order(bool grad_mode) {
  require(!grad_mode, "pivotal_attention: second derivatives (create_graph) are not supported");
}

}  // namespace floydnet
