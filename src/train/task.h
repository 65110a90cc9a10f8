// What the loop needs of floydnet/train.h's tasks besides their own functions.
#pragma once

#include <torch/types.h>

#include <vector>

#include "floydnet/train.h"
#include "record/metrics.h"
#include "record/table.h"

namespace floydnet::train {

/// What is computed at a time: its pieces, or all of it.
std::vector<const Batch*> pieces_of(const Batch& batch);

/// The sum over terms of sum / weight; a term without weight adds nothing.
torch::Tensor mean_loss(const std::vector<torch::Tensor>& sums, const std::vector<double>& weights);

}  // namespace floydnet::train
