// Runs the kernels over many (graph, head) views on all threads.
#pragma once

#include <vector>

#include "attention/kernels/view.h"

namespace floydnet {

template <typename T>
void run_forward(const std::vector<kernels::HeadView<T>>& views);

/// gradients[i] belongs to views[i]; no two of them share memory. What must be zero at first is
/// said at HeadGradients.
template <typename T>
void run_backward(const std::vector<kernels::HeadView<T>>& views,
                  const std::vector<kernels::HeadGradients<T>>& gradients);

}  // namespace floydnet
