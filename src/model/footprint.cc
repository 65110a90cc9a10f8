#include "model/footprint.h"

#include <cmath>
#include <numeric>

namespace floydnet {
namespace {

constexpr double kBytes = sizeof(float);
/// Values, gradients, two moments and the average.
constexpr double kCopiesInTraining = 5;

/// Numbers that a block makes for each tuple: queries, keys and values, what attention gives, both
/// sums, the feed-forward branch, and for small graphs the weights of all pivots.
double numbers_of_block(const ModelConfig& c, double nodes) {
  const auto d = static_cast<double>(c.dim), heads = static_cast<double>(c.heads);
  const double hidden = c.ffn ? d * static_cast<double>(c.ffn_ratio) : 0;
  const double weights = nodes <= 2 * d / heads ? heads * nodes : 0;
  return d * (4 + 2 * static_cast<double>(c.order)) + hidden + weights;
}

/// Gradients of the same.
double numbers_of_backward(const ModelConfig& c) {
  const auto d = static_cast<double>(c.dim);
  return d * (5 + 2 * static_cast<double>(c.order) +
              (c.ffn ? 2 * static_cast<double>(c.ffn_ratio) : 0));
}

}  // namespace

double least_parameters(const ModelConfig& c) {
  const auto d = static_cast<double>(c.dim), hidden = d * static_cast<double>(c.ffn_ratio);
  const auto columns = [](const std::vector<int64_t>& categories, int64_t reals) {
    return std::accumulate(categories.begin(), categories.end(), static_cast<double>(reals));
  };
  const auto head = [&](int64_t outputs) {
    if (outputs == 0) return 0.0;
    if (c.head_layers == 1) return d * static_cast<double>(outputs);
    return d * hidden + static_cast<double>(c.head_layers - 2) * hidden * hidden +
           hidden * static_cast<double>(outputs);
  };
  const double block =
      (2 + 2 * static_cast<double>(c.order)) * d * d + (c.ffn ? 2 * d * hidden : 0);
  return static_cast<double>(c.depth) * block + static_cast<double>(c.init_layers - 1) * d * d +
         d * (columns(c.node_categories, c.node_reals) + columns(c.pair_categories, c.pair_reals) +
              columns(c.graph_categories, c.graph_reals)) +
         head(c.graph_outputs) + head(c.node_outputs) + head(c.pair_outputs);
}

StateSize StateSize::of_graphs(const ModelConfig& config, double graphs, double nodes) {
  const double all = nodes + (config.supernode ? 1 : 0);
  return {graphs * std::pow(all, static_cast<double>(config.order)), all};
}

double evaluation_bytes(const ModelConfig& config, StateSize size) {
  return kBytes * (least_parameters(config) + size.rows * numbers_of_block(config, size.nodes));
}

double training_bytes(const ModelConfig& config, StateSize size, double passes) {
  const double blocks = static_cast<double>(config.depth) * passes;
  const double kept = config.recompute ? static_cast<double>(config.dim) * blocks +
                                             numbers_of_block(config, size.nodes)
                                       : numbers_of_block(config, size.nodes) * blocks;
  return kBytes * (kCopiesInTraining * least_parameters(config) +
                   size.rows * (kept + numbers_of_backward(config)));
}

}  // namespace floydnet
