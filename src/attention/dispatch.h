// The operators' kernels as libtorch's dispatcher calls them. register.cc binds them to schemas;
// the autograd functions in packed.cc and dense.cc call them through the dispatcher, so that fake
// tensors and tracers see single operators without looking inside.
#pragma once

#include <ATen/ATen.h>

#include <tuple>
#include <vector>

#include "floydnet/attention.h"

namespace floydnet {

using OptionalTensor = c10::optional<at::Tensor>;
using OptionalReal = c10::optional<double>;

inline std::optional<at::Tensor> as_std(const OptionalTensor& tensor) {
  return tensor ? std::optional<at::Tensor>(*tensor) : std::nullopt;
}

inline OptionalTensor as_c10(const std::optional<at::Tensor>& tensor) {
  return tensor ? OptionalTensor(*tensor) : c10::nullopt;
}

inline OptionalTensor if_defined(const at::Tensor& tensor) {
  return tensor.defined() ? OptionalTensor(tensor) : c10::nullopt;
}

/// Options from the arguments that stand for them in every schema. The seed, one int64, is read
/// if it is given, which a tracer cannot do.
AttentionOptions make_options(OptionalReal scale, bool multiplicative, double logit_cap,
                              double dropout, const OptionalTensor& seed = {});

/// Options' seed as operators take it; none where nothing is dropped.
OptionalTensor seed_tensor(const AttentionOptions& options);

/// The result, the softmax's maxima and factors, and what is kept of it for backward.
using PackedForward = std::tuple<at::Tensor, at::Tensor, at::Tensor>(
    const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, at::IntArrayRef sizes,
    const OptionalTensor& bias, OptionalReal scale, bool multiplicative, double logit_cap,
    double dropout, const OptionalTensor& seed, c10::optional<bool> keep_weights,
    bool needs_backward);
/// The gradients of q, k, v and bias; one that is not wanted has no elements.
using PackedBackward = std::vector<at::Tensor>(
    const at::Tensor& dout, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
    at::IntArrayRef sizes, const OptionalTensor& bias, const at::Tensor& out,
    const at::Tensor& row_stats, const at::Tensor& kept, OptionalReal scale, bool multiplicative,
    double logit_cap, double dropout, const OptionalTensor& seed, c10::optional<bool> keep_weights,
    at::IntArrayRef wanted);
/// The result, and the softmax's maxima and factors.
using DenseForward = std::tuple<at::Tensor, at::Tensor>(at::TensorList qkv,
                                                        const OptionalTensor& mask,
                                                        double excluded_logit, OptionalReal scale,
                                                        bool multiplicative, double logit_cap,
                                                        double dropout, const OptionalTensor& seed);
/// The gradients of q, keys, values and mask, likewise.
using DenseBackward = std::vector<at::Tensor>(const at::Tensor& dout, at::TensorList qkv,
                                              const OptionalTensor& mask, const at::Tensor& out,
                                              const at::Tensor& row_stats, double excluded_logit,
                                              OptionalReal scale, bool multiplicative,
                                              double logit_cap, double dropout,
                                              const OptionalTensor& seed, at::IntArrayRef wanted);

PackedForward packed_forward;
PackedBackward packed_backward;
DenseForward dense_forward;
DenseBackward dense_backward;

/// q, then the keys, then the values. Throws std::invalid_argument unless there is one of each for
/// every role.
std::vector<at::Tensor> in_one_list(const at::Tensor& q, at::TensorList keys,
                                    at::TensorList values);

/// The autograd functions, without any look at shapes. The seed stands for that of the options.
at::Tensor packed_with_gradients(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                 std::vector<int64_t> sizes, const AttentionOptions& options,
                                 const OptionalTensor& bias, const OptionalTensor& seed);
at::Tensor dense_with_gradients(std::vector<at::Tensor> qkv, const OptionalTensor& mask,
                                const AttentionOptions& options, double excluded_logit,
                                const OptionalTensor& seed);

}  // namespace floydnet
