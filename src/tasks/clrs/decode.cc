#include "tasks/clrs/decode.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <cmath>

#include "base/part_times.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

// The benchmark's constants.
constexpr double kTemperature = 0.1;
constexpr int64_t kDecoderIterations = 10, kSoftIterations = 25, kHardIterations = 50;
constexpr double kDiagonalPenalty = 1e6;
constexpr double kTiny = 1e-12;

bool is_pointer(const Probe& probe) {
  return probe.type == Type::kPointer || probe.type == Type::kPermutationPointer;
}

bool is_edge_pointer(const Probe& probe) {
  return probe.location == Location::kEdge && is_pointer(probe);
}

/// Pointers of nodes and all that belongs to pairs: one column read at (i, j), one at (j, i).
bool is_read_from_pairs(const Probe& probe) {
  return probe.location == Location::kEdge || is_pointer(probe);
}

/// A single column needs no axis of its own.
Tensor shaped(const Probe& probe, const Tensor& columns) {
  return probe.type == Type::kCategorical ? columns : columns.squeeze(-1);
}

Tensor one_hot_like(const Tensor& logits) {
  return torch::one_hot(logits.argmax(-1), logits.size(-1)).to(logits.scalar_type());
}

}  // namespace

DecoderImpl::DecoderImpl(std::vector<Probe> probes, int64_t dim, NodeReadout readout)
    : probes_(std::move(probes)), readout_(readout) {
  int64_t node = 0, pair = 0, graph = 0;
  for (const Probe& probe : probes_) {
    if (is_edge_pointer(probe)) {
      const std::string name = fmt::format("pointer{}_", edge_pointers_.size());
      first_column_.push_back(static_cast<int64_t>(edge_pointers_.size()));
      edge_pointers_.push_back({register_module(name + "query", torch::nn::Linear(dim, dim)),
                                register_module(name + "left", torch::nn::Linear(dim, dim)),
                                register_module(name + "right", torch::nn::Linear(dim, dim))});
      continue;
    }
    int64_t& columns = is_read_from_pairs(probe)           ? pair
                       : probe.location == Location::kNode ? node
                                                           : graph;
    first_column_.push_back(columns);
    columns += (is_read_from_pairs(probe) ? 2 : 1) * probe.width();
  }
  const int64_t node_dim = readout == NodeReadout::kSuperNode ? 3 * dim : 5 * dim;
  const int64_t graph_dim = readout == NodeReadout::kSuperNode ? dim : 2 * node_dim;
  if (node > 0) node_ = register_module("node", torch::nn::Linear(node_dim, node));
  if (pair > 0) pair_ = register_module("pair", torch::nn::Linear(dim, pair));
  if (graph > 0) graph_ = register_module("graph", torch::nn::Linear(graph_dim, graph));
}

Tensor DecoderImpl::node_states(const Tensor& states, int64_t nodes) const {
  const Tensor diagonal = states.diagonal(0, 1, 2).transpose(1, 2).narrow(1, 0, nodes);
  if (readout_ == NodeReadout::kSuperNode) {
    return torch::cat({states.select(2, nodes).narrow(1, 0, nodes),
                       states.select(1, nodes).narrow(1, 0, nodes), diagonal},
                      2);
  }
  return torch::cat({states.mean(2), states.amax(2), states.mean(1), states.amax(1), diagonal}, 2);
}

Tensor DecoderImpl::graph_states(const Tensor& states, int64_t nodes) const {
  if (readout_ == NodeReadout::kSuperNode) return states.select(2, nodes).select(1, nodes);
  const Tensor of_nodes = node_states(states, nodes);
  return torch::cat({of_nodes.mean(1), of_nodes.amax(1)}, 1);
}

Tensor DecoderImpl::edge_pointer(EdgePointer& maps, const Tensor& states, int64_t nodes) {
  const auto mapped = [&](torch::nn::Linear& map) {
    return map(states).narrow(1, 0, nodes).narrow(2, 0, nodes);
  };
  const Tensor q_ij = mapped(maps.query) / std::sqrt(static_cast<double>(states.size(3)));
  const Tensor l_ik = mapped(maps.left), r_kj = mapped(maps.right);
  // For a given i, a product over (j, k); for a given j, one over (i, k).
  const Tensor left = torch::matmul(q_ij, l_ik.transpose(2, 3));
  const Tensor right =
      torch::matmul(q_ij.transpose(1, 2), r_kj.permute({0, 2, 3, 1})).transpose(1, 2);
  return left + right;
}

std::vector<Tensor> DecoderImpl::forward(const Tensor& states, int64_t nodes) {
  const TimedPart part("readout, forward");
  Tensor node, pair, transposed, graph;
  if (node_) node = node_(node_states(states, nodes));
  if (graph_) graph = graph_(graph_states(states, nodes));
  if (pair_) {
    pair = pair_(states).narrow(1, 0, nodes).narrow(2, 0, nodes);
    transposed = pair.transpose(1, 2);
  }
  std::vector<Tensor> logits;
  for (size_t p = 0; p < probes_.size(); ++p) {
    const Probe& probe = probes_[p];
    const int64_t first = first_column_[p], columns = probe.width();
    if (is_edge_pointer(probe)) {
      logits.push_back(edge_pointer(edge_pointers_[first], states, nodes));
      continue;
    }
    if (!is_read_from_pairs(probe)) {
      const Tensor& from = probe.location == Location::kNode ? node : graph;
      logits.push_back(shaped(probe, from.narrow(-1, first, columns)));
      continue;
    }
    const Tensor sum =
        pair.narrow(3, first, columns) + transposed.narrow(3, first + columns, columns);
    logits.push_back(shaped(probe, sum));
    if (probe.type == Type::kPermutationPointer) {
      logits.back() = log_sinkhorn(logits.back(), kDecoderIterations, kTemperature, is_training());
    }
  }
  return logits;
}

Tensor log_sinkhorn(const Tensor& logits, int64_t iterations, double temperature, bool noise) {
  Tensor x = logits;
  if (noise) x = x - (-(torch::rand_like(x) + kTiny).log() + kTiny).log();
  x = x / temperature - kDiagonalPenalty * torch::eye(x.size(-1), x.options());
  for (int64_t i = 0; i < iterations; ++i) x = x.log_softmax(-1).log_softmax(-2);
  return x;
}

Tensor soft_prediction(const Probe& probe, const Tensor& logits) {
  switch (probe.type) {
    case Type::kScalar:
      return logits;
    case Type::kMask:
      return logits.sigmoid();
    case Type::kPermutationPointer:
      return log_sinkhorn(logits, kSoftIterations, kTemperature, false).exp();
    default:
      return logits.softmax(-1);
  }
}

Tensor hard_prediction(const Probe& probe, const Tensor& logits) {
  switch (probe.type) {
    case Type::kScalar:
      return logits;
    case Type::kMask:
      return (logits > 0).to(logits.scalar_type());
    case Type::kMaskOne:
    case Type::kCategorical:
      return one_hot_like(logits);
    case Type::kPermutationPointer:
      return log_sinkhorn(logits, kHardIterations, kTemperature, false).argmax(-1);
    default:
      return logits.argmax(-1);
  }
}

}  // namespace floydnet::clrs
