// The properties of model_test.cc on models that run the fused block in float32, as trained ones
// do.
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "attention/test_cases.h"
#include "floydnet/model.h"
#include "model/fused_block.h"
#include "model/test_models.h"

namespace floydnet {
namespace {

using torch::Tensor;

struct Widths {
  int64_t dim, head_dim;
};

class FusedBlockModel : public testing::TestWithParam<Widths> {
 protected:
  ModelConfig config() const {
    ModelConfig config = rich_config(2);
    config.dim = GetParam().dim;
    config.heads = GetParam().dim / GetParam().head_dim;
    config.qk_norm = false;
    config.linear_bias = GetParam().head_dim == 8;
    config.norm = GetParam().dim == 48 ? NormKind::kRms : NormKind::kLayer;
    config.ffn_ratio = 2;
    return config;
  }
  /// Moderate weights, so that float32 has digits left.
  FloydNet model() const {
    torch::manual_seed(4);
    FloydNet model(config());
    model->eval();
    torch::NoGradGuard no_grad;
    for (auto& parameter : model->parameters()) parameter.add_(torch::randn_like(parameter), 0.05);
    return model;
  }
  /// Sizes below, at and above whole vectors and tiles of targets.
  static std::vector<Graph> graphs() {
    std::mt19937_64 random(6);
    std::vector<Graph> graphs;
    for (const int64_t n : {3, 17, 8, 1, 33}) graphs.push_back(random_graph(n, n == 8, random));
    return graphs;
  }
};

std::string name_of_widths(const testing::TestParamInfo<Widths>& info) {
  return fmt::format("Dim{}HeadsOf{}", info.param.dim, info.param.head_dim);
}

INSTANTIATE_TEST_SUITE_P(OfTrainedWidths, FusedBlockModel,
                         testing::Values(Widths{32, 8}, Widths{32, 16}, Widths{48, 8},
                                         Widths{48, 16}, Widths{64, 8}, Widths{64, 16}),
                         name_of_widths);

TEST_P(FusedBlockModel, IsFused) {
  EXPECT_TRUE(suits_fused_block(config()))
      << "these tests, and the models that are trained, would run the composed block";
}

TEST_P(FusedBlockModel, RelabellingMovesPredictions) {
  FloydNet network = model();
  torch::NoGradGuard no_grad;
  std::mt19937_64 random(17);
  for (const Graph& graph : graphs()) {
    const std::vector<int64_t> names = random_names(graph.nodes(), random);
    const Tensor index = torch::tensor(names);
    const Predictions here = network->forward(make_batch({graph}));
    const Predictions there = network->forward(make_batch({graph.relabeled(names)}));
    EXPECT_LT(relative_error(there.graph, here.graph), 1e-4);
    EXPECT_LT(relative_error(there.node.index_select(0, index), here.node), 1e-4);
    const int64_t n = graph.nodes();
    const Tensor moved =
        there.pair.view({n, n, -1}).index_select(0, index).index_select(1, index).flatten(0, 1);
    EXPECT_LT(relative_error(moved, here.pair), 1e-4);
  }
}

TEST_P(FusedBlockModel, ABatchIsItsGraphsOneByOneToTheBit) {
  FloydNet network = model();
  torch::NoGradGuard no_grad;
  const std::vector<Graph> all = graphs();
  const Tensor together = network->states(make_batch(all));
  std::vector<Tensor> alone;
  for (const Graph& graph : all) alone.push_back(network->states(make_batch({graph})));
  // Init is libtorch's, whose products may round otherwise for other numbers of rows.
  EXPECT_LT(relative_error(together, torch::cat(alone)), 1e-5);
  // The blocks are ours.
  FloydBlock block(config());
  const Tensor rows = torch::randn({together.size(0), config().dim});
  const TupleLayout layout = network->layout(make_batch(all).sizes);
  const Tensor whole = block->forward(rows, layout);
  for (int64_t graph = 0; graph < layout.graphs(); ++graph) {
    const int64_t n = layout.size(graph);
    const Tensor own = rows.narrow(0, layout.offset(graph), n * n);
    EXPECT_TRUE(torch::equal(block->forward(own, TupleLayout(2, {n})),
                             whole.narrow(0, layout.offset(graph), n * n)))
        << n << " nodes";
  }
}

TEST_P(FusedBlockModel, GradientsOfABlockAreThoseOfTheComposedOneInFloat64) {
  const TupleLayout layout(2, {17, 5});
  FloydBlock block(config());
  {
    torch::NoGradGuard no_grad;
    for (auto& parameter : block->parameters()) parameter.add_(torch::randn_like(parameter), 0.1);
  }
  const Tensor x = torch::randn({layout.rows(), config().dim}).requires_grad_(true);
  const Tensor dy = torch::randn({layout.rows(), config().dim});
  std::vector<Tensor> inputs = block->parameters();
  inputs.push_back(x);
  const auto found = torch::autograd::grad({block->forward(x, layout)}, inputs, {dy});
  FloydBlock exact(config());
  exact->to(torch::kFloat64);
  {
    torch::NoGradGuard no_grad;
    for (size_t i = 0; i < exact->parameters().size(); ++i) {
      exact->parameters()[i].copy_(block->parameters()[i]);
    }
  }
  const Tensor x64 = x.detach().to(torch::kFloat64).requires_grad_(true);
  std::vector<Tensor> inputs64 = exact->parameters();
  inputs64.push_back(x64);
  const auto wanted =
      torch::autograd::grad({exact->composed(x64, layout)}, inputs64, {dy.to(torch::kFloat64)});
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_LT(relative_error(found[i].to(torch::kFloat64), wanted[i]), 2e-5) << "input " << i;
  }
}

TEST_P(FusedBlockModel, AnyNumberOfThreadsGivesTheSameBits) {
  const TupleLayout layout(2, {17, 5, 33});
  torch::manual_seed(2);
  FloydBlock block(config());
  const Tensor x = torch::randn({layout.rows(), config().dim});
  const Tensor dy = torch::randn({layout.rows(), config().dim});
  const auto run = [&](int threads) {
    at::set_num_threads(threads);
    const Tensor input = x.clone().requires_grad_(true);
    std::vector<Tensor> inputs = block->parameters();
    inputs.push_back(input);
    const Tensor y = block->forward(input, layout);
    std::vector<Tensor> results = torch::autograd::grad({y}, inputs, {dy});
    results.push_back(y.detach());
    return results;
  };
  const int threads_before = at::get_num_threads();
  const std::vector<Tensor> one = run(1);
  for (const int threads : {2, 4}) {
    const std::vector<Tensor> several = run(threads);
    for (size_t i = 0; i < one.size(); ++i) {
      EXPECT_TRUE(torch::equal(several[i], one[i])) << "result " << i << ", threads " << threads;
    }
  }
  at::set_num_threads(threads_before);
}

}  // namespace
}  // namespace floydnet
