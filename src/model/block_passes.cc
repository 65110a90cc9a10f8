#include "model/block_passes.h"

#include <ATen/Dispatch.h>

#include <algorithm>

#include "attention/schedule.h"
#include "base/part_times.h"
#include "kernels/block_kernel.h"
#include "kernels/lane_kernel.h"

namespace floydnet {
namespace {

using kernels::BlockArrays;
using kernels::Range;
using torch::Tensor;

template <typename T>
T* data_of(const Tensor& tensor) {
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
BlockArrays<T> make_arrays(const BlockSettings& settings, const BlockTensors& in,
                           const BlockStates& states) {
  const ModelConfig& c = settings.config;
  BlockArrays<T> a;
  a.rows = in[kStates].size(0);
  a.dim = c.dim;
  a.heads = c.heads;
  a.slices = (1 + 2 * c.order) * c.heads;
  a.hidden = c.ffn_ratio * c.dim;
  a.eps = c.norm_eps;
  a.is_by_head = settings.is_by_head;
  a.rounds = settings.rounds;
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
  a.stats1 = data_of<T>(states.stats1);
  a.qkv = data_of<T>(states.qkv);
  a.attended = data_of<T>(states.attention.out);
  a.middle = data_of<T>(states.middle);
  a.stats2 = data_of<T>(states.stats2);
  a.before_activation = data_of<T>(states.before_activation);
  return a;
}

constexpr char kMapsPart[] = "linear maps, norms, activation";
constexpr char kAttentionPart[] = "attention";
constexpr char kWeightsPart[] = "gradients of weights";

template <typename Run>
void timed(const char* part, const Run& run) {
  const TimedPart mark(part);
  run();
}

/// Runs pass(rows) for all rows, several blocks of them at a time.
template <typename Pass>
void for_rows(int64_t rows, const Pass& pass) {
  const TimedPart part(kMapsPart);
  const int64_t step = 4 * kernels::kBlockRowsAtATime;
  run_tasks((rows + step - 1) / step, [&](int64_t i) {
    pass(Range{i * step, std::min(rows, (i + 1) * step)});
  });
}

/// A tensor [roles, heads, rows, d_h], laid out as BlockArrays says.
Tensor empty_slices(const BlockSettings& settings, int64_t roles, int64_t rows,
                    const at::TensorOptions& options) {
  const ModelConfig& c = settings.config;
  const int64_t head_dim = c.dim / c.heads;
  if (settings.is_by_head) return at::empty({roles, c.heads, rows, head_dim}, options);
  return at::empty({rows, roles, c.heads, head_dim}, options).permute({1, 2, 0, 3});
}

/// q, k and v of each role as parts of one tensor [roles, heads, rows, d_h].
PackedTensors parts_of(const Tensor& qkv, int64_t order, const Tensor& bias) {
  return {qkv.select(0, 0), qkv.narrow(0, 1, order), qkv.narrow(0, 1 + order, order), bias};
}

// --- small graphs: all passes on some of them, then on the next: data stay in the cache ---

/// Graphs that follow each other, and their rows.
struct GraphGroup {
  Range graphs, rows;
};

template <typename T>
bool runs_by_groups(const BlockSettings& settings, const std::vector<kernels::HeadView<T>>& heads) {
  return !settings.is_by_head &&
         std::all_of(heads.begin(), heads.end(), kernels::suits_lane_kernel<T>);
}

/// A group closes when it has heads for all lanes, and so many rows that what a group costs by
/// itself is little.
template <typename T>
std::vector<GraphGroup> graph_groups(const BlockSettings& settings) {
  constexpr int64_t kFewestRows = 384;
  const TupleLayout& layout = settings.attention.layout;
  const int64_t step = std::max<int64_t>(1, kernels::lane_count<T>() / settings.config.heads);
  std::vector<GraphGroup> groups;
  for (int64_t begin = 0, end = 0; begin < layout.graphs(); begin = end) {
    do {
      end = std::min(layout.graphs(), end + step);
    } while (end < layout.graphs() && layout.offset(end) - layout.offset(begin) < kFewestRows);
    groups.push_back({{begin, end}, {layout.offset(begin), layout.offset(end)}});
  }
  return groups;
}

/// Those of some rows alone, counted from 0.
template <typename T>
BlockArrays<T> arrays_of(const BlockArrays<T>& all, Range rows) {
  BlockArrays<T> a = all;
  a.rows = rows.end - rows.begin;
  const auto skip = [&](auto*& array, int64_t width) {
    if (array) array += rows.begin * width;
  };
  skip(a.x, a.dim);
  skip(a.stats1, 2);
  skip(a.qkv, a.slices * a.head_dim());
  skip(a.attended, a.dim);
  skip(a.middle, a.dim);
  skip(a.stats2, 2);
  skip(a.before_activation, a.hidden);
  skip(a.dy, a.dim);
  skip(a.dx, a.dim);
  return a;
}

// --- gradients of weights ---

/// Where the gradients of linear maps go; null: not wanted.
template <typename T>
struct MapGradients {
  T* weight[kBlockParts] = {};
  T* bias[kBlockParts] = {};
};

constexpr BlockPart kMaps[] = {kUp, kDown, kQkv, kProj};

template <typename T>
std::vector<kernels::WeightGradient<T>> weight_gradients(const BlockArrays<T>& a,
                                                         const MapGradients<T>& grads) {
  const auto plain = [](const T* data, int64_t columns) {
    return kernels::ColumnGroups<T>{data, columns, 0, columns};
  };
  const auto slices = [&](const T* data, int64_t count) {
    const int64_t d = a.head_dim();
    return a.is_by_head ? kernels::ColumnGroups<T>{data, d, a.rows * d, d} : plain(data, count * d);
  };
  std::vector<kernels::WeightGradient<T>> gradients;
  const auto add = [&](BlockPart part, const kernels::LinearWeights<T>& map,
                       kernels::ColumnGroups<T> left, kernels::ColumnGroups<T> right) {
    if (!grads.weight[part]) return;
    gradients.push_back({left, right, a.rows, map.out, map.in, grads.weight[part], a.rounds});
  };
  add(kUp, a.up, plain(a.dhidden, a.hidden), plain(a.normed2, a.dim));
  add(kDown, a.down, plain(a.dy, a.dim), plain(a.activated, a.hidden));
  add(kQkv, a.qkv_map, slices(a.dqkv, a.slices), plain(a.normed1, a.dim));
  add(kProj, a.proj, plain(a.dmiddle, a.dim), slices(a.attended, a.heads));
  return gradients;
}

template <typename T>
void compute_weight_gradients(const BlockArrays<T>& a, const MapGradients<T>& grads) {
  const auto gradients = weight_gradients(a, grads);
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

/// Gradients of norms come as sums over blocks of rows; adding them up here in their order keeps
/// the result independent of the number of threads.
template <typename T>
void add_norm_parts(const Tensor& parts, BlockPart part, const BlockTensors& grads) {
  const int64_t dim = parts.size(2);
  std::vector<T> sums(2 * dim);
  kernels::column_sums(parts.data_ptr<T>(), parts.size(0), 2 * dim, sums.data());
  const auto copy = [&](const Tensor& grad, int64_t begin) {
    if (grad.defined()) std::copy_n(sums.data() + begin, dim, grad.data_ptr<T>());
  };
  copy(grads[weight_of(part)], 0);
  copy(grads[bias_of(part)], dim);
}

int64_t row_blocks(int64_t rows) {
  return (rows + kernels::kBlockRowsAtATime - 1) / kernels::kBlockRowsAtATime;
}

/// What backward computes on the way, of some rows.
template <typename T>
struct BackwardArrays {
  BackwardArrays(const BlockSettings& settings, const at::TensorOptions& options,
                 BlockArrays<T>* a) {
    const auto take = [&](int64_t width, T** data) {
      tensors.push_back(at::empty({a->rows, width}, options));
      *data = tensors.back().template data_ptr<T>();
    };
    take(a->hidden, &a->activated);
    take(a->hidden, &a->dhidden);
    for (T** data : {&a->normed1, &a->normed2, &a->dmiddle}) take(a->dim, data);
    dattended = empty_slices(settings, 1, a->rows, options)[0];
    dqkv = empty_slices(settings, 1 + 2 * settings.config.order, a->rows, options);
    a->dattended = dattended.data_ptr<T>();
    a->dqkv = dqkv.data_ptr<T>();
  }

  std::vector<Tensor> tensors;
  Tensor dattended, dqkv;
};

template <typename T>
class BlockBackward {
 public:
  BlockBackward(const BlockSettings& settings, const BlockTensors& in, const BlockStates& states,
                const Tensor& dy, BlockTensors* grads)
      : settings_(settings),
        in_(in),
        states_(states),
        dy_(dy),
        grads_(*grads),
        arrays_(make_arrays<T>(settings, in, states)),
        packed_(at::empty({kernels::packed_weights_size(arrays_)}, dy.options())),
        dx_(at::empty_like(in[kStates])) {
    kernels::pack_weights(arrays_, /*backward=*/true, packed_.data_ptr<T>());
    arrays_.packed = packed_.data_ptr<T>();
    arrays_.dy = dy.data_ptr<T>();
    arrays_.dx = dx_.data_ptr<T>();
  }

  void run() {
    const auto heads = head_views<T>(parts_of(states_.qkv, settings_.config.order, in_[kPivotBias]),
                                     settings_.attention, states_.attention);
    if (runs_by_groups(settings_, heads)) {
      run_by_groups(heads);
    } else {
      run_pass_by_pass();
    }
    add_norm_parts<T>(dnorm1_, kNorm1, grads_);
    add_norm_parts<T>(dnorm2_, kNorm2, grads_);
    if (grads_[kStates].defined()) grads_[kStates] = dx_;
  }

 private:
  void take_norm_parts(int64_t blocks) {
    for (Tensor* parts : {&dnorm1_, &dnorm2_}) {
      *parts = at::empty({blocks, 2, arrays_.dim}, dy_.options());
    }
    arrays_.dnorm1 = dnorm1_.data_ptr<T>();
    arrays_.dnorm2 = dnorm2_.data_ptr<T>();
  }

  void run_pass_by_pass() {
    take_norm_parts(row_blocks(arrays_.rows));
    const BackwardArrays<T> own(settings_, dy_.options(), &arrays_);
    const int64_t order = settings_.config.order;
    for_rows(arrays_.rows, [&](Range range) { kernels::backward_outputs(arrays_, range); });
    timed(kAttentionPart, [&] {
      run_packed_backward(parts_of(states_.qkv, order, in_[kPivotBias]), settings_.attention,
                          states_.attention, own.dattended,
                          parts_of(own.dqkv, order, grads_[kPivotBias]));
    });
    for_rows(arrays_.rows, [&](Range range) { kernels::backward_inputs(arrays_, range); });
    const TimedPart timed_part(kWeightsPart);
    MapGradients<T> maps;
    for (const BlockPart part : kMaps) maps.weight[part] = data_of<T>(grads_[weight_of(part)]);
    compute_weight_gradients(arrays_, maps);
    const auto set_bias = [&](BlockPart part, const Tensor& rows, at::IntArrayRef dims) {
      Tensor& grad = grads_[bias_of(part)];
      if (grad.defined()) grad = rows.sum(dims).reshape(-1);
    };
    const auto columns = [&](const T* data, int64_t width) {
      return at::from_blob(const_cast<T*>(data), {arrays_.rows, width}, dy_.options());
    };
    set_bias(kQkv, own.dqkv, {2});
    set_bias(kProj, columns(arrays_.dmiddle, arrays_.dim), {0});
    set_bias(kUp, columns(arrays_.dhidden, arrays_.hidden), {0});
    set_bias(kDown, dy_, {0});
  }

  /// Gradients of maps are sums over groups, in their order.
  void run_by_groups(const std::vector<kernels::HeadView<T>>& heads) {
    const std::vector<GraphGroup> groups = graph_groups<T>(settings_);
    std::vector<int64_t> first_block = {0};
    for (const GraphGroup& group : groups) {
      first_block.push_back(first_block.back() + row_blocks(group.rows.end - group.rows.begin));
    }
    take_norm_parts(first_block.back());
    int64_t width = 0;
    for_each_map_gradient([&](const Tensor& grad, T**) { width += grad.numel(); }, nullptr);
    const Tensor sums = at::empty({static_cast<int64_t>(groups.size()) + 1, width}, dy_.options());
    run_tasks(static_cast<int64_t>(groups.size()), [&](int64_t g) {
      T* data = sums.data_ptr<T>() + g * width;
      MapGradients<T> maps;
      for_each_map_gradient(
          [&](const Tensor& grad, T** place) {
            *place = data;
            data += grad.numel();
          },
          &maps);
      run_group(groups[g], heads, first_block[g], maps);
    });
    T* total = sums.data_ptr<T>() + static_cast<int64_t>(groups.size()) * width;
    kernels::column_sums(sums.data_ptr<T>(), static_cast<int64_t>(groups.size()), width, total);
    for_each_map_gradient(
        [&](const Tensor& grad, T**) {
          std::copy_n(total, grad.numel(), grad.data_ptr<T>());
          total += grad.numel();
        },
        nullptr);
  }

  /// Calls visit(gradient, its place in `maps`) for those that are wanted.
  template <typename Visit>
  void for_each_map_gradient(const Visit& visit, MapGradients<T>* maps) const {
    for (const BlockPart part : kMaps) {
      const Tensor &weight = grads_[weight_of(part)], &bias = grads_[bias_of(part)];
      if (weight.defined()) visit(weight, maps ? &maps->weight[part] : nullptr);
      if (bias.defined()) visit(bias, maps ? &maps->bias[part] : nullptr);
    }
  }

  void run_group(const GraphGroup& group, const std::vector<kernels::HeadView<T>>& heads,
                 int64_t first_block, const MapGradients<T>& maps) const {
    const at::NoGradGuard no_grad;
    BlockArrays<T> a = arrays_of(arrays_, group.rows);
    const BackwardArrays<T> own(settings_, dy_.options(), &a);
    a.dnorm1 += first_block * 2 * a.dim;
    a.dnorm2 += first_block * 2 * a.dim;
    timed(kMapsPart, [&] { kernels::backward_outputs(a, {0, a.rows}); });
    const auto& sizes = settings_.attention.layout.sizes();
    const PackedCall call = {
        {2, {sizes.begin() + group.graphs.begin, sizes.begin() + group.graphs.end}},
        settings_.attention.options,
        true};
    const auto gradients = head_gradients<T>(call, own.dattended, parts_of(own.dqkv, 2, {}));
    timed(kAttentionPart, [&] {
      run_lanes(heads.data() + group.graphs.begin * a.heads, gradients.data(),
                (group.graphs.end - group.graphs.begin) * a.heads);
    });
    timed(kMapsPart, [&] { kernels::backward_inputs(a, {0, a.rows}); });
    const TimedPart part(kWeightsPart);
    for (const auto& gradient : weight_gradients(a, maps)) {
      for (int64_t m = 0; m < gradient.m; m += kernels::kWeightRowsAtATime) {
        kernels::weight_gradient(gradient,
                                 {m, std::min(gradient.m, m + kernels::kWeightRowsAtATime)});
      }
    }
    const auto set_bias = [&](BlockPart map, const T* rows, int64_t columns) {
      if (maps.bias[map]) kernels::column_sums(rows, a.rows, columns, maps.bias[map]);
    };
    set_bias(kQkv, a.dqkv, a.slices * a.head_dim());
    set_bias(kProj, a.dmiddle, a.dim);
    set_bias(kUp, a.dhidden, a.hidden);
    set_bias(kDown, a.dy, a.dim);
  }

  const BlockSettings& settings_;
  const BlockTensors& in_;
  const BlockStates& states_;
  const Tensor& dy_;
  BlockTensors& grads_;
  BlockArrays<T> arrays_;
  const Tensor packed_, dx_;
  Tensor dnorm1_, dnorm2_;
};

}  // namespace

Tensor forward_block(const BlockSettings& settings, const BlockTensors& in, BlockStates* states) {
  const ModelConfig& c = settings.config;
  const Tensor& x = in[kStates];
  const int64_t rows = x.size(0);
  const auto empty = [&](at::IntArrayRef shape) { return at::empty(shape, x.options()); };
  states->stats1 = empty({rows, 2});
  states->qkv = empty_slices(settings, 1 + 2 * c.order, rows, x.options());
  states->middle = empty({rows, c.dim});
  states->stats2 = empty({rows, 2});
  if (settings.attention.needs_backward) {
    states->before_activation = empty({rows, c.ffn_ratio * c.dim});
  }
  const PackedTensors qkv = parts_of(states->qkv, c.order, in[kPivotBias]);
  states->attention =
      packed_outputs(qkv, settings.attention, empty_slices(settings, 1, rows, x.options())[0]);
  const Tensor y = empty({rows, c.dim});
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "floyd_block", [&] {
    auto arrays = make_arrays<scalar_t>(settings, in, *states);
    const Tensor packed = empty({kernels::packed_weights_size(arrays)});
    kernels::pack_weights(arrays, /*backward=*/false, packed.data_ptr<scalar_t>());
    arrays.packed = packed.data_ptr<scalar_t>();
    arrays.y = y.data_ptr<scalar_t>();
    const auto heads = head_views<scalar_t>(qkv, settings.attention, states->attention);
    if (!runs_by_groups(settings, heads)) {
      for_rows(rows, [&](Range range) { kernels::forward_inputs(arrays, range); });
      timed(kAttentionPart, [&] { run_forward(heads); });
      for_rows(rows, [&](Range range) { kernels::forward_outputs(arrays, range); });
      return;
    }
    const auto groups = graph_groups<scalar_t>(settings);
    run_tasks(static_cast<int64_t>(groups.size()), [&](int64_t g) {
      const GraphGroup& group = groups[g];
      timed(kMapsPart, [&] { kernels::forward_inputs(arrays, group.rows); });
      timed(kAttentionPart, [&] {
        run_lanes<scalar_t>(heads.data() + group.graphs.begin * c.heads, nullptr,
                            (group.graphs.end - group.graphs.begin) * c.heads);
      });
      timed(kMapsPart, [&] { kernels::forward_outputs(arrays, group.rows); });
    });
  });
  return y;
}

void backward_block(const BlockSettings& settings, const BlockTensors& in,
                    const BlockStates& states, const Tensor& dy, BlockTensors* grads) {
  AT_DISPATCH_FLOATING_TYPES(in[kStates].scalar_type(), "floyd_block_backward", [&] {
    BlockBackward<scalar_t>(settings, in, states, dy, grads).run();
  });
}

}  // namespace floydnet
