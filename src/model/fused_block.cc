#include "model/fused_block.h"

#include <ATen/Context.h>
#include <torch/autograd.h>
#include <torch/custom_class.h>

#include "attention/common.h"
#include "base/simd_target.h"
#include "floydnet/error.h"
#include "kernels/block_kernel.h"
#include "model/block_passes.h"

namespace floydnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Settings as autograd keeps them.
struct BlockCall : torch::CustomClassHolder {
  BlockSettings settings;
};

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
    const Tensor y = forward_block(call->settings, in, &states);
    if (!call->settings.attention.needs_backward) return y;
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
        in[kBlockTensors],
        in[kBlockTensors + 1],
        in[kBlockTensors + 2],
        in[kBlockTensors + 3],
        in[kBlockTensors + 4],
        {in[kBlockTensors + 5], in[kBlockTensors + 6], in[kBlockTensors + 7]}};
    in.resize(kBlockTensors);
    in = without_placeholders(in);
    variable_list grads(kBlockTensors);
    for (size_t i = 0; i < kBlockTensors; ++i) {
      if (in[i].defined() && ctx->needs_input_grad(i)) grads[i] = at::empty_like(in[i]);
    }
    backward_block(call->settings, in, states, grad_out[0].contiguous(), &grads);
    grads.emplace_back();  // the call
    return grads;
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
  at::globalContext().setFloat32MatmulPrecision(std::string(rounds ? "medium" : "highest"));
}

Tensor fused_block(const ModelConfig& config, const BlockParameters& p, const Tensor& states,
                   const TupleLayout& layout, const std::optional<Tensor>& pivot_bias,
                   std::optional<double> scale) {
  require(states.dim() == 2 && states.size(0) == layout.rows() && states.size(1) == config.dim,
          "FloydBlock: states have shape {}, wanted [{}, {}]", shape_of(states), layout.rows(),
          config.dim);
  require_float_on_cpu(states);
  auto call = c10::make_intrusive<BlockCall>();
  BlockSettings& settings = call->settings;
  settings.config = config;
  choose_simd_target();
  settings.rounds =
      states.scalar_type() == at::kFloat && kernels::has_bfloat16() &&
      at::globalContext().float32MatmulPrecision() == at::Float32MatmulPrecision::MEDIUM;
  settings.is_by_head = kernels::prefers_heads_apart(config.dim / config.heads);
  settings.attention = {layout, {}, false};
  settings.attention.options.scale = scale;
  settings.attention.options.composition = config.composition;
  settings.attention.options.logit_cap = config.logit_cap;
  Tensor bias;
  if (pivot_bias) {
    bias = pivot_bias->expand({config.order, config.heads, layout.rows()});
    require_same_type("pivot_bias", bias, states);
  }
  require_same_type("states", states, p[kQkv].weight);
  variable_list inputs = {states.contiguous(), bias};
  for (const PartTensors& part : p) inputs.insert(inputs.end(), {part.weight, part.bias});
  for (Tensor& input : inputs) input = or_placeholder(input, states);
  settings.attention.needs_backward =
      at::GradMode::is_enabled() &&
      std::any_of(inputs.begin(), inputs.end(),
                  [](const Tensor& input) { return input.requires_grad(); });
  return BlockFunction::apply(at::TensorList(inputs), call);
}

}  // namespace floydnet
