// The network: invariances for every order, norm and readout, and what its options do.
#include "floydnet/model.h"

#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "attention/test_cases.h"
#include "base/test_temporary.h"
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "model/test_models.h"

namespace floydnet {
namespace {

using torch::Tensor;

struct Invariance {
  int64_t order;
  NormKind norm;
  Readout readout;
};

class Equivariance : public testing::TestWithParam<Invariance> {};

std::vector<Invariance> all_invariances() {
  std::vector<Invariance> all;
  for (int64_t order = 1; order <= kMaxOrder; ++order) {
    for (const NormKind norm :
         {NormKind::kLayer, NormKind::kRms, NormKind::kBatch, NormKind::kAffine, NormKind::kNone}) {
      for (const Readout readout :
           {Readout::kSuperNode, Readout::kSum, Readout::kMean, Readout::kDiagonal}) {
        all.push_back({order, norm, readout});
      }
    }
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Invariance>& info) {
  const auto [order, norm, readout] = info.param;
  const char* norms[] = {"Layer", "Rms", "Batch", "Affine", "None"};
  const char* readouts[] = {"SuperNode", "Sum", "Mean", "Diagonal"};
  return fmt::format("Order{}{}{}", order, norms[static_cast<int>(norm)],
                     readouts[static_cast<int>(readout)]);
}

INSTANTIATE_TEST_SUITE_P(Model, Equivariance, testing::ValuesIn(all_invariances()), name_of);

/// Rows moved as relabeling moves nodes: result[names[i]] = rows[i].
Tensor moved_nodes(const Tensor& rows, const std::vector<int64_t>& names) {
  Tensor result = torch::empty_like(rows);
  result.index_put_({torch::tensor(names)}, rows);
  return result;
}

Tensor moved_pairs(const Tensor& rows, const std::vector<int64_t>& names) {
  const int64_t n = static_cast<int64_t>(names.size());
  const Tensor square = rows.view({n, n, -1});
  const Tensor index = torch::tensor(names);
  Tensor result = torch::empty_like(square);
  result.index_put_({index.unsqueeze(1), index.unsqueeze(0)}, square);
  return result.view_as(rows);
}

TEST_P(Equivariance, HoldsForAHundredRelabelings) {
  const auto [order, norm, readout] = GetParam();
  ModelConfig config = rich_config(order);
  config.norm = norm;
  config.readout = readout;
  config.supernode = readout == Readout::kSuperNode;
  FloydNet model = random_model(config, 3);
  torch::NoGradGuard no_grad;
  std::mt19937_64 random(17);
  for (int i = 0; i < 100; ++i) {
    const int64_t n = 1 + static_cast<int64_t>(random() % (order < 4 ? 6 : 4));
    const Graph graph = random_graph(n, i % 2 == 0, random);
    const auto names = random_names(n, random);
    const Predictions here = model->forward(make_batch({graph}, torch::kFloat64));
    const Predictions there = model->forward(make_batch({graph.relabeled(names)}, torch::kFloat64));
    ASSERT_LT(relative_error(there.graph, here.graph), 1e-10);
    ASSERT_LT(relative_error(there.node, moved_nodes(here.node, names)), 1e-10);
    if (order > 1) {
      ASSERT_LT(relative_error(there.pair, moved_pairs(here.pair, names)), 1e-10);
    }
  }
}

class EveryModelOrder : public testing::TestWithParam<int64_t> {};
INSTANTIATE_TEST_SUITE_P(Model, EveryModelOrder, testing::Values(1, 2, 3, 4));

std::vector<Graph> random_graphs(const std::vector<int64_t>& sizes, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Graph> graphs;
  for (const int64_t n : sizes) graphs.push_back(random_graph(n, false, random));
  return graphs;
}

TEST_P(EveryModelOrder, BatchEqualsOneGraphAtATime) {
  FloydNet model = random_model(rich_config(GetParam()), 5);
  torch::NoGradGuard no_grad;
  const auto graphs = random_graphs({3, 1, 5, 2}, 21);
  const Predictions together = model->forward(make_batch(graphs, torch::kFloat64));
  std::vector<Tensor> graph_rows, node_rows, pair_rows;
  for (const Graph& graph : graphs) {
    const Predictions alone = model->forward(make_batch({graph}, torch::kFloat64));
    graph_rows.push_back(alone.graph);
    node_rows.push_back(alone.node);
    if (alone.pair.defined()) pair_rows.push_back(alone.pair);
  }
  EXPECT_LT(relative_error(together.graph, torch::cat(graph_rows)), 1e-12);
  EXPECT_LT(relative_error(together.node, torch::cat(node_rows)), 1e-12);
  if (!pair_rows.empty()) {
    EXPECT_LT(relative_error(together.pair, torch::cat(pair_rows)), 1e-12);
  }
}

TEST_P(EveryModelOrder, ThreadsAgreeAndTheSameSeedGivesTheSameBits) {
  ModelConfig config = rich_config(GetParam());
  config.dropout = 0.2;
  config.attention_dropout = 0.2;
  const GraphBatch batch = make_batch(random_graphs({4, 3}, 2), torch::kFloat64);
  const auto run = [&](int threads) {
    at::set_num_threads(threads);
    FloydNet model = random_model(config, 5);
    model->train();
    torch::manual_seed(8);
    return model->forward(batch).node;
  };
  const int threads_before = at::get_num_threads();
  const Tensor first = run(2);
  EXPECT_TRUE(torch::equal(run(2), first));
  EXPECT_LT(relative_error(run(1), first), 1e-12);
  EXPECT_LT(relative_error(run(4), first), 1e-12);
  at::set_num_threads(threads_before);
}

double gradient_error(ModelConfig config) {
  FloydNet model = random_model(config, 9);
  model->train();
  const GraphBatch batch = make_batch(random_graphs({3, 4}, 6), torch::kFloat64);
  const auto loss = [&] {
    torch::manual_seed(31);  // the same dropout every time
    const Predictions p = model->forward(batch);
    Tensor sum = p.graph.sin().sum() + p.node.sin().sum();
    if (p.pair.defined()) sum = sum + p.pair.sin().sum();
    return sum;
  };
  const auto parameters = model->parameters();
  const auto grads = torch::autograd::grad({loss()}, parameters);
  torch::NoGradGuard no_grad;
  double worst = 0;
  const double step = 2e-6;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Tensor u = torch::randn_like(parameters[i]);
    const auto value_at = [&](double e) {
      const_cast<Tensor&>(parameters[i]).add_(u, e);
      const double value = loss().item<double>();
      const_cast<Tensor&>(parameters[i]).sub_(u, e);
      return value;
    };
    const double numeric =
        (8 * (value_at(step) - value_at(-step)) - (value_at(2 * step) - value_at(-2 * step))) /
        (12 * step);
    const double analytic = (grads[i] * u).sum().item<double>();
    const double size = 1 + (grads[i] * u).abs().sum().item<double>();
    const double error = std::abs(numeric - analytic) / size;
    worst = error <= worst ? worst : error;  // keeps what is no number
  }
  return worst;
}

TEST_P(EveryModelOrder, ParameterGradientsEqualFiniteDifferences) {
  EXPECT_LT(gradient_error(rich_config(GetParam())), 1e-6);
}

TEST(Model, GradientsOfEveryBlockOption) {
  const auto with = [](const auto& change) {
    ModelConfig config = rich_config(2);
    change(config);
    return config;
  };
  EXPECT_LT(gradient_error(with([](auto& c) { c.norm_position = NormPosition::kPost; })), 1e-6);
  EXPECT_LT(gradient_error(with([](auto& c) { c.norm = NormKind::kRms; })), 1e-6);
  EXPECT_LT(gradient_error(with([](auto& c) { c.norm = NormKind::kBatch; })), 1e-6);
  EXPECT_LT(gradient_error(with([](auto& c) { c.norm = NormKind::kAffine; })), 1e-6);
  EXPECT_LT(gradient_error(with([](auto& c) { c.norm = NormKind::kNone; })), 1e-6);
  EXPECT_LT(gradient_error(with([](auto& c) { c.activation = Activation::kSilu; })), 1e-6);
  EXPECT_LT(gradient_error(with([](auto& c) { c.ffn = false; })), 1e-6);
  EXPECT_LT(gradient_error(with([](auto& c) { c.dropout = c.attention_dropout = 0.3; })), 1e-6);
  EXPECT_LT(gradient_error(with([](auto& c) { c.symmetric_mix = c.ffn_scale = true; })), 1e-6);
  EXPECT_LT(gradient_error(with([](auto& c) {
              c.composition = Composition::kMultiplicative;
              c.logit_cap = 2;
            })),
            1e-6);
}

TEST_P(EveryModelOrder, GradientsOfPooledReadouts) {
  ModelConfig config = rich_config(GetParam());
  config.readout_nodes = 3.5;
  for (const Readout readout : {Readout::kSum, Readout::kMean, Readout::kDiagonal}) {
    config.readout = readout;
    EXPECT_LT(gradient_error(config), 1e-6);
  }
}

TEST_P(EveryModelOrder, SumsOfAsManyNodesAsNamedAreMeans) {
  ModelConfig config = rich_config(GetParam());
  config.supernode = false;
  config.readout = Readout::kSum;
  config.readout_nodes = 4;
  FloydNet sums = random_model(config, 5);
  config.readout = Readout::kMean;
  FloydNet means = random_model(config, 5);
  torch::NoGradGuard no_grad;
  const auto difference = [&](int64_t n) {
    const GraphBatch batch = make_batch(random_graphs({n}, 21), torch::kFloat64);
    return relative_error(sums->forward(batch).graph, means->forward(batch).graph);
  };
  EXPECT_LT(difference(4), 1e-12);
  EXPECT_GT(difference(3), 1e-3);
}

TEST_P(EveryModelOrder, DiagonalReadoutTakesStatesOfSingleNodesApart) {
  const int64_t order = GetParam(), n = 3;
  ModelConfig config = rich_config(order);
  config.supernode = false;
  config.readout = Readout::kDiagonal;
  config.readout_nodes = 2.5;
  config.head_layers = 1;
  FloydNet model = random_model(config, 5);
  torch::NoGradGuard no_grad;
  const GraphBatch batch = make_batch(random_graphs({n}, 21), torch::kFloat64);
  const Tensor states = model->states(batch);
  const TupleLayout layout = model->layout({n});
  const auto named = model->named_parameters();
  const auto head = [&](const std::string& name, const Tensor& diagonal, const Tensor& all) {
    return torch::cat({diagonal, all}).matmul(named["readout." + name + ".0.weight"].t()) +
           named["readout." + name + ".0.bias"];
  };
  Tensor sum = torch::zeros({config.dim}, torch::kFloat64);
  const Predictions found = model->forward(batch);
  for (int64_t i = 0; i < n; ++i) {
    std::array<int64_t, kMaxOrder> same;
    same.fill(i);
    const Tensor own = states[layout.row(0, same)];
    sum += own;
    Tensor with_node = torch::zeros({config.dim}, torch::kFloat64);
    for (int64_t row = 0; row < layout.rows(); ++row) {
      for (int64_t c = 0, rest = row; c < order; ++c, rest /= n) {
        if (rest % n == i) with_node += states[row];
      }
    }
    EXPECT_LT(
        relative_error(found.node[i], head("node", own, with_node / std::pow(2.5, order - 1))),
        1e-12);
  }
  const Tensor all = states.sum(c10::IntArrayRef{0}) / std::pow(2.5, order);
  EXPECT_LT(relative_error(found.graph[0], head("graph", sum / 2.5, all)), 1e-12);
}

TEST(Model, RecomputationChangesNothing) {
  ModelConfig config = rich_config(2);
  config.depth = 3;
  config.dropout = config.attention_dropout = 0.3;
  const GraphBatch batch = make_batch(random_graphs({3, 4}, 6), torch::kFloat64);
  const auto gradients = [&](bool recompute) {
    config.recompute = recompute;
    FloydNet model = random_model(config, 9);
    model->train();
    torch::manual_seed(31);
    const int64_t rows = model->layout(batch.sizes).rows();
    const Tensor bias = torch::linspace(-1, 1, 2 * rows, torch::kFloat64).view({2, 1, rows});
    bias.requires_grad_(true);
    const Tensor loss = model->forward(batch, bias).node.sin().sum();
    auto inputs = model->parameters();
    inputs.push_back(bias);
    auto all = torch::autograd::grad({loss}, inputs, {}, {}, false, true);
    EXPECT_TRUE(all.back().defined());
    all.push_back(loss);
    return all;
  };
  const auto plain = gradients(false), recomputed = gradients(true);
  ASSERT_EQ(plain.size(), recomputed.size());
  for (size_t i = 0; i < plain.size(); ++i) {
    ASSERT_EQ(plain[i].defined(), recomputed[i].defined());
    if (plain[i].defined()) {
      EXPECT_TRUE(torch::equal(plain[i], recomputed[i])) << i;
    }
  }
}

// With states on edges and self-pairs alone and pivots masked to pairs that have a state, a pair at
// distance d has a state after L blocks exactly if d <= 2^L: both halves of a path compose.
TEST(Model, ReachDoublesWithEveryBlock) {
  const int64_t n = 20;
  ModelConfig config;
  config.dim = 4;
  config.heads = 1;
  config.norm = NormKind::kNone;
  config.ffn = false;
  config.zero_residual = false;
  torch::manual_seed(1);
  const TupleLayout layout(2, {n});
  Tensor states = torch::zeros({n, n, config.dim});
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = std::max<int64_t>(0, i - 1); j <= std::min(n - 1, i + 1); ++j) {
      states[i][j] = torch::randn({config.dim});
    }
  }
  states = states.view({n * n, config.dim});
  torch::NoGradGuard no_grad;
  for (int64_t layer = 0; layer <= 4; ++layer) {
    const Tensor reached = states.abs().sum(-1) > 0;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        ASSERT_EQ(reached[i * n + j].item<bool>(), std::abs(i - j) <= (int64_t{1} << layer))
            << "pair " << i << ", " << j << " after " << layer << " blocks";
      }
    }
    const Tensor bias = torch::zeros({n * n}).masked_fill(~reached, -INFINITY);
    states = FloydBlock(config)(states, layout, bias.expand({2, 1, n * n}));
  }
}

TEST(Model, SaveAndLoadGiveTheSameModel) {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.safetensors");
  FloydNet model = random_model(rich_config(2), 4);
  save_model(model, path);
  FloydNet loaded = load_model(path);
  loaded->eval();
  const GraphBatch batch = make_batch(random_graphs({4}, 1), torch::kFloat64);
  torch::NoGradGuard no_grad;
  EXPECT_TRUE(torch::equal(loaded->forward(batch).pair, model->forward(batch).pair));
  EXPECT_EQ(read_model_config(path).dim, model->config().dim);
}

TEST(Model, FilesThatDoNotFitTheirConfigurationAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.safetensors");
  FloydNet model = random_model(rich_config(2), 4);
  save_model(model, path);
  const TensorFile sound = read_safetensors(path);
  const auto refusal = [&](const auto& change) -> std::string {
    TensorFile file = sound;
    change(file);
    write_safetensors(path, file);
    try {
      load_model(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string key = "floydnet.config", weight = "block0.proj.weight";
  EXPECT_THAT(refusal([&](auto& f) { f.tensors.erase(weight); }),
              testing::EndsWith("tensor \"block0.proj.weight\" is missing"));
  EXPECT_THAT(refusal([&](auto& f) { f.tensors["extra"] = f.tensors[weight]; }),
              testing::EndsWith("tensor \"extra\" is not part of the model"));
  EXPECT_THAT(refusal([&](auto& f) { f.tensors[weight].shape = {36}; }),
              testing::EndsWith("is Double [36], wanted Double [6, 6]"));
  EXPECT_THAT(refusal([&](auto& f) { f.tensors[weight].type = DType::kI64; }),
              testing::HasSubstr("is Long [6, 6], wanted Double [6, 6]"));
  EXPECT_THAT(refusal([&](auto& f) {
                f.tensors[weight].type = DType::kF32;
                f.tensors[weight].bytes.resize(36 * 4);
              }),
              testing::EndsWith("\"block0.proj.weight\" is Float, others are Double"));
  EXPECT_THAT(refusal([&](auto& f) { f.metadata.erase(key); }),
              testing::HasSubstr("holds no model configuration"));
  EXPECT_THAT(refusal([&](auto& f) { f.metadata[key] = "{"; }), testing::HasSubstr("is not JSON"));
  EXPECT_THAT(refusal([&](auto& f) { f.metadata[key] = R"({"dim": 1000000, "heads": 1})"; }),
              testing::HasSubstr("a model of its configuration has at least"));
}

TEST(Model, BadFeaturesAreNamed) {
  ModelConfig config;
  config.node_categories = {3};
  config.pair_categories = {2};
  const auto refusal = [&](const auto& change) -> std::string {
    GraphBatch batch = make_batch({Graph(2)});
    batch.node_categories = torch::zeros({2, 1}, torch::kInt64);
    batch.pair_categories = torch::zeros({4, 1}, torch::kInt64);
    change(batch);
    try {
      FloydNet(config)->forward(batch);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal([](auto&) {}), "");
  EXPECT_EQ(refusal([](auto& b) { b.node_categories.reset(); }),
            "FloydNet: node_categories is absent, wanted [2, 1]");
  EXPECT_EQ(refusal([](auto& b) { b.pair_categories.reset(); }),
            "FloydNet: pair_categories is absent, wanted [4, 1]");
  EXPECT_EQ(refusal([](auto& b) { b.adjacency.reset(); }),
            "FloydNet: pair_adjacency is absent, wanted [4, 1]");
  EXPECT_EQ(refusal([](auto& b) { b.node_categories.fill_(3); }),
            "FloydNet: column 0 of node_categories has the value 3, wanted 0 to 2");
}

}  // namespace
}  // namespace floydnet
