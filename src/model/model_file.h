// Setting a model's parameters by name.
#pragma once

#include <map>
#include <string>

#include "floydnet/model.h"

namespace floydnet {

/// Copies tensors into the parameters and buffers of those names. InputError, naming `source` and
/// the tensor, if one is missing, superfluous or has another shape.
void set_parameters(FloydNet& model, const std::map<std::string, torch::Tensor>& tensors,
                    const std::string& source);

}  // namespace floydnet
