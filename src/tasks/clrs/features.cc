#include "tasks/clrs/features.h"

#include <torch/torch.h>

#include <algorithm>

#include "base/require.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

constexpr double kPointersOfUnit = 8;  // so that the least sharpness tells one from the next

bool holds_indices(const Probe& probe) {
  return probe.type == Type::kPointer || probe.type == Type::kShouldBePermutation;
}

/// Whether values are rows over the nodes once indices are one-hot.
bool is_matrix_of_pointers(const Probe& probe) {
  return holds_indices(probe) || probe.type == Type::kPermutationPointer;
}

Tensor tensor_of(const Probe& probe, const Batch& batch, const std::vector<double>& values) {
  std::vector<int64_t> shape = probe.shape(batch.nodes);
  shape.insert(shape.begin(), batch.samples);
  if (probe.stage == Stage::kHint) shape.insert(shape.begin(), batch.snapshots);
  const auto type = holds_indices(probe) ? torch::kInt64 : torch::kFloat32;
  // from_blob wants a pointer to non-const; the conversion makes a copy.
  return torch::from_blob(const_cast<double*>(values.data()), shape, torch::kFloat64).to(type);
}

/// The columns of a probe at a location, [samples, ..., columns].
Tensor columns_of(const Probe& probe, const Tensor& values) {
  return probe.type == Type::kCategorical ? values : values.unsqueeze(-1);
}

/// [samples, n, n, n] over (i, j, k) -> the parts that point to k, as features of (j, k) and (i,
/// k).
Tensor edge_pointer_columns(const Tensor& pointers) {
  return torch::stack({pointers.mean(1), pointers.mean(2)}, -1);
}

/// Numbers that nodes can be compared by: their own, or one that the graph gives to all of them.
bool is_number(const Probe& probe) {
  return probe.type == Type::kScalar && probe.location != Location::kEdge;
}

/// [samples, n] each -> [samples, n, n, columns]: every number of i beside every number of j.
Tensor comparisons(const std::vector<Tensor>& numbers, const std::vector<int64_t>& sharpness) {
  const Tensor x = torch::stack(numbers, 2);  // [samples, n, numbers]
  const Tensor differences = (x.unsqueeze(2).unsqueeze(4) - x.unsqueeze(1).unsqueeze(3)).flatten(3);
  std::vector<Tensor> columns;
  for (const int64_t c : sharpness) columns.push_back((differences * c).tanh());
  return torch::cat(columns, 3);
}

/// [samples, n] each -> [samples, n, n]: the sums of x over the nodes from i to j, as positions
/// order them.
Tensor sums_between(const Tensor& x, const Tensor& positions) {
  const Tensor order = positions.argsort(int64_t{1});
  const Tensor up_to = torch::zeros_like(x).scatter(1, order, x.gather(1, order).cumsum(1));
  return up_to.unsqueeze(1) - (up_to - x).unsqueeze(2);
}

/// A number of steps or nodes.
bool is_count(const Probe& probe) {
  return probe.stage == Stage::kInput && probe.location == Location::kNode &&
         probe.type == Type::kScalar && probe.dtype == Dtype::kInt64;
}

bool is_node_pointer(const Probe& probe) {
  return probe.location == Location::kNode && holds_indices(probe);
}

bool is_mark(const Probe& probe) {
  return probe.location == Location::kNode && probe.type == Type::kMaskOne;
}

bool is_category(const Probe& probe) {
  return probe.location == Location::kNode && probe.type == Type::kCategorical;
}

/// [samples, n, n], one-hot -> [samples, n]: how many pointers it takes to a node that points to
/// itself. Each round doubles what has been passed.
Tensor chain_depths(const Tensor& pointers) {
  Tensor to = pointers.argmax(2);
  Tensor depths = (to != torch::arange(to.size(1))).to(torch::kFloat32);
  for (int64_t passed = 1; passed < to.size(1); passed *= 2) {
    depths = depths + depths.gather(1, to);
    to = to.gather(1, to);
  }
  return depths;
}

/// Appends a SuperNode without features to the `axes` axes after the first.
Tensor with_supernode(const Tensor& x, int64_t axes) {
  return torch::constant_pad_nd(
      x, axes == 1 ? std::vector<int64_t>{0, 0, 0, 1} : std::vector<int64_t>{0, 0, 0, 1, 0, 1});
}

/// [1, m, m, 1 or 3]: [i = j], and with a SuperNode [i = s] and [j = s].
Tensor indicators(int64_t m, bool supernode) {
  const Tensor equal = torch::eye(m).unsqueeze(2);
  if (!supernode) return equal.unsqueeze(0);
  const Tensor last = (torch::arange(m) == m - 1).to(torch::kFloat32);
  return torch::cat({equal, last.view({m, 1, 1}).expand({m, m, 1}),
                     last.view({1, m, 1}).expand({m, m, 1})},
                    2)
      .unsqueeze(0);
}

}  // namespace

BatchTensors to_tensors(const Spec& spec, const Batch& batch) {
  BatchTensors result;
  result.samples = batch.samples;
  result.nodes = batch.nodes;
  result.steps = batch.steps;
  result.sample_steps = torch::tensor(batch.sample_steps, torch::kInt64);
  result.values.resize(spec.probes.size());
  for (size_t p = 0; p < spec.probes.size(); ++p) {
    if (batch.values[p].empty()) continue;
    result.values[p] = tensor_of(spec.probes[p], batch, batch.values[p]);
  }
  return result;
}

Tensor with_one_hot_pointers(const Probe& probe, const Tensor& values, int64_t nodes) {
  return holds_indices(probe) ? torch::one_hot(values, nodes).to(torch::kFloat32) : values;
}

PairFeatures::PairFeatures(std::vector<Probe> probes, FeatureRule rule)
    : probes_(std::move(probes)), rule_(std::move(rule)) {
  for (const Probe& probe : probes_) {
    const bool pointer = is_matrix_of_pointers(probe);
    if (is_number(probe) || has_depth(probe)) ++numbers_;
    if (has_sums(probe)) ++summed_;
    switch (probe.location) {
      case Location::kNode:
        (pointer ? edge_columns_ : node_columns_) += probe.width();
        break;
      case Location::kEdge:
        edge_columns_ += pointer ? 2 : probe.width();
        break;
      case Location::kGraph:
        require(!pointer, "CLRS: '{}' is a pointer of the graph, which no algorithm has",
                probe.name);
        graph_columns_ += probe.width();
        break;
    }
  }
  if (rule_.equal_categories) {
    equalities_ = std::count_if(probes_.begin(), probes_.end(), is_category);
  }
  if (!rule_.marked_pointers) return;
  const auto pointers = std::count_if(probes_.begin(), probes_.end(), is_node_pointer);
  node_columns_ += 2 * pointers * std::count_if(probes_.begin(), probes_.end(), is_mark);
}

bool PairFeatures::has_depth(const Probe& probe) const {
  return rule_.chain_depths && probe.stage == Stage::kInput && is_node_pointer(probe);
}

bool PairFeatures::has_sums(const Probe& probe) const {
  return rule_.running_sums && probe.stage == Stage::kInput && probe.location == Location::kNode &&
         is_number(probe) && !is_count(probe) && !is_position(probe);
}

std::vector<Tensor> PairFeatures::marked_pointer_columns(const std::vector<Tensor>& values) const {
  std::vector<Tensor> columns;
  for (size_t p = 0; p < probes_.size() && rule_.marked_pointers; ++p) {
    if (!is_node_pointer(probes_[p])) continue;
    for (size_t m = 0; m < probes_.size(); ++m) {
      if (!is_mark(probes_[m])) continue;
      const Tensor mark = values[m].unsqueeze(2);  // [samples, n, 1]
      columns.push_back(torch::bmm(values[p], mark));
      columns.push_back(torch::bmm(values[p].transpose(1, 2), mark));
    }
  }
  return columns;
}

Tensor PairFeatures::sum_columns(const std::vector<Tensor>& values) const {
  const auto positions = std::find_if(probes_.begin(), probes_.end(), is_position);
  std::vector<Tensor> columns;
  for (size_t p = 0; p < probes_.size(); ++p) {
    if (!has_sums(probes_[p])) continue;
    const Tensor sums = sums_between(values[p], values[positions - probes_.begin()]);
    for (const int64_t c : rule_.sharpness) {
      columns.push_back((sums * c).tanh());
      columns.push_back(columns.back().transpose(1, 2));
    }
  }
  return torch::stack(columns, 3);
}

int64_t PairFeatures::columns() const {
  const int64_t compared =
      (numbers_ * numbers_ + 2 * summed_) * static_cast<int64_t>(rule_.sharpness.size());
  return 2 * node_columns_ + 2 * edge_columns_ + graph_columns_ + compared + equalities_ +
         (rule_.supernode ? 3 : 1);
}

Tensor PairFeatures::operator()(const std::vector<Tensor>& given, int64_t samples,
                                int64_t nodes) const {
  require(given.size() == probes_.size(), "CLRS: {} arrays for {} probes", given.size(),
          probes_.size());
  std::vector<Tensor> values = given;
  for (size_t p = 0; p < probes_.size() && rule_.relative_counts; ++p) {
    if (is_count(probes_[p])) values[p] = values[p] / static_cast<double>(nodes);
  }
  std::vector<Tensor> node_parts, edge_parts, graph_parts, numbers, equalities;
  for (size_t p = 0; p < probes_.size(); ++p) {
    const Probe& probe = probes_[p];
    const bool pointer = is_matrix_of_pointers(probe);
    if (is_number(probe)) numbers.push_back(values[p].view({samples, -1}).expand({samples, nodes}));
    if (equalities_ > 0 && is_category(probe)) {
      equalities.push_back(torch::bmm(values[p], values[p].transpose(1, 2)).unsqueeze(3));
    }
    if (has_depth(probe)) numbers.push_back(chain_depths(values[p]) / kPointersOfUnit);
    if (probe.location == Location::kEdge && pointer) {
      edge_parts.push_back(edge_pointer_columns(values[p]));
    } else if (probe.location == Location::kEdge || pointer) {
      edge_parts.push_back(columns_of(probe, values[p]));
    } else {
      auto& parts = probe.location == Location::kNode ? node_parts : graph_parts;
      parts.push_back(columns_of(probe, values[p]));
    }
  }
  for (const Tensor& column : marked_pointer_columns(values)) node_parts.push_back(column);
  const int64_t m = nodes + (rule_.supernode ? 1 : 0);
  std::vector<Tensor> columns;
  const auto add = [&](const Tensor& part) {
    columns.push_back(part.expand({samples, m, m, part.size(3)}));
  };
  if (!node_parts.empty()) {
    Tensor x = torch::cat(node_parts, 2);
    if (rule_.supernode) x = with_supernode(x, 1);
    add(x.unsqueeze(2));
    add(x.unsqueeze(1));
  }
  if (!edge_parts.empty()) {
    Tensor e = torch::cat(edge_parts, 3);
    if (rule_.supernode) e = with_supernode(e, 2);
    add(e);
    add(e.transpose(1, 2));
  }
  if (!graph_parts.empty()) add(torch::cat(graph_parts, 1).view({samples, 1, 1, -1}));
  if (!numbers.empty() && !rule_.sharpness.empty()) {
    const Tensor compared = comparisons(numbers, rule_.sharpness);
    add(rule_.supernode ? with_supernode(compared, 2) : compared);
  }
  if (summed_ > 0 && !rule_.sharpness.empty()) {
    const Tensor sums = sum_columns(values);
    add(rule_.supernode ? with_supernode(sums, 2) : sums);
  }
  for (const Tensor& equal : equalities) add(rule_.supernode ? with_supernode(equal, 2) : equal);
  add(indicators(m, rule_.supernode));
  return torch::cat(columns, 3);
}

}  // namespace floydnet::clrs
