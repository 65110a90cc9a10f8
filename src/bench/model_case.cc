#include "bench/model_case.h"

#include <fmt/format.h>
#include <torch/nn/functional/loss.h>
#include <torch/optim/adamw.h>

#include <cmath>
#include <memory>

#include "bench/plain_block.h"
#include "floydnet/graph.h"

namespace floydnet::bench {
namespace {

using at::Tensor;

/// Every parameter gets values of its own, the same wherever and however often it is made.
void fill_parameters(torch::nn::Module& module) {
  const torch::NoGradGuard no_grad;
  uint64_t seed = 100;
  for (const auto& item : module.named_parameters()) {
    const Tensor& own = item.value();
    const Tensor noise = filled(own.sizes().vec(), ++seed, own.scalar_type());
    if (own.dim() > 1) {
      own.copy_(noise / std::sqrt(static_cast<double>(own.size(1))));
    } else {
      const bool is_norm = item.key().find("weight") != std::string::npos;
      own.copy_(0.1 * noise + (is_norm ? 1 : 0));
    }
  }
}

std::vector<Graph> random_graphs(int64_t count, int64_t nodes) {
  std::vector<Graph> graphs;
  for (int64_t g = 0; g < count; ++g) {
    const Tensor draws = filled({nodes, nodes}, 1000 + static_cast<uint64_t>(g));
    const auto draw = draws.accessor<float, 2>();
    Graph& graph = graphs.emplace_back(nodes);
    for (int64_t i = 0; i < nodes; ++i) {
      for (int64_t j = i + 1; j < nodes; ++j) {
        if (draw[i][j] > 0) graph.add_edge(i, j);
      }
    }
  }
  return graphs;
}

/// A model, its optimiser and its data.
struct Training {
  explicit Training(const TrainCase& of)
      : model([&of] {
          ModelConfig config = of.block.config();
          config.depth = of.depth;
          config.graph_outputs = 1;
          return config;
        }()),
        batch(make_batch(random_graphs(of.block.batch, of.block.nodes))),
        wanted(filled({of.block.batch, 1}, 5)) {
    fill_parameters(*model);
  }

  void optimize(const std::vector<Tensor>& parameters) {
    optimizer = std::make_unique<torch::optim::AdamW>(parameters, torch::optim::AdamWOptions(1e-5));
  }

  FloydNet model;
  std::unique_ptr<PlainNet> plain;
  GraphBatch batch;
  Tensor wanted;
  std::unique_ptr<torch::optim::AdamW> optimizer;
};

}  // namespace

std::string BlockCase::name() const {
  return fmt::format("d_r{} H{} N{} B{}", dim, heads, nodes, batch);
}

ModelConfig BlockCase::config() const {
  ModelConfig config;
  config.dim = dim;
  config.heads = heads;
  config.zero_residual = false;
  return config;
}

double BlockCase::flops(Direction direction) const {
  const auto n = static_cast<double>(nodes), d = static_cast<double>(dim);
  const double linear = n * n * d * d, attention = n * n * n * d;
  const double graph =
      direction == Direction::kForward ? 28 * linear + 8 * attention : 84 * linear + 28 * attention;
  return graph * static_cast<double>(batch);
}

double BlockCase::state_bytes() const {
  // Input, norms, qkv, heads, sums, hidden states before and after the activation; and gradients.
  constexpr double kStates = 2 * 20;
  return 4 * kStates * static_cast<double>(batch * nodes * nodes) * static_cast<double>(dim);
}

std::vector<BlockCase> default_block_cases() { return {{384, 6, 64, 1}, {64, 4, 16, 32}}; }

Work block_work(const BlockCase& of, Side side, Direction direction, at::ScalarType type) {
  FloydBlock block(of.config());
  block->to(type);
  fill_parameters(*block);
  const int64_t rows = of.batch * of.nodes * of.nodes;
  const Tensor states = filled({rows, of.dim}, 1, type).requires_grad_(true);
  const Tensor dout = filled({rows, of.dim}, 2, type);
  std::vector<Tensor> leaves = {states};
  const auto add_leaves = [&leaves](const std::vector<Tensor>& parameters) {
    leaves.insert(leaves.end(), parameters.begin(), parameters.end());
  };
  if (side != Side::kFused) {
    const PlainBlock plain(*block, of.config());
    add_leaves(plain.parameters());
    const auto forward = [plain, states, of] { return plain.forward(states, of.batch, of.nodes); };
    return make_work(direction, forward, leaves, dout);
  }
  add_leaves(block->parameters());
  const TupleLayout layout(2, std::vector<int64_t>(of.batch, of.nodes));
  const auto forward = [block, states, layout]() mutable { return block->forward(states, layout); };
  return make_work(direction, forward, leaves, dout);
}

std::string TrainCase::name() const { return fmt::format("{} depth{}", block.name(), depth); }

double TrainCase::flops() const {
  return static_cast<double>(depth) * block.flops(Direction::kForwardBackward);
}

Work train_work(const TrainCase& of, Side side) {
  const auto training = std::make_shared<Training>(of);
  if (side == Side::kFused) {
    training->optimize(training->model->parameters());
  } else {
    training->plain = std::make_unique<PlainNet>(training->model);
    training->optimize(training->plain->parameters());
  }
  return [training] {
    training->optimizer->zero_grad();
    const Tensor out = training->plain ? training->plain->forward(training->batch)
                                       : training->model->forward(training->batch).graph;
    const Tensor loss = torch::mse_loss(out, training->wanted);
    loss.backward();
    training->optimizer->step();
    return std::vector<Tensor>{loss.detach()};
  };
}

}  // namespace floydnet::bench
