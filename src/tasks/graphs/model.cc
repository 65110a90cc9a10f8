#include "tasks/graphs/model.h"

#include "tasks/graphs/node_net.h"

namespace floydnet::graphs {

using torch::Tensor;

GraphModelImpl::GraphModelImpl(const ModelConfig& config, const Schema& schema) : schema_(schema) {
  if (config.order > 1) {
    net_ = register_module("net", FloydNet(config));
    return;
  }
  node_net_ = register_module("net", std::make_shared<NodeNetImpl>(config, schema));
}

/// An edge without a direction is the mean of both.
Tensor GraphModelImpl::of_edges(const Tensor& pairs, const GraphInputs& inputs) const {
  const Tensor forth = pairs.narrow(0, 0, inputs.wanted_edges);
  if (schema_.directed) return forth;
  return (forth + pairs.narrow(0, inputs.wanted_edges, inputs.wanted_edges)) / 2;
}

std::vector<Tensor> GraphModelImpl::forward(const GraphInputs& inputs) {
  const Predictions found = node_net_ ? node_net_->forward(inputs) : net_->forward(inputs.batch);
  Tensor tables[4] = {found.graph, found.node, {}, {}};
  if (found.pair.defined()) {
    const int64_t edge_rows = inputs.wanted_edges * (schema_.directed ? 1 : 2);
    tables[static_cast<int>(Level::kEdge)] = of_edges(found.pair, inputs);
    tables[static_cast<int>(Level::kPair)] =
        found.pair.narrow(0, edge_rows, found.pair.size(0) - edge_rows);
  }
  // Outputs of edges and of pairs come from one head, those of edges first.
  int64_t next[4] = {0, 0, 0, 0};
  for (const Target& target : schema_.targets) {
    if (target.level == Level::kEdge) next[static_cast<int>(Level::kPair)] += target.outputs();
  }
  std::vector<Tensor> outputs;
  for (const Target& target : schema_.targets) {
    const int level = static_cast<int>(target.level);
    outputs.push_back(tables[level].narrow(1, next[level], target.outputs()));
    next[level] += target.outputs();
  }
  return outputs;
}

}  // namespace floydnet::graphs
