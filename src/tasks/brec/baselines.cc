#include "tasks/brec/baselines.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/torch.h>

#include <cmath>

#include "tasks/brec/relabelled.h"
#include "tasks/brec/rpc.h"

namespace floydnet::brec {
namespace {

using torch::Tensor;

/// x' = tanh(x W + M x W'), where M sums over neighbours, scaled so that tanh is not saturated
/// (GIN), or averages by attention.
class NodeNetwork : public Embedder {
 public:
  explicit NodeNetwork(const EmbedOptions& options) : options_(options) {
    torch::NoGradGuard no_grad;
    at::Generator random = at::detail::createCPUGenerator(options.seed);
    const double spread = 1 / std::sqrt(static_cast<double>(options.dim));
    const auto matrix = [&](int64_t in, int64_t out, double deviation) {
      return torch::empty({in, out}, torch::kFloat64).normal_(0, deviation, random);
    };
    init_ = matrix(1 + options.node_reals, options.dim, 1);
    for (int64_t layer = 0; layer < options.depth; ++layer) {
      Layer made;
      for (Tensor* weight : {&made.self, &made.q, &made.k, &made.v}) {
        *weight = matrix(options.dim, options.dim, spread);
      }
      layers_.push_back(made);
    }
    readout_ = matrix(options.depth * options.dim, kEmbeddingWidth, 1);
  }

  std::unique_ptr<GraphCopies> prepare(const Graph& graph) override {
    return embed_relabelled(
        graph, 0,  // next to nothing
        [this](const std::vector<Graph>& copies, int64_t depth) { return embed(copies, depth); });
  }

 private:
  struct Layer {
    Tensor self, q, k, v;
  };

  Tensor embed(const std::vector<Graph>& graphs, int64_t depth) const {
    torch::NoGradGuard no_grad;
    const auto count = static_cast<int64_t>(graphs.size());
    const int64_t n = graphs.at(0).nodes();
    const Tensor adjacency = torch::empty({count, n, n}, torch::kFloat64);
    const Tensor inputs = torch::ones({count, n, 1 + options_.node_reals}, torch::kFloat64);
    for (int64_t g = 0; g < count; ++g) {
      const std::vector<uint8_t> edges = graphs[g].adjacency();
      std::copy(edges.begin(), edges.end(), adjacency[g].data_ptr<double>());
      if (options_.node_reals == 0) continue;
      const FeatureTable& features = graphs[g].node_features;
      inputs[g]
          .narrow(1, 1, options_.node_reals)
          .copy_(torch::tensor(features.reals, torch::kFloat64).view({n, options_.node_reals}));
    }
    Tensor x = inputs.matmul(init_).tanh();
    std::vector<Tensor> means;
    for (int64_t i = 0; i < depth; ++i) {
      const Layer& layer = layers_[static_cast<size_t>(i)];
      const Tensor weights = options_.model == ModelKind::kGin ? adjacency / std::sqrt(double(n))
                                                               : attention(x, adjacency, layer);
      x = (x.matmul(layer.self) + weights.matmul(x.matmul(layer.v))).tanh();
      means.push_back(x.mean(1));
    }
    return torch::cat(means, 1).matmul(readout_.narrow(0, 0, depth * options_.dim));
  }

  Tensor attention(const Tensor& x, const Tensor& adjacency, const Layer& layer) const {
    const double scale = options_.sharpness / std::sqrt(static_cast<double>(options_.dim));
    const Tensor logits = x.matmul(layer.q).matmul(x.matmul(layer.k).transpose(1, 2)) * scale;
    return (logits + adjacency).softmax(2);
  }

  EmbedOptions options_;
  Tensor init_, readout_;
  std::vector<Layer> layers_;
};

}  // namespace

std::unique_ptr<Embedder> make_baseline(const EmbedOptions& options) {
  return std::make_unique<NodeNetwork>(options);
}

}  // namespace floydnet::brec
