#include "attention/schedule.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "base/simd_target.h"
#include "kernels/lane_kernel.h"
#include "kernels/row_kernel.h"
#include "kernels/tile_kernel.h"

namespace floydnet {
namespace {

using kernels::BackwardPart;
using kernels::Pass;
using kernels::Range;

using Task = std::function<void()>;

void run_all(const std::vector<Task>& tasks) {
  run_tasks(static_cast<int64_t>(tasks.size()), [&](int64_t i) { tasks[i](); });
}

// In one go a view costs least: a part packs relations, or computes scores, that other parts have
// use for, too. Cutting pays where threads would otherwise have nothing to do.
bool are_views_enough(size_t views) {
  const size_t threads = static_cast<size_t>(at::get_num_threads());
  return views % threads == 0 || views >= 4 * threads;
}

// Parts that a view is cut into so that all threads have work to the end.
int64_t parts_per_view(size_t views) {
  constexpr int64_t kTasksPerThread = 4;
  if (views == 0 || are_views_enough(views)) return 1;
  const int64_t wanted = kTasksPerThread * at::get_num_threads();
  return (wanted + static_cast<int64_t>(views) - 1) / static_cast<int64_t>(views);
}

/// Cuts a length into about so many parts, each but the last a multiple of `unit` long.
template <typename AddTask>
void cut(int64_t length, int64_t parts, int64_t unit, const AddTask& add_task) {
  const int64_t units = (length + unit - 1) / unit;
  const int64_t step = std::max<int64_t>(1, (units + parts - 1) / parts) * unit;
  for (int64_t begin = 0; begin < length; begin += step) {
    add_task(Range{begin, std::min(length, begin + step)});
  }
}

// --- which kernel does the work ---

template <typename T>
void forward_part(const kernels::HeadView<T>& view, Range first) {
  if (kernels::suits_tile_kernel(view)) {
    kernels::forward_tiles(view, first);
  } else {
    kernels::forward_rows(view, first);
  }
}

template <typename T>
void backward_part(const kernels::HeadView<T>& view, const kernels::HeadGradients<T>& grads,
                   BackwardPart part, Range range) {
  if (kernels::suits_tile_kernel(view)) {
    kernels::backward_tiles(view, grads, part, range);
  } else {
    kernels::backward_rows(view, grads, part, range);
  }
}

/// Targets that a kernel had best take at a time, along coordinate c.
template <typename T>
int64_t unit_of(const kernels::HeadView<T>& view, Pass pass, int c) {
  constexpr int64_t kLongest = 32;
  if (!kernels::suits_tile_kernel(view)) return 1;
  return std::min(kLongest, kernels::tile_length(view, pass, c));
}

/// What the ranges of BackwardPart::kFirstRole count.
template <typename T>
int64_t first_role_length(const kernels::HeadView<T>& view) {
  if (!kernels::suits_tile_kernel(view)) return view.pivots;
  return view.order > 1 ? view.lengths[1] : 1;
}

// --- small graphs ---

/// Those which share a vector had better be about equally large.
template <typename T>
void sort_by_size(std::vector<kernels::LaneHead<T>>* heads) {
  std::stable_sort(heads->begin(), heads->end(),
                   [](const auto& a, const auto& b) { return a.view->pivots > b.view->pivots; });
}

/// Calls visit(first, count) for each vector of heads.
template <typename T, typename Visit>
void for_each_vector(const std::vector<kernels::LaneHead<T>>& heads, const Visit& visit) {
  const auto count = static_cast<int64_t>(heads.size()), step = kernels::lane_count<T>();
  for (int64_t begin = 0; begin < count; begin += step) {
    visit(heads.data() + begin, std::min(step, count - begin));
  }
}

template <typename T>
void run_vector(const kernels::LaneHead<T>* heads, int64_t count) {
  if (heads->grads) {
    kernels::backward_lanes(heads, count);
  } else {
    kernels::forward_lanes(heads, count);
  }
}

/// The heads of small graphs; `rest` gets the numbers of the others.
template <typename T>
std::vector<kernels::LaneHead<T>> take_lane_heads(
    const std::vector<kernels::HeadView<T>>& views,
    const std::vector<kernels::HeadGradients<T>>* gradients, std::vector<size_t>* rest) {
  std::vector<kernels::LaneHead<T>> heads;
  for (size_t i = 0; i < views.size(); ++i) {
    if (kernels::suits_lane_kernel(views[i])) {
      heads.push_back({&views[i], gradients ? &(*gradients)[i] : nullptr});
    } else {
      rest->push_back(i);
    }
  }
  sort_by_size(&heads);
  return heads;
}

template <typename T>
void add_lane_tasks(const std::vector<kernels::LaneHead<T>>& heads, std::vector<Task>* tasks) {
  for_each_vector(heads, [tasks](const kernels::LaneHead<T>* first, int64_t count) {
    tasks->push_back([first, count] { run_vector(first, count); });
  });
}

// --- backward by pivots ---

/// Whether each view has pivots for a part of BackwardPart::kAll a thread.
template <typename T>
bool are_pivots_enough(const std::vector<kernels::HeadView<T>>& views) {
  return std::all_of(views.begin(), views.end(), [](const auto& view) {
    return kernels::suits_tile_kernel(view) &&
           view.pivots > (at::get_num_threads() - 1) * kernels::backward_pivots(view);
  });
}

/// Gradients of q that are all a part's own, [v, d], as a tensor and as the kernels see it.
template <typename T>
struct OwnQueryGradients {
  explicit OwnQueryGradients(const kernels::HeadView<T>& view) {
    std::vector<int64_t> shape(view.lengths, view.lengths + view.order);
    shape.push_back(view.dim);
    tensor = at::empty(shape, at::CppTypeToScalarType<T>::value);
    rows.data = tensor.data_ptr<T>();
    std::copy_n(tensor.strides().begin(), view.order, rows.stride);
  }
  void add_to(const kernels::Strided<T>& sum) const {
    std::vector<int64_t> strides(sum.stride, sum.stride + tensor.dim() - 1);
    strides.push_back(1);
    at::from_blob(sum.data, tensor.sizes(), strides, tensor.options()).add_(tensor);
  }

  at::Tensor tensor;
  kernels::Strided<T> rows;
};

/// Several threads share a view: each computes all gradients for some of its pivots. Rows of keys
/// and values belong to a pivot, and queries' gradients are added up in the order of pivots, as
/// one thread adds them, so the bits are the same.
template <typename T>
void run_backward_by_pivots(const std::vector<kernels::HeadView<T>>& views,
                            const std::vector<kernels::HeadGradients<T>>& gradients) {
  const int64_t threads = at::get_num_threads();
  for (size_t i = 0; i < views.size(); ++i) {
    const auto& view = views[i];
    const int64_t step = kernels::backward_pivots(view);
    std::vector<OwnQueryGradients<T>> own;
    for (int64_t begin = 0; begin < view.pivots; begin += threads * step) {
      const int64_t parts = std::min(threads, (view.pivots - begin + step - 1) / step);
      std::vector<kernels::HeadGradients<T>> grads(parts, gradients[i]);
      grads[0].adds_q = begin > 0;
      for (int64_t part = 1; part < parts && grads[0].q.data; ++part) {
        if (static_cast<int64_t>(own.size()) < part) own.emplace_back(view);
        grads[part].q = own[part - 1].rows;
      }
      run_tasks(parts, [&](int64_t part) {
        const int64_t first = begin + part * step;
        kernels::backward_tiles(view, grads[part], BackwardPart::kAll,
                                {first, std::min(view.pivots, first + step)});
      });
      for (int64_t part = 1; part < parts && grads[0].q.data; ++part) {
        own[part - 1].add_to(grads[0].q);
      }
    }
  }
}

}  // namespace

void run_tasks(int64_t count, const std::function<void(int64_t)>& task) {
  choose_simd_target();
  // Tasks differ in size, so threads take the next one when they are done.
  std::atomic<int64_t> next{0};
  at::parallel_for(0, at::get_num_threads(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t thread = begin; thread < end; ++thread) {
      for (int64_t i = next++; i < count; i = next++) task(i);
    }
  });
}

template <typename T>
void run_forward(const std::vector<kernels::HeadView<T>>& views) {
  choose_simd_target();
  std::vector<Task> tasks;
  std::vector<size_t> rest;
  const auto heads = take_lane_heads<T>(views, nullptr, &rest);
  add_lane_tasks(heads, &tasks);
  const int64_t parts = parts_per_view(rest.size());
  for (const size_t i : rest) {
    const auto& view = views[i];
    cut(view.lengths[0], parts, unit_of(view, Pass::kForward, 0),
        [&](Range first) { tasks.push_back([&view, first] { forward_part(view, first); }); });
  }
  run_all(tasks);
}

template <typename T>
void run_backward(const std::vector<kernels::HeadView<T>>& views,
                  const std::vector<kernels::HeadGradients<T>>& gradients) {
  choose_simd_target();
  std::vector<Task> tasks;
  std::vector<size_t> rest;
  const auto heads = take_lane_heads(views, &gradients, &rest);
  const int64_t parts = parts_per_view(rest.size());
  if (heads.empty() && parts > 1 && are_pivots_enough(views)) {
    return run_backward_by_pivots(views, gradients);
  }
  add_lane_tasks(heads, &tasks);
  for (const size_t i : rest) {
    const auto& view = views[i];
    const auto& grads = gradients[i];
    const auto add_part = [&](BackwardPart part) {
      return [&tasks, &view, &grads, part](Range range) {
        tasks.push_back([&view, &grads, part, range] { backward_part(view, grads, part, range); });
      };
    };
    if (parts == 1) {
      add_part(BackwardPart::kAll)(Range{0, view.pivots});
    } else {
      cut(view.lengths[0], parts, unit_of(view, Pass::kBackward, 0),
          add_part(BackwardPart::kTargets));
      cut(first_role_length(view), parts, unit_of(view, Pass::kBackward, 1),
          add_part(BackwardPart::kFirstRole));
    }
  }
  run_all(tasks);
}

template <typename T>
void run_lanes(const kernels::HeadView<T>* views, const kernels::HeadGradients<T>* gradients,
               int64_t count) {
  std::vector<kernels::LaneHead<T>> heads;
  for (int64_t i = 0; i < count; ++i) {
    heads.push_back({views + i, gradients ? gradients + i : nullptr});
  }
  sort_by_size(&heads);
  for_each_vector(heads, run_vector<T>);
}

template void run_lanes(const kernels::HeadView<float>*, const kernels::HeadGradients<float>*,
                        int64_t);
template void run_lanes(const kernels::HeadView<double>*, const kernels::HeadGradients<double>*,
                        int64_t);
template void run_forward(const std::vector<kernels::HeadView<float>>&);
template void run_forward(const std::vector<kernels::HeadView<double>>&);
template void run_backward(const std::vector<kernels::HeadView<float>>&,
                           const std::vector<kernels::HeadGradients<float>>&);
template void run_backward(const std::vector<kernels::HeadView<double>>&,
                           const std::vector<kernels::HeadGradients<double>>&);

}  // namespace floydnet
