#include "model/recompute.h"

#include <torch/autograd.h>
#include <torch/custom_class.h>

namespace floydnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using UnaryFunction = std::function<Tensor(const Tensor&)>;

at::Generator generator() { return at::detail::getDefaultCPUGenerator(); }

/// Sets the default generator's state, and puts back the present one at the end of its life.
class RandomStateGuard {
 public:
  explicit RandomStateGuard(const Tensor& state) : present_(generator().get_state()) {
    generator().set_state(state);
  }
  ~RandomStateGuard() { generator().set_state(present_); }
  RandomStateGuard(const RandomStateGuard&) = delete;
  RandomStateGuard& operator=(const RandomStateGuard&) = delete;

 private:
  Tensor present_;
};

struct Recipe : torch::CustomClassHolder {
  UnaryFunction function;
  Tensor random_state;  // of the default generator, before the function ran
};

class Recomputed : public torch::autograd::Function<Recomputed> {
 public:
  /// tensors: x, then the parameters.
  static Tensor forward(AutogradContext* ctx, at::TensorList tensors,
                        const UnaryFunction& function) {
    auto recipe = c10::make_intrusive<Recipe>();
    recipe->function = function;
    recipe->random_state = generator().get_state();
    ctx->save_for_backward(tensors.vec());
    ctx->saved_data["recipe"] = c10::IValue::make_capsule(recipe);
    return function(tensors[0]);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad_out) {
    const auto recipe =
        c10::static_intrusive_pointer_cast<Recipe>(ctx->saved_data["recipe"].toCapsule());
    variable_list inputs = ctx->get_saved_variables();
    inputs[0] = inputs[0].detach().requires_grad_(true);
    const Tensor out = evaluate_again(*recipe, inputs[0]);
    variable_list wanted;
    for (const Tensor& input : inputs) {
      if (input.requires_grad()) wanted.push_back(input);
    }
    const variable_list found = torch::autograd::grad({out}, wanted, grad_out,
                                                      /*retain_graph=*/false,
                                                      /*create_graph=*/false,
                                                      /*allow_unused=*/true);
    variable_list grads;
    size_t next = 0;
    for (const Tensor& input : inputs) {
      grads.push_back(input.requires_grad() ? found[next++] : Tensor());
    }
    grads.emplace_back();  // the function itself
    return grads;
  }

 private:
  static Tensor evaluate_again(const Recipe& recipe, const Tensor& x) {
    const RandomStateGuard random_state(recipe.random_state);
    const torch::AutoGradMode with_grad(true);
    return recipe.function(x);
  }
};

}  // namespace

Tensor recomputed(const UnaryFunction& function, const Tensor& x,
                  const std::vector<Tensor>& parameters) {
  std::vector<Tensor> tensors = {x};
  tensors.insert(tensors.end(), parameters.begin(), parameters.end());
  return Recomputed::apply(at::TensorList(tensors), function);
}

}  // namespace floydnet
