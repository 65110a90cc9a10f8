#include "tasks/brec/embed.h"

#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "floydnet/model.h"
#include "tasks/brec/baselines.h"
#include "tasks/brec/data/compressed.h"
#include "tasks/brec/relabelled.h"
#include "tasks/brec/rpc.h"

namespace floydnet::brec {
namespace {

using torch::Tensor;

constexpr double kEps = 1e-9;
/// Of one target, pivot and head, on one core with AVX2; for k = 4 mostly waiting for memory.
constexpr double kSecondsPerLookup = 6e-9;
constexpr double kSecondsPerProduct = 0.3e-9;  // and for each role and channel

double seconds_per_copy(const EmbedOptions& options, double lookups) {
  const auto products = static_cast<double>(options.order * options.dim);
  const auto times = static_cast<double>(options.depth * options.heads);
  return lookups * times * (kSecondsPerLookup + kSecondsPerProduct * products) / options.threads;
}

/// Evaluated on orbits.
class OrbitCopies : public GraphCopies {
 public:
  OrbitCopies(const EmbedOptions& options, OrbitNetwork network, Tensor readout)
      : options_(options), network_(std::move(network)), readout_(std::move(readout)) {}

  Tensor embed(int64_t count, uint64_t seed, int64_t depth) override {
    return torch::tensor(network_.means(count, seed, depth), torch::kFloat64)
        .view({count, -1})
        .matmul(readout_.narrow(0, 0, (1 + depth) * options_.dim));
  }
  double seconds_per_copy() const override {
    return brec::seconds_per_copy(options_, network_.lookups());
  }

 private:
  EmbedOptions options_;
  OrbitNetwork network_;
  Tensor readout_;
};

/// FloydBlocks without FFN, R' = Norm(R + PA(R)), where Norm gives every channel of every graph
/// mean 0 and variance 1 over the graph's tuples. (Statistics over a whole batch would mix the
/// copies.) The embedding is a random linear map of the means over tuples before each Norm, Init's
/// first: what all tuples have in common does not pass a Norm.
class FloydNetEmbedder : public Embedder {
 public:
  explicit FloydNetEmbedder(const EmbedOptions& options)
      : options_(options), init_(config_of(options, 0)) {
    at::Generator random = at::detail::createCPUGenerator(options.seed);
    torch::NoGradGuard no_grad;
    init_->to(torch::kFloat64);
    // Many features together would leave little of the edges.
    const double share =
        1 / std::sqrt(static_cast<double>(std::max<int64_t>(options.node_reals, 1)));
    for (const auto& item : init_->named_parameters()) {
      const bool of_features = item.key().find(".reals.") != std::string::npos;
      item.value().normal_(0, of_features ? share : 1, random);
    }
    const double spread = 1 / std::sqrt(static_cast<double>(options.dim));
    for (int64_t layer = 0; layer < options.depth; ++layer) {
      FloydBlock block(config_of(options, 1));
      block->to(torch::kFloat64);
      block->eval();
      for (Tensor& weight : block->parameters()) weight.normal_(0, spread, random);
      blocks_.push_back(block);
    }
    readout_ = torch::empty({(1 + options.depth) * options.dim, kEmbeddingWidth}, torch::kFloat64);
    readout_.normal_(0, 1, random);
    weights_ = frozen_weights();
  }

  std::unique_ptr<GraphCopies> prepare(const Graph& graph) override {
    if (options_.evaluation == Evaluation::kDense) {
      const double lookups = std::pow(static_cast<double>(graph.nodes()), options_.order + 1);
      return embed_relabelled(
          graph, seconds_per_copy(options_, lookups),
          [this](const std::vector<Graph>& copies, int64_t depth) { return embed(copies, depth); });
    }
    OrbitNetwork::Options options;
    options.always_compressed = options_.evaluation == Evaluation::kCompressed;
    options.threads = options_.threads;
    options.max_bytes = options_.max_bytes;
    return std::make_unique<OrbitCopies>(options_, OrbitNetwork(weights_, graph, options),
                                         readout_);
  }

 private:
  Tensor embed(const std::vector<Graph>& graphs, int64_t depth) {
    torch::NoGradGuard no_grad;
    const auto count = static_cast<int64_t>(graphs.size());
    const double rows = std::pow(static_cast<double>(graphs.at(0).nodes()), options_.order);
    const double width = static_cast<double>((6 + 2 * options_.order) * options_.dim);
    const double fit = static_cast<double>(options_.chunk_bytes) / (rows * width * sizeof(double));
    const int64_t step = std::clamp(static_cast<int64_t>(fit), int64_t{1}, count);
    std::vector<Tensor> parts;
    for (int64_t begin = 0; begin < count; begin += step) {
      const auto end = graphs.begin() + std::min(count, begin + step);
      parts.push_back(embed_chunk({graphs.begin() + begin, end}, depth));
    }
    return torch::cat(parts);
  }

  static ModelConfig config_of(const EmbedOptions& options, int64_t depth) {
    ModelConfig config;
    config.order = options.order;
    config.dim = options.dim;
    config.heads = options.heads;
    config.depth = depth;
    config.norm = NormKind::kNone;
    config.norm_position = NormPosition::kPost;
    config.ffn = false;
    config.zero_residual = false;
    config.init_layers = 1;
    config.node_reals = options.node_reals;
    config.scale = options.sharpness /
                   std::sqrt(static_cast<double>(options.dim) / static_cast<double>(options.heads));
    return config;
  }

  FrozenWeights frozen_weights() {
    const auto values = [](const Tensor& tensor) {
      const Tensor flat = tensor.contiguous();
      return std::vector<double>(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
    };
    const ModelConfig& config = init_->config();
    FrozenWeights weights;
    weights.order = static_cast<int>(config.order);
    weights.dim = config.dim;
    weights.heads = config.heads;
    weights.scale = *config.scale;
    weights.norm_eps = kEps;
    weights.residual = options_.residual;
    const auto init = init_->named_parameters();
    weights.bias = values(init["init.bias"]);
    weights.equality = values(init["init.equality"]);
    for (int a = 0; a < weights.order; ++a) {
      if (const Tensor* w = init.find(fmt::format("init.node{}.reals.weight", a))) {
        weights.nodes.push_back(values(*w));
      }
      for (int b = 0; b < weights.order; ++b) {
        const Tensor* table = init.find(fmt::format("init.pair{}{}.category0.weight", a, b));
        if (table != nullptr) weights.pairs.push_back({a, b, values(*table)});
      }
    }
    for (FloydBlock& block : blocks_) {
      const auto its = block->named_parameters();
      weights.blocks.push_back({values(its["qkv.weight"]), values(its["proj.weight"])});
    }
    return weights;
  }

  Tensor embed_chunk(const std::vector<Graph>& graphs, int64_t depth) {
    const GraphBatch batch = make_batch(graphs, torch::kFloat64);
    const TupleLayout layout = init_->layout(batch.sizes);
    const auto count = static_cast<int64_t>(graphs.size());
    Tensor states = init_->states(batch);
    std::vector<Tensor> means;
    // Subtracts the means over each graph's tuples and divides by the standard deviations.
    const auto normalised = [&](const Tensor& x) {
      const Tensor by_graph = x.view({count, -1, options_.dim});
      const Tensor mean = by_graph.mean(1, true);
      means.push_back(mean.squeeze(1));
      const Tensor centred = by_graph - mean;
      const Tensor variance = centred.square().mean(1, true);
      return centred.mul_((variance + kEps).rsqrt_()).view({-1, options_.dim});
    };
    states = normalised(states);
    for (int64_t layer = 0; layer < depth; ++layer) {
      Tensor next = blocks_[static_cast<size_t>(layer)]->forward(states, layout);
      if (!options_.residual) next -= states;
      states = normalised(next);
    }
    return torch::cat(means, 1).matmul(readout_.narrow(0, 0, (1 + depth) * options_.dim));
  }

  EmbedOptions options_;
  FloydNet init_;
  std::vector<FloydBlock> blocks_;
  Tensor readout_;
  FrozenWeights weights_;
};

}  // namespace

const char* name_of(Evaluation evaluation) {
  switch (evaluation) {
    case Evaluation::kAuto:
      return "auto";
    case Evaluation::kDense:
      return "dense";
    case Evaluation::kCompressed:
      break;
  }
  return "compressed";
}

void set_defaults(EmbedOptions& options) {
  const bool pairs = options.model != ModelKind::kFloydNet || options.order <= 2;
  options.dim = pairs ? 8 : 2;
  options.heads = pairs ? 2 : 1;
  options.depth = options.order == 4 ? 6 : 12;
  options.sharpness = 10;
}

int64_t bounding_order(const EmbedOptions& options) {
  return options.model == ModelKind::kFloydNet ? options.order : 1;
}

std::unique_ptr<Embedder> make_embedder(const EmbedOptions& options) {
  if (options.model == ModelKind::kFloydNet) return std::make_unique<FloydNetEmbedder>(options);
  return make_baseline(options);
}

}  // namespace floydnet::brec
