#include "tasks/tsp/edge_model.h"

#include <torch/torch.h>

#include "tasks/tsp/edges/features.h"

namespace floydnet::tsp {
namespace {

using torch::Tensor;

ModelConfig with_ends(ModelConfig config, const EdgeModelOptions& options) {
  config.order = 2;
  config.adjacency = false;
  config.supernode = false;
  const bool has_numbers = options.encoding == Encoding::kNumbers;
  const bool is_diffusion = options.mode == Mode::kDiffusion;
  config.pair_reals = (has_numbers ? kEdgeFeatures : 0) + (is_diffusion ? 1 : 0);
  config.pair_categories = {};
  if (!has_numbers) config.pair_categories = {kPublishedCategories};
  config.graph_reals = is_diffusion ? config.dim : 0;
  config.pair_outputs = 1;
  return config;
}

}  // namespace

EdgeModelImpl::EdgeModelImpl(const ModelConfig& blocks, const EdgeModelOptions& options)
    : options_(options) {
  net_ = register_module("net", FloydNet(with_ends(blocks, options)));
}

EdgeModelImpl::EdgeModelImpl(FloydNet published)
    : options_{Mode::kDiffusion, Encoding::kCategories, EdgeLoss::kSquared, false} {
  net_ = register_module("net", std::move(published));
}

EdgeBatch EdgeModelImpl::batch(const std::vector<const Instance*>& instances) const {
  EdgeBatch batch;
  std::vector<int64_t> transposed, instance_of, categories;
  std::vector<float> numbers;
  for (size_t b = 0; b < instances.size(); ++b) {
    const int64_t n = instances[b]->cities(), first = static_cast<int64_t>(transposed.size());
    batch.graphs.sizes.push_back(n);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) transposed.push_back(first + j * n + i);
    }
    instance_of.resize(transposed.size(), static_cast<int64_t>(b));
    if (options_.encoding == Encoding::kNumbers) {
      const std::vector<float> own = edge_features(*instances[b]);
      numbers.insert(numbers.end(), own.begin(), own.end());
    } else {
      const std::vector<int64_t> own = edge_categories(*instances[b]);
      categories.insert(categories.end(), own.begin(), own.end());
    }
  }
  const auto pairs = static_cast<int64_t>(transposed.size());
  batch.transposed = torch::tensor(transposed, torch::kInt64);
  batch.instance = torch::tensor(instance_of, torch::kInt64);
  if (options_.encoding == Encoding::kNumbers) {
    batch.graphs.pair_reals = torch::tensor(numbers).view({pairs, kEdgeFeatures});
  } else {
    batch.graphs.pair_categories = torch::tensor(categories, torch::kInt64).view({pairs, 1});
  }
  return batch;
}

Tensor EdgeModelImpl::forward(const EdgeBatch& batch, const Tensor& noisy, const Tensor& alpha) {
  GraphBatch graphs = batch.graphs;
  if (options_.mode == Mode::kDiffusion) {
    const Tensor column = noisy.unsqueeze(1);
    graphs.pair_reals =
        graphs.pair_reals.defined() ? torch::cat({graphs.pair_reals, column}, 1) : column;
    graphs.graph_reals = diffusion_time_embedding(alpha, config().dim);
  }
  const Tensor out = net_->forward(graphs).pair.squeeze(1);
  return options_.symmetric ? (out + out.index_select(0, batch.transposed)) / 2 : out;
}

Tensor EdgeModelImpl::estimate(const EdgeBatch& batch, const Tensor& noisy, const Tensor& alpha) {
  const Tensor out = forward(batch, noisy, alpha);
  return options_.loss == EdgeLoss::kCrossEntropy ? torch::sigmoid(out) : out;
}

Tensor EdgeModelImpl::noise_like(const EdgeBatch& batch, const Tensor& noise) const {
  if (!options_.symmetric) return noise;
  const Tensor is_upper = torch::arange(noise.size(0)) <= batch.transposed;
  return torch::where(is_upper, noise, noise.index_select(0, batch.transposed));
}

Tensor EdgeModelImpl::loss_sum(const EdgeBatch& batch, const Tensor& edges) {
  const auto instances = static_cast<int64_t>(batch.graphs.sizes.size());
  Tensor noisy, alpha;
  if (options_.mode == Mode::kDiffusion) {
    alpha = alpha_bar(draw_times(instances));
    const Tensor rate = alpha.index_select(0, batch.instance);
    const Tensor noise = noise_like(batch, torch::randn_like(edges));
    noisy = rate.sqrt() * edges + (1 - rate).sqrt() * noise;
  }
  const Tensor out = forward(batch, noisy, alpha);
  const Tensor costs =
      options_.loss == EdgeLoss::kSquared
          ? (out - edges).square()
          : torch::binary_cross_entropy_with_logits(out, edges, {}, {}, at::Reduction::None);
  const Tensor cities = torch::tensor(batch.graphs.sizes, torch::kFloat32);
  return (costs / cities.index_select(0, batch.instance)).sum();
}

Tensor tour_edges(const std::vector<Tour>& tours) {
  std::vector<float> edges;
  for (const Tour& tour : tours) {
    const size_t n = tour.size(), first = edges.size();
    edges.resize(first + n * n, 0);
    for (size_t p = 0; p < n; ++p) {
      const auto u = static_cast<size_t>(tour[p]), v = static_cast<size_t>(tour[(p + 1) % n]);
      edges[first + u * n + v] = edges[first + v * n + u] = 1;
    }
  }
  return torch::tensor(edges);
}

}  // namespace floydnet::tsp
