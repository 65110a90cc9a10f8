#include "model/readout.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace floydnet {
namespace {

using torch::Tensor;

std::shared_ptr<MlpImpl> make_head(const ModelConfig& config, int64_t inputs, int64_t outputs) {
  std::vector<int64_t> widths(config.head_layers, config.ffn_ratio * config.dim);
  widths.front() = inputs;
  widths.push_back(outputs);
  return std::make_shared<MlpImpl>(widths, config.activation);
}

}  // namespace

ReadoutHeadsImpl::ReadoutHeadsImpl(const ModelConfig& config) : config_(config) {
  const auto add = [&](const char* name, int64_t states, int64_t outputs,
                       std::shared_ptr<MlpImpl>& head) {
    if (outputs > 0) head = register_module(name, make_head(config, states * config.dim, outputs));
  };
  const int64_t states = config.readout == Readout::kDiagonal ? 2 : 1;
  add("graph", states, config.graph_outputs, graph_);
  add("node", states, config.node_outputs, node_);
  add("pair", 1, config.pair_outputs, pair_);
}

/// Sums over some coordinates, divided as `readout_nodes` says.
Tensor ReadoutHeadsImpl::scaled(const Tensor& sums, size_t coordinates) const {
  if (!config_.readout_nodes) return sums;
  return sums / std::pow(*config_.readout_nodes, coordinates);
}

/// Sum or mean over all coordinates of states, [n, ..., n, dim], but the kept ones.
Tensor ReadoutHeadsImpl::pooled(const Tensor& states, std::vector<int64_t> kept) const {
  std::vector<int64_t> summed;
  for (int64_t c = 0; c < config_.order; ++c) {
    if (std::find(kept.begin(), kept.end(), c) == kept.end()) summed.push_back(c);
  }
  if (summed.empty()) return states;
  const bool mean = config_.readout == Readout::kMean && states.numel() > 0;  // 0 for no nodes
  return mean ? states.mean(summed) : scaled(states.sum(summed), summed.size());
}

/// The states of tuples (i, ..., i), [nodes, dim], without the SuperNode's.
Tensor ReadoutHeadsImpl::diagonal(const Tensor& states, int64_t n) const {
  int64_t step = 0;
  for (int64_t c = 0; c < config_.order; ++c) step = step * n + 1;
  const int64_t real_nodes = n - (config_.supernode ? 1 : 0);
  return states.reshape({-1, config_.dim}).slice(0, 0, real_nodes * step, step);
}

Tensor ReadoutHeadsImpl::graph_state(const Tensor& states, int64_t n) const {
  if (config_.readout == Readout::kDiagonal) {
    const Tensor of_nodes = diagonal(states, n).sum(c10::IntArrayRef{0});
    return torch::cat({scaled(of_nodes, 1), pooled(states, {})});
  }
  if (config_.readout != Readout::kSuperNode) return pooled(states, {});
  Tensor state = states;
  for (int64_t c = 0; c < config_.order; ++c) state = state.select(0, n - 1);
  return state;
}

Tensor ReadoutHeadsImpl::node_states(const Tensor& states, int64_t n) const {
  const int64_t real_nodes = n - (config_.supernode ? 1 : 0);
  if (config_.readout == Readout::kSuperNode) {
    Tensor state = states.narrow(0, 0, real_nodes);
    for (int64_t c = 1; c < config_.order; ++c) state = state.select(1, n - 1);
    return state;
  }
  Tensor sum = pooled(states, {0});
  for (int64_t c = 1; c < config_.order; ++c) sum = sum + pooled(states, {c});
  if (config_.readout == Readout::kMean) sum = sum / static_cast<double>(config_.order);
  sum = sum.narrow(0, 0, real_nodes);
  if (config_.readout == Readout::kDiagonal) sum = torch::cat({diagonal(states, n), sum}, 1);
  return sum;
}

Tensor ReadoutHeadsImpl::pair_states(const Tensor& states, int64_t n) const {
  const int64_t real_nodes = n - (config_.supernode ? 1 : 0);
  Tensor sum;
  if (config_.readout == Readout::kSuperNode) {
    sum = states;
    for (int64_t c = 2; c < config_.order; ++c) sum = sum.select(2, n - 1);
  } else {
    int64_t terms = 0;
    for (int64_t a = 0; a < config_.order; ++a) {
      for (int64_t b = a + 1; b < config_.order; ++b, ++terms) {
        const Tensor term = pooled(states, {a, b});
        sum = sum.defined() ? sum + term : term;
      }
    }
    if (config_.readout == Readout::kMean) sum = sum / static_cast<double>(terms);
  }
  return sum.narrow(0, 0, real_nodes).narrow(1, 0, real_nodes).reshape({-1, config_.dim});
}

Predictions ReadoutHeadsImpl::forward(const Tensor& states, const TupleLayout& layout,
                                      const GraphBatch& batch) {
  if (config_.readout_edges_only && !batch.adjacency.defined()) {
    throw std::invalid_argument("FloydNet: adjacency is absent, but only edges are to be read out");
  }
  std::vector<Tensor> graphs, nodes, pairs;
  int64_t first_pair = 0;
  for (int64_t graph = 0; graph < layout.graphs(); ++graph) {
    const int64_t n = layout.size(graph);
    const int64_t real_nodes = batch.sizes[graph];
    std::vector<int64_t> shape(config_.order, n);
    shape.push_back(config_.dim);
    Tensor own =
        states.narrow(0, layout.offset(graph), layout.offset(graph + 1) - layout.offset(graph))
            .view(shape);
    if (config_.readout_edges_only) {
      const Tensor edges = batch.adjacency.narrow(0, first_pair, real_nodes * real_nodes)
                               .view({real_nodes, real_nodes})
                               .to(own.scalar_type());
      own =
          own * torch::constant_pad_nd(edges, {0, n - real_nodes, 0, n - real_nodes}).unsqueeze(2);
    }
    first_pair += real_nodes * real_nodes;
    if (graph_) graphs.push_back(graph_state(own, n));
    if (node_) nodes.push_back(node_states(own, n));
    if (pair_) pairs.push_back(pair_states(own, n));
  }
  Predictions predictions;
  if (graph_) predictions.graph = graph_->forward(torch::stack(graphs));
  if (node_) predictions.node = node_->forward(torch::cat(nodes));
  if (pair_) {
    Tensor wanted = torch::cat(pairs);
    if (batch.wanted_pairs.defined()) wanted = wanted.index_select(0, batch.wanted_pairs);
    predictions.pair = pair_->forward(wanted);
  }
  return predictions;
}

}  // namespace floydnet
