// The operator on dense tensors, with the shapes of the published functional API.
#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/ranges.h>
#include <torch/autograd.h>
#include <torch/custom_class.h>

#include "attention/common.h"
#include "attention/dispatch.h"
#include "attention/schedule.h"

namespace floydnet {
namespace {

using at::Tensor;
using kernels::HeadGradients;
using kernels::HeadView;
using kernels::Strided;

struct DenseCall : torch::CustomClassHolder {
  DenseCall(AttentionOptions o, double e, int64_t k) : options(o), excluded_logit(e), order(k) {}

  bool multiplicative() const { return options.composition == Composition::kMultiplicative; }
  OptionalReal scale() const { return options.scale ? OptionalReal(*options.scale) : c10::nullopt; }

  AttentionOptions options;
  double excluded_logit;
  int64_t order;
};

/// q, then the keys, then the values, as one list.
struct DenseInputs {
  std::vector<Tensor> qkv;
  Tensor mask;  // [B, heads, L_0, ..., L_{k-1}, pivots], bool or as q; may be undefined
  int64_t order;

  const Tensor& q() const { return qkv[0]; }
  const Tensor& key(int r) const { return qkv[1 + r]; }
  const Tensor& value(int r) const { return qkv[1 + order + r]; }
  int64_t pivots() const { return key(0).size(2); }
};

std::vector<int64_t> stats_shape(const Tensor& q) {
  std::vector<int64_t> shape = q.sizes().vec();
  shape.pop_back();
  shape.insert(shape.begin(), 2);
  return shape;
}

std::vector<int64_t> mask_shape(const DenseInputs& in) {
  std::vector<int64_t> shape = in.q().sizes().vec();
  shape.back() = in.pivots();
  return shape;
}

void check(const DenseInputs& in, const DenseCall& call) {
  require_float_on_cpu(in.q());
  require_valid(call.options);
  require(in.q().dim() == in.order + 3,
          "pivotal_attention: q has shape {}, wanted [B, heads, {} lengths, d_h]", shape_of(in.q()),
          in.order);
  require(in.q().size(-1) > 0, "pivotal_attention: q has shape {}, wanted d_h of at least 1",
          shape_of(in.q()));
  require(in.key(0).dim() > 2, "pivotal_attention: keys[0] has shape {}, wanted {} dimensions",
          shape_of(in.key(0)), in.order + 3);
  for (int r = 0; r < in.order; ++r) {
    std::vector<int64_t> wanted = in.q().sizes().vec();
    wanted[2 + r] = in.pivots();
    for (const auto& [name, tensor] : {std::pair(fmt::format("keys[{}]", r), in.key(r)),
                                       std::pair(fmt::format("values[{}]", r), in.value(r))}) {
      require_shape(name.c_str(), tensor, wanted);
      require_same_type(name.c_str(), tensor, in.q());
    }
  }
  if (!in.mask.defined()) return;
  require(in.mask.scalar_type() == at::kBool || in.mask.scalar_type() == in.q().scalar_type(),
          "pivotal_attention: mask has type {}, wanted bool or {}", toString(in.mask.scalar_type()),
          toString(in.q().scalar_type()));
  const std::vector<int64_t> full = mask_shape(in);
  require(at::is_expandable_to(in.mask.sizes(), full),
          "pivotal_attention: mask has shape {}, wanted one that broadcasts to [{}]",
          shape_of(in.mask), fmt::join(full, ", "));
}

DenseInputs prepared(const DenseInputs& in) {
  DenseInputs out = in;
  for (Tensor& tensor : out.qkv) tensor = with_contiguous_rows(tensor);
  if (in.mask.defined()) out.mask = in.mask.expand(mask_shape(in));
  return out;
}

/// tensor[batch][head], where dimensions 2.. are the tuple's coordinates.
template <typename T>
Strided<T> at_head(const Tensor& tensor, int64_t batch, int64_t head, int64_t order) {
  using Element = std::remove_const_t<T>;
  Strided<T> rows;
  rows.data = tensor.data_ptr<Element>() + batch * tensor.stride(0) + head * tensor.stride(1);
  for (int64_t c = 0; c < order; ++c) rows.stride[c] = tensor.stride(2 + c);
  return rows;
}

template <typename T>
HeadView<T> make_view(const DenseInputs& in, const DenseCall& call, const Tensor& out,
                      const Tensor& row_stats, int64_t batch, int64_t head) {
  HeadView<T> view;
  view.order = static_cast<int>(in.order);
  view.pivots = in.pivots();
  view.dim = in.q().size(-1);
  uint64_t targets = 1;
  for (int c = 0; c < view.order; ++c) {
    view.lengths[c] = in.q().size(2 + c);
    targets *= static_cast<uint64_t>(view.lengths[c]);
  }
  view.q = at_head<const T>(in.q(), batch, head, in.order);
  for (int r = 0; r < view.order; ++r) {
    view.key[r] = at_head<const T>(in.key(r), batch, head, in.order);
    view.value[r] = at_head<const T>(in.value(r), batch, head, in.order);
  }
  if (in.mask.defined() && in.mask.scalar_type() == at::kBool) {
    view.excluded = at_head<const bool>(in.mask, batch, head, in.order);
    view.excluded_pivot_stride = in.mask.stride(-1);
    view.excluded_logit = call.excluded_logit;
  } else if (in.mask.defined()) {
    view.mask = at_head<const T>(in.mask, batch, head, in.order);
    view.mask_pivot_stride = in.mask.stride(-1);
  }
  view.out = at_head<T>(out, batch, head, in.order);
  view.row_max = at_head<T>(row_stats[0], batch, head, in.order);
  view.row_factor = at_head<T>(row_stats[1], batch, head, in.order);
  set_options(view, call.options);
  view.dropout_base = static_cast<uint64_t>(batch * in.q().size(1) + head) * targets;
  return view;
}

template <typename T>
HeadGradients<T> make_gradients(const DenseInputs& grads, const Tensor& dout, int64_t batch,
                                int64_t head) {
  HeadGradients<T> g;
  g.out = at_head<const T>(dout, batch, head, grads.order);
  const auto wanted = [&](const Tensor& tensor) {
    return tensor.defined() ? at_head<T>(tensor, batch, head, grads.order) : Strided<T>();
  };
  g.q = wanted(grads.q());
  for (int r = 0; r < grads.order; ++r) {
    g.key[r] = wanted(grads.key(r));
    g.value[r] = wanted(grads.value(r));
  }
  g.mask = wanted(grads.mask);
  if (grads.mask.defined()) g.mask_pivot_stride = grads.mask.stride(-1);
  return g;
}

template <typename Make>
auto for_each_head(const Tensor& q, const Make& make) {
  std::vector<decltype(make(int64_t{}, int64_t{}))> made;
  for (int64_t batch = 0; batch < q.size(0); ++batch) {
    for (int64_t head = 0; head < q.size(1); ++head) made.push_back(make(batch, head));
  }
  return made;
}

class DenseFunction : public torch::autograd::Function<DenseFunction> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* ctx, at::TensorList qkv,
                        const OptionalTensor& mask, const OptionalTensor& seed,
                        const c10::intrusive_ptr<DenseCall>& call) {
    static const auto op = c10::Dispatcher::singleton()
                               .findSchemaOrThrow("floydnet::_dense_forward", "")
                               .typed<DenseForward>();
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const auto [out, row_stats] =
        op.call(qkv, mask, call->excluded_logit, call->scale(), call->multiplicative(),
                call->options.logit_cap, call->options.dropout, seed);
    std::vector<Tensor> saved = qkv.vec();
    saved.insert(saved.end(), {mask.value_or(Tensor()), seed.value_or(Tensor()), out, row_stats});
    ctx->save_for_backward(saved);
    ctx->saved_data["call"] = c10::IValue::make_capsule(call);
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 const torch::autograd::variable_list& grad_out) {
    static const auto op = c10::Dispatcher::singleton()
                               .findSchemaOrThrow("floydnet::_dense_backward", "")
                               .typed<DenseBackward>();
    const auto call =
        c10::static_intrusive_pointer_cast<DenseCall>(ctx->saved_data["call"].toCapsule());
    auto saved = ctx->get_saved_variables();
    const size_t inputs = saved.size() - 4;
    const Tensor mask = saved[inputs], seed = saved[inputs + 1];
    const Tensor out = saved[inputs + 2], row_stats = saved[inputs + 3];
    saved.resize(inputs);
    std::vector<int64_t> wanted;
    for (size_t i = 0; i < inputs; ++i) wanted.push_back(ctx->needs_input_grad(i));
    wanted.push_back(mask.defined() && ctx->needs_input_grad(inputs));
    auto grads = op.call(grad_out[0], saved, if_defined(mask), out, row_stats, call->excluded_logit,
                         call->scale(), call->multiplicative(), call->options.logit_cap,
                         call->options.dropout, if_defined(seed), wanted);
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!wanted[i]) grads[i] = Tensor();
    }
    grads.resize(grads.size() + 2);  // of the seed and the call
    return grads;
  }
};

int64_t order_of(at::TensorList qkv) {
  const int64_t order = (static_cast<int64_t>(qkv.size()) - 1) / 2;
  require(order >= 1 && order <= kMaxOrder && static_cast<int64_t>(qkv.size()) == 1 + 2 * order,
          "pivotal_attention: got {} tensors, wanted q, and a key and a value of each of 1 to {} "
          "roles",
          qkv.size(), kMaxOrder);
  return order;
}

}  // namespace

std::tuple<Tensor, Tensor> dense_forward(at::TensorList qkv, const OptionalTensor& mask,
                                         double excluded_logit, OptionalReal scale,
                                         bool multiplicative, double logit_cap, double dropout,
                                         const OptionalTensor& seed) {
  const DenseCall call(make_options(scale, multiplicative, logit_cap, dropout, seed),
                       excluded_logit, order_of(qkv));
  const DenseInputs given = {qkv.vec(), mask.value_or(Tensor()), call.order};
  check(given, call);
  const DenseInputs in = prepared(given);
  const Tensor out = at::empty(in.q().sizes(), in.q().options());
  const Tensor row_stats = at::empty(stats_shape(in.q()), in.q().options());
  AT_DISPATCH_FLOATING_TYPES(in.q().scalar_type(), "pivotal_attention_dense", [&] {
    run_forward(for_each_head(in.q(), [&](int64_t batch, int64_t head) {
      return make_view<scalar_t>(in, call, out, row_stats, batch, head);
    }));
  });
  return {out, row_stats};
}

std::vector<Tensor> dense_backward(const Tensor& grad_out, at::TensorList qkv,
                                   const OptionalTensor& mask, const Tensor& out,
                                   const Tensor& row_stats, double excluded_logit,
                                   OptionalReal scale, bool multiplicative, double logit_cap,
                                   double dropout, const OptionalTensor& seed,
                                   at::IntArrayRef wanted) {
  const DenseCall call(make_options(scale, multiplicative, logit_cap, dropout, seed),
                       excluded_logit, order_of(qkv));
  const DenseInputs given = {qkv.vec(), mask.value_or(Tensor()), call.order};
  check(given, call);
  require_shape("the gradient", grad_out, qkv[0].sizes());
  require_same_type("the gradient", grad_out, qkv[0]);
  require_shape("out", out, qkv[0].sizes());
  require_shape("row_stats", row_stats, stats_shape(qkv[0]));
  require(wanted.size() == qkv.size() + 1, "pivotal_attention: wanted has {} entries, not {}",
          wanted.size(), qkv.size() + 1);
  const DenseInputs in = prepared(given);
  const Tensor dout = with_contiguous_rows(grad_out);
  DenseInputs grads = {{}, {}, call.order};
  for (size_t i = 0; i < qkv.size(); ++i) {
    grads.qkv.push_back(gradient_buffer(wanted[i] != 0, in.qkv[i]));
  }
  grads.mask = gradient_buffer(in.mask.defined() && wanted.back() != 0, in.mask);
  AT_DISPATCH_FLOATING_TYPES(in.q().scalar_type(), "pivotal_attention_dense_backward", [&] {
    run_backward(for_each_head(in.q(),
                               [&](int64_t batch, int64_t head) {
                                 return make_view<scalar_t>(in, call, out, row_stats, batch, head);
                               }),
                 for_each_head(in.q(), [&](int64_t batch, int64_t head) {
                   return make_gradients<scalar_t>(grads, dout, batch, head);
                 }));
  });
  std::vector<Tensor> result = grads.qkv;
  result.push_back(grads.mask.defined() ? at::sum_to(grads.mask, mask->sizes()) : Tensor());
  for (Tensor& gradient : result) {
    if (!gradient.defined()) gradient = at::empty({0}, qkv[0].options());
  }
  return result;
}

std::vector<Tensor> in_one_list(const Tensor& q, at::TensorList keys, at::TensorList values) {
  require(
      !keys.empty() && keys.size() <= kMaxOrder && keys.size() == values.size(),
      "pivotal_attention: got {} keys and {} values, wanted one of each for every role, 1 to {}",
      keys.size(), values.size(), kMaxOrder);
  std::vector<Tensor> qkv = {q};
  qkv.insert(qkv.end(), keys.begin(), keys.end());
  qkv.insert(qkv.end(), values.begin(), values.end());
  return qkv;
}

Tensor dense_with_gradients(std::vector<Tensor> qkv, const OptionalTensor& mask,
                            const AttentionOptions& options, double excluded_logit,
                            const OptionalTensor& seed) {
  const auto call = c10::make_intrusive<DenseCall>(options, excluded_logit, 0);
  return DenseFunction::apply(at::TensorList(qkv), mask, seed, call);
}

Tensor pivotal_attention_dense(const Tensor& q, const std::vector<Tensor>& keys,
                               const std::vector<Tensor>& values, const std::optional<Tensor>& mask,
                               const AttentionOptions& options, double excluded_logit) {
  return dense_with_gradients(in_one_list(q, keys, values), as_c10(mask), options, excluded_logit,
                              seed_tensor(options));
}

}  // namespace floydnet
