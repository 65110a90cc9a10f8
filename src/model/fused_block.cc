#include "model/fused_block.h"

#include <ATen/Context.h>
#include <torch/autograd.h>
#include <torch/custom_class.h>

#include "attention/common.h"
#include "attention/packed_run.h"
#include "attention/schedule.h"
#include "base/simd_target.h"
#include "floydnet/error.h"
#include "kernels/block_kernel.h"

namespace floydnet {
namespace {

using kernels::BlockArrays;
using kernels::Range;
using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The tensors of a node of autograd: states, pivot bias, then weight and bias of each part.
constexpr size_t kStates = 0, kPivotBias = 1, kInputs = 2 + 2 * kBlockParts;

constexpr size_t weight_of(BlockPart part) { return 2 + 2 * size_t{part}; }
constexpr size_t bias_of(BlockPart part) { return weight_of(part) + 1; }

struct BlockCall : torch::CustomClassHolder {
  ModelConfig config;
  PackedCall attention;
  bool rounds = false;  // operands of linear maps to bfloat16
};

/// Everything that forward computes and backward uses.
struct BlockStates {
  Tensor stats1, qkv, middle, stats2, before_activation;
  PackedOutputs attention;
};

template <typename T>
const T* data_of(const Tensor& tensor) {
  return tensor.defined() ? tensor.data_ptr<T>() : nullptr;
}

kernels::BlockActivation kernel_activation(Activation activation) {
  switch (activation) {
    case Activation::kGelu:
      return kernels::BlockActivation::kGelu;
    case Activation::kRelu:
      return kernels::BlockActivation::kRelu;
    case Activation::kSilu:
      break;
  }
  return kernels::BlockActivation::kSilu;
}

template <typename T>
BlockArrays<T> make_arrays(const BlockCall& call, const variable_list& in,
                           const BlockStates& states) {
  const ModelConfig& c = call.config;
  BlockArrays<T> a;
  a.rows = in[kStates].size(0);
  a.dim = c.dim;
  a.heads = c.heads;
  a.slices = (1 + 2 * c.order) * c.heads;
  a.hidden = c.ffn_ratio * c.dim;
  a.eps = c.norm_eps;
  a.rounds = call.rounds;
  a.activation = kernel_activation(c.activation);
  const auto norm = [&](BlockPart part) {
    return kernels::NormWeights<T>{data_of<T>(in[weight_of(part)]), data_of<T>(in[bias_of(part)])};
  };
  const auto linear = [&](BlockPart part) {
    const Tensor& weight = in[weight_of(part)];
    return kernels::LinearWeights<T>{data_of<T>(weight), data_of<T>(in[bias_of(part)]),
                                     weight.size(0), weight.size(1)};
  };
  a.norm1 = norm(kNorm1);
  a.norm2 = norm(kNorm2);
  a.qkv_map = linear(kQkv);
  a.proj = linear(kProj);
  a.up = linear(kUp);
  a.down = linear(kDown);
  a.x = data_of<T>(in[kStates]);
  const auto writable = [](const Tensor& tensor) {
    return tensor.defined() ? tensor.data_ptr<T>() : nullptr;
  };
  a.stats1 = writable(states.stats1);
  a.qkv = writable(states.qkv);
  a.attended = data_of<T>(states.attention.out);
  a.middle = writable(states.middle);
  a.stats2 = writable(states.stats2);
  a.before_activation = writable(states.before_activation);
  return a;
}

/// Runs pass(rows) for all rows, several blocks of them at a time.
template <typename Pass>
void for_rows(int64_t rows, const Pass& pass) {
  const int64_t step = 4 * kernels::kBlockRowsAtATime;
  run_tasks((rows + step - 1) / step, [&](int64_t i) {
    pass(Range{i * step, std::min(rows, (i + 1) * step)});
  });
}

/// q, k and v of each role as parts of one tensor [roles, heads, rows, d_h].
PackedTensors parts_of(const Tensor& qkv, int64_t order, const Tensor& bias) {
  return {qkv.select(0, 0), qkv.narrow(0, 1, order), qkv.narrow(0, 1 + order, order), bias};
}

Tensor forward_block(const BlockCall& call, const variable_list& in, BlockStates* states) {
  const ModelConfig& c = call.config;
  const Tensor& x = in[kStates];
  const int64_t rows = x.size(0), roles = 1 + 2 * c.order, head_dim = c.dim / c.heads;
  const auto empty = [&](at::IntArrayRef shape) { return at::empty(shape, x.options()); };
  states->stats1 = empty({rows, 2});
  states->qkv = empty({roles, c.heads, rows, head_dim});
  states->middle = empty({rows, c.dim});
  states->stats2 = empty({rows, 2});
  if (call.attention.needs_backward) {
    states->before_activation = empty({rows, c.ffn_ratio * c.dim});
  }
  const Tensor y = empty({rows, c.dim});
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "floyd_block", [&] {
    auto arrays = make_arrays<scalar_t>(call, in, *states);
    const Tensor packed = empty({kernels::packed_weights_size(arrays)});
    kernels::pack_weights(arrays, /*backward=*/false, packed.data_ptr<scalar_t>());
    arrays.packed = packed.data_ptr<scalar_t>();
    for_rows(rows, [&](Range range) { kernels::forward_inputs(arrays, range); });
    states->attention =
        run_packed_forward(parts_of(states->qkv, c.order, in[kPivotBias]), call.attention);
    arrays.attended = states->attention.out.template data_ptr<scalar_t>();
    arrays.y = y.data_ptr<scalar_t>();
    for_rows(rows, [&](Range range) { kernels::forward_outputs(arrays, range); });
  });
  return y;
}

/// Gradients of norms come as sums over blocks of rows; adding them up here in their order keeps
/// the result independent of the number of threads.
template <typename T>
void add_norm_parts(const Tensor& parts, Tensor* weight, Tensor* bias) {
  const int64_t dim = parts.size(2);
  if (weight->defined()) weight->zero_();
  if (bias->defined()) bias->zero_();
  for (int64_t block = 0; block < parts.size(0); ++block) {
    const T* part = parts.data_ptr<T>() + block * 2 * dim;
    for (int64_t d = 0; weight->defined() && d < dim; ++d) weight->data_ptr<T>()[d] += part[d];
    for (int64_t d = 0; bias->defined() && d < dim; ++d) bias->data_ptr<T>()[d] += part[dim + d];
  }
}

template <typename T>
void compute_weight_gradients(const BlockArrays<T>& a, const variable_list& grads) {
  const int64_t d = a.head_dim(), slice = a.rows * d;
  const auto plain = [](const T* data, int64_t columns) {
    return kernels::ColumnGroups<T>{data, columns, 0, columns};
  };
  std::vector<kernels::WeightGradient<T>> gradients;
  const auto add = [&](BlockPart part, kernels::ColumnGroups<T> left,
                       kernels::ColumnGroups<T> right) {
    const Tensor& grad = grads[weight_of(part)];
    if (!grad.defined()) return;
    gradients.push_back(
        {left, right, a.rows, grad.size(0), grad.size(1), grad.template data_ptr<T>(), a.rounds});
  };
  add(kUp, plain(a.dhidden, a.hidden), plain(a.normed2, a.dim));
  add(kDown, plain(a.dy, a.dim), plain(a.activated, a.hidden));
  add(kQkv, {a.dqkv, d, slice, d}, plain(a.normed1, a.dim));
  add(kProj, plain(a.dmiddle, a.dim), {a.attended, d, slice, d});
  std::vector<std::pair<size_t, Range>> tasks;
  for (size_t i = 0; i < gradients.size(); ++i) {
    for (int64_t m = 0; m < gradients[i].m; m += kernels::kWeightRowsAtATime) {
      tasks.push_back({i, {m, std::min(gradients[i].m, m + kernels::kWeightRowsAtATime)}});
    }
  }
  run_tasks(static_cast<int64_t>(tasks.size()), [&](int64_t t) {
    kernels::weight_gradient(gradients[tasks[t].first], tasks[t].second);
  });
}

/// Autograd wants every input to be a tensor, so an empty one stands for what there is not.
Tensor or_placeholder(const Tensor& input, const Tensor& like) {
  return input.defined() ? input : at::empty({0}, like.options());
}
variable_list without_placeholders(variable_list inputs) {
  for (size_t i = kStates + 1; i < inputs.size(); ++i) {
    if (inputs[i].numel() == 0) inputs[i] = Tensor();
  }
  return inputs;
}

class BlockFunction : public torch::autograd::Function<BlockFunction> {
 public:
  static Tensor forward(AutogradContext* ctx, at::TensorList inputs,
                        const c10::intrusive_ptr<BlockCall>& call) {
    const variable_list in = without_placeholders(inputs.vec());
    BlockStates states;
    const Tensor y = forward_block(*call, in, &states);
    if (!call->attention.needs_backward) return y;
    variable_list saved = inputs.vec();
    saved.insert(saved.end(),
                 {states.stats1, states.qkv, states.middle, states.stats2, states.before_activation,
                  states.attention.out, states.attention.row_stats, states.attention.kept});
    ctx->save_for_backward(saved);
    ctx->saved_data["call"] = c10::IValue::make_capsule(call);
    return y;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad_out) {
    require_first_order(at::GradMode::is_enabled());
    const auto call =
        c10::static_intrusive_pointer_cast<BlockCall>(ctx->saved_data["call"].toCapsule());
    variable_list in = ctx->get_saved_variables();
    const BlockStates states = {
        in[kInputs],     in[kInputs + 1], in[kInputs + 2],
        in[kInputs + 3], in[kInputs + 4], {in[kInputs + 5], in[kInputs + 6], in[kInputs + 7]}};
    in.resize(kInputs);
    in = without_placeholders(in);
    variable_list grads(kInputs);
    for (size_t i = 0; i < kInputs; ++i) {
      if (in[i].defined() && ctx->needs_input_grad(i)) grads[i] = at::empty_like(in[i]);
    }
    AT_DISPATCH_FLOATING_TYPES(in[kStates].scalar_type(), "floyd_block_backward", [&] {
      run_backward_passes<scalar_t>(*call, in, states, grad_out[0].contiguous(), &grads);
    });
    grads.emplace_back();  // the call
    return grads;
  }

 private:
  template <typename T>
  static void run_backward_passes(const BlockCall& call, const variable_list& in,
                                  const BlockStates& states, const Tensor& dy,
                                  variable_list* grads) {
    const ModelConfig& c = call.config;
    auto a = make_arrays<T>(call, in, states);
    const int64_t blocks = (a.rows + kernels::kBlockRowsAtATime - 1) / kernels::kBlockRowsAtATime;
    const auto empty = [&](at::IntArrayRef shape) { return at::empty(shape, dy.options()); };
    const Tensor packed = empty({kernels::packed_weights_size(a)});
    const Tensor activated = empty({a.rows, a.hidden}), dhidden = empty({a.rows, a.hidden});
    const Tensor normed1 = empty({a.rows, a.dim}), normed2 = empty({a.rows, a.dim});
    const Tensor dmiddle = empty({a.rows, a.dim}), dx = empty({a.rows, a.dim});
    const Tensor dnorm1 = empty({blocks, 2, a.dim}), dnorm2 = empty({blocks, 2, a.dim});
    const Tensor dattended = empty(states.attention.out.sizes()), dqkv = empty(states.qkv.sizes());
    kernels::pack_weights(a, /*backward=*/true, packed.data_ptr<T>());
    a.packed = packed.data_ptr<T>();
    a.dy = dy.data_ptr<T>();
    a.activated = activated.data_ptr<T>();
    a.dhidden = dhidden.data_ptr<T>();
    a.normed1 = normed1.data_ptr<T>();
    a.normed2 = normed2.data_ptr<T>();
    a.dmiddle = dmiddle.data_ptr<T>();
    a.dattended = dattended.data_ptr<T>();
    a.dnorm1 = dnorm1.data_ptr<T>();
    a.dnorm2 = dnorm2.data_ptr<T>();
    a.dqkv = dqkv.data_ptr<T>();
    a.dx = dx.data_ptr<T>();

    for_rows(a.rows, [&](Range range) { kernels::backward_outputs(a, range); });
    run_packed_backward(parts_of(states.qkv, c.order, in[kPivotBias]), call.attention,
                        states.attention, dattended, parts_of(dqkv, c.order, (*grads)[kPivotBias]));
    for_rows(a.rows, [&](Range range) { kernels::backward_inputs(a, range); });
    compute_weight_gradients(a, *grads);

    if ((*grads)[kStates].defined()) (*grads)[kStates] = dx;
    add_norm_parts<T>(dnorm1, &(*grads)[weight_of(kNorm1)], &(*grads)[bias_of(kNorm1)]);
    add_norm_parts<T>(dnorm2, &(*grads)[weight_of(kNorm2)], &(*grads)[bias_of(kNorm2)]);
    const auto set_bias = [&](BlockPart part, const Tensor& rows, at::IntArrayRef dims) {
      Tensor& grad = (*grads)[bias_of(part)];
      if (grad.defined()) grad = rows.sum(dims).reshape(-1);
    };
    set_bias(kQkv, dqkv, {2});
    set_bias(kProj, dmiddle, {0});
    set_bias(kUp, dhidden, {0});
    set_bias(kDown, dy, {0});
  }
};

}  // namespace

bool suits_fused_block(const ModelConfig& c) {
  choose_simd_target();
  return c.ffn && c.norm_position == NormPosition::kPre &&
         (c.norm == NormKind::kLayer || c.norm == NormKind::kRms) && !c.symmetric_mix &&
         !c.qk_norm && !c.ffn_scale && kernels::suits_block_kernel(c.dim, c.ffn_ratio * c.dim);
}

void set_precision(Precision precision) {
  const bool rounds = precision == Precision::kBfloat16;
  choose_simd_target();
  if (rounds && !kernels::has_bfloat16()) {
    throw InputError(
        "precision bf16: this CPU has no products of bfloat16, or FLOYDNET_SIMD forbids them; "
        "remedy: precision float32");
  }
  at::globalContext().setFloat32MatmulPrecision(rounds ? at::Float32MatmulPrecision::MEDIUM
                                                       : at::Float32MatmulPrecision::HIGHEST);
}

Tensor fused_block(const ModelConfig& config, const BlockParameters& p, const Tensor& states,
                   const TupleLayout& layout, const std::optional<Tensor>& pivot_bias,
                   std::optional<double> scale) {
  require(states.dim() == 2 && states.size(0) == layout.rows() && states.size(1) == config.dim,
          "FloydBlock: states have shape {}, wanted [{}, {}]", shape_of(states), layout.rows(),
          config.dim);
  require_float_on_cpu(states);
  auto call = c10::make_intrusive<BlockCall>();
  call->config = config;
  choose_simd_target();
  call->rounds = states.scalar_type() == at::kFloat && kernels::has_bfloat16() &&
                 at::globalContext().float32MatmulPrecision() == at::Float32MatmulPrecision::MEDIUM;
  call->attention = {layout, {}, false};
  call->attention.options.scale = scale;
  call->attention.options.composition = config.composition;
  call->attention.options.logit_cap = config.logit_cap;
  Tensor bias;
  if (pivot_bias) {
    bias = pivot_bias->expand({config.order, config.heads, layout.rows()});
    require_same_type("pivot_bias", bias, states);
  }
  require_same_type("states", states, p[kQkv].weight);
  variable_list inputs = {states.contiguous(), bias};
  for (const PartTensors& part : p) inputs.insert(inputs.end(), {part.weight, part.bias});
  for (Tensor& input : inputs) input = or_placeholder(input, states);
  call->attention.needs_backward =
      at::GradMode::is_enabled() &&
      std::any_of(inputs.begin(), inputs.end(),
                  [](const Tensor& input) { return input.requires_grad(); });
  return BlockFunction::apply(at::TensorList(inputs), call);
}

}  // namespace floydnet
