// Runs the kernels over many (graph, head) views on all threads.
#pragma once

#include <functional>
#include <vector>

#include "kernels/view.h"

namespace floydnet {

/// Calls task(i) for all i below count, on all threads.
void run_tasks(int64_t count, const std::function<void(int64_t)>& task);

template <typename T>
void run_forward(const std::vector<kernels::HeadView<T>>& views);

/// gradients[i] belongs to views[i]; no two of them share memory. What must be zero at first is
/// said at HeadGradients.
template <typename T>
void run_backward(const std::vector<kernels::HeadView<T>>& views,
                  const std::vector<kernels::HeadGradients<T>>& gradients);

/// The heads of small graphs (kernels::suits_lane_kernel) on the calling thread: forward, or
/// backward if there are gradients.
template <typename T>
void run_lanes(const kernels::HeadView<T>* views, const kernels::HeadGradients<T>* gradients,
               int64_t count);

}  // namespace floydnet
