// A model's parameters by name.
#pragma once

#include <torch/nn/module.h>

#include <string>

#include "model/tensors.h"

namespace floydnet {

/// All parameters and buffers.
Tensors state_of(torch::nn::Module& model);

/// Copies tensors into the parameters and buffers of those names. InputError, naming `source` and
/// the tensor, if one is missing, superfluous or has another shape.
void set_parameters(torch::nn::Module& model, const Tensors& tensors, const std::string& source);

}  // namespace floydnet
