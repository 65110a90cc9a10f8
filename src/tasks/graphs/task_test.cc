#include "tasks/graphs/task.h"

#include <gmock/gmock.h>
#include <torch/torch.h>

#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "record/test_table.h"
#include "tasks/graphs/data/graph_file.h"
#include "tasks/graphs/pieces.h"
#include "tasks/graphs/test_graph_sets.h"
#include "train/test_runs.h"

namespace floydnet::graphs {
namespace {

using ::testing::HasSubstr;
using torch::Tensor;

GraphsConfig small_run(const std::string& targets, const GraphSet& set = random_set(60, 1)) {
  GraphsConfig run;
  run.data.targets = targets;
  run.model.dim = 16;
  run.model.heads = 2;
  run.model.depth = 2;
  run.model.zero_residual = false;  // so that blocks matter from the start
  run.train.batch = 12;
  run.use(std::make_shared<const GraphSet>(set), "random.npz");
  return run;
}

const std::string kAllTargets = "graph_y,node_y,edge_y,pair_y";

double loss_of(train::Task& task, const train::Batch& batch) {
  double loss = 0;
  for (const train::Batch* piece : train::pieces_of(batch)) {
    loss += train::mean_loss(task.loss_sums(*piece), batch.weights).item<double>();
  }
  return loss;
}

/// Gradients of all parameters in one vector.
Tensor gradient_of(train::Task& task, const train::Batch& batch) {
  task.model().zero_grad();
  for (const train::Batch* piece : train::pieces_of(batch)) {
    train::mean_loss(task.loss_sums(*piece), batch.weights).backward();
  }
  std::vector<Tensor> flat;
  for (const Tensor& parameter : task.model().parameters()) {
    flat.push_back(parameter.grad().defined() ? parameter.grad().flatten()
                                              : torch::zeros(parameter.numel()));
  }
  return torch::cat(flat);
}

TEST(GraphsTask, LossAndGradientDoNotDependOnHowABatchIsCut) {
  GraphsConfig whole = small_run(kAllTargets), cut = whole;
  cut.data.tuples = 100;  // one or two graphs at a time
  const auto a = whole.make_task(), b = cut.make_task();
  const auto batch = a->batch(3, {}), pieces = b->batch(3, {});
  EXPECT_EQ(train::pieces_of(*batch).size(), 1u);
  EXPECT_GT(pieces->pieces.size(), 5u);
  for (size_t i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(batch->weights[i], pieces->weights[i]);
  EXPECT_NEAR(loss_of(*a, *batch), loss_of(*b, *pieces), 1e-5);
  const Tensor wanted = gradient_of(*a, *batch), found = gradient_of(*b, *pieces);
  EXPECT_LT((wanted - found).norm().item<double>(), 1e-4 * wanted.norm().item<double>());
}

TEST(GraphsTask, PartsOfABatchAddUpToIt) {
  GraphsConfig run = small_run(kAllTargets);
  run.target.class_weights = ClassWeights::kBatch;  // which are of the whole batch
  const auto task = run.make_task();
  const auto whole = task->batch(5, {});
  std::vector<double> sums(4, 0), weights(4, 0);
  for (int64_t i = 0; i < 5; ++i) {
    const auto part = task->batch(5, {i, 5});
    const auto found = task->loss_sums(*part);
    for (size_t t = 0; t < 4; ++t) {
      sums[t] += found[t].item<double>();
      weights[t] += part->weights[t];
    }
  }
  const auto wanted = task->loss_sums(*whole);
  for (size_t t = 0; t < 4; ++t) {
    EXPECT_NEAR(sums[t], wanted[t].item<double>(), 1e-4 * std::abs(sums[t])) << t;
    EXPECT_NEAR(weights[t], whole->weights[t], 1e-6 * weights[t]) << t;
  }
}

TEST(GraphsTask, AccumulationGivesTheSameCurve) {
  GraphsConfig run = small_run(kAllTargets);
  run.train.learning_rate = 1e-4;
  train::expect_same_curve_in_parts(run);
}

TEST(GraphsTask, RecomputationGivesTheSameGradient) {
  GraphsConfig run = small_run(kAllTargets), large = run;
  large.data.tuples = 1;  // each graph is larger than that
  const auto a = run.make_task(), b = large.make_task();
  const Tensor wanted = gradient_of(*a, *a->batch(0, {}));
  const Tensor found = gradient_of(*b, *b->batch(0, {}));
  EXPECT_LT((wanted - found).norm().item<double>(), 1e-4 * wanted.norm().item<double>());
}

TEST(GraphsTask, TalliesOfPartsAddUpAndDoNotDependOnPieces) {
  GraphsConfig run = small_run(kAllTargets), cut = run;
  cut.data.tuples = 50;
  const auto task = run.make_task(), other = cut.make_task();
  torch::NoGradGuard no_grad;
  const train::Metrics whole = task->metrics("test", task->tally("test", {}));
  std::vector<double> sums = other->tally("test", {0, 3});
  for (int64_t i = 1; i < 3; ++i) {
    const std::vector<double> more = other->tally("test", {i, 3});
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += more[k];
  }
  const train::Metrics parts = other->metrics("test", sums);
  ASSERT_EQ(whole.size(), parts.size());
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(whole[i].first, parts[i].first);
    EXPECT_NEAR(whole[i].second, parts[i].second, 1e-4) << whole[i].first;
  }
}

/// What models of this order say about all graphs of a set, by target.
std::vector<Tensor> outputs_for(const GraphsConfig& run, const GraphSet& set) {
  torch::manual_seed(4);
  GraphModel model(run.model, run.schema);
  model->eval();
  const InputBuilder builder(run.schema, run.structure, run.model.order, run.model.supernode, set);
  torch::NoGradGuard no_grad;
  std::vector<int64_t> all;
  for (int64_t g = 0; g < set.graphs(); ++g) all.push_back(g);
  return model->forward(builder.make(all));
}

class GraphOrders : public ::testing::TestWithParam<std::tuple<int64_t, bool>> {};
INSTANTIATE_TEST_SUITE_P(OrdersAndSuperNodes, GraphOrders,
                         ::testing::Combine(::testing::Values(1, 2, 3), ::testing::Bool()));

TEST_P(GraphOrders, OtherNamesOfNodesChangeNoPrediction) {
  const auto [order, supernode] = GetParam();
  const GraphSet set = random_set(8, 2), other = renamed(set, 5);
  GraphsConfig run;
  run.data.targets = order == 1 ? "graph_y,node_y" : kAllTargets;
  run.model.dim = 16;
  run.model.heads = 2;
  run.model.depth = 2;
  run.model.order = order;
  run.model.zero_residual = false;
  run.model.supernode = supernode;
  if (supernode) run.model.readout = Readout::kSuperNode;
  run.use(std::make_shared<const GraphSet>(set), "random.npz");
  const std::vector<Tensor> before = outputs_for(run, set), after = outputs_for(run, other);
  EXPECT_LT((before[0] - after[0]).abs().max().item<double>(), 1e-4);
  EXPECT_GT(before[0].std(0).min().item<double>(), 1e-4) << "graphs are told apart";
  if (order == 1) return;
  // Edges keep their places in the list.
  EXPECT_LT((before[2] - after[2]).abs().max().item<double>(), 1e-4);
  EXPECT_NEAR(before[1].sum().item<double>(), after[1].sum().item<double>(),
              1e-4 * static_cast<double>(before[1].numel()));
}

TEST(GraphsTask, DirectionsMatterWhereEdgesHaveThem) {
  GraphSet set = random_set(20, 3);
  set.directed = true;
  set.columns.pop_back();
  GraphSet turned = set;
  for (auto& [u, v] : turned.edges) std::swap(u, v);
  const GraphsConfig run = small_run("graph_y,edge_y", set);
  const std::vector<Tensor> a = outputs_for(run, set), b = outputs_for(run, turned);
  EXPECT_GT((a[1] - b[1]).abs().max().item<double>(), 1e-3);
}

struct Learnable {
  std::string target, metric;
  double wanted;
  int64_t order;
  Readout readout = Readout::kSum;
};
class LearnsInSeconds : public ::testing::TestWithParam<Learnable> {};
INSTANTIATE_TEST_SUITE_P(
    EveryLevel, LearnsInSeconds,
    ::testing::Values(Learnable{"graph_y", "r2", 0.97, 2}, Learnable{"node_y", "accuracy", 0.97, 2},
                      Learnable{"edge_y", "accuracy", 0.95, 2}, Learnable{"pair_y", "r2", 0.93, 2},
                      Learnable{"graph_y", "r2", 0.97, 2, Readout::kDiagonal},
                      Learnable{"graph_y", "r2", 0.9, 1}, Learnable{"node_y", "accuracy", 0.95, 1},
                      Learnable{"edge_y", "accuracy", 0.9, 3}));

TEST_P(LearnsInSeconds, WhatCanBeCounted) {
  GraphsConfig run = small_run(GetParam().target, random_set(400, 6));
  run.model.order = GetParam().order;
  run.model.readout = GetParam().readout;
  run.model.zero_residual = true;
  run.train.batch = 32;
  run.train.steps = GetParam().order == 3 ? 100 : 250;
  run.train.warmup = 10;
  run.train.learning_rate = 5e-3;
  run.train.average = 0;
  run.train.evaluate_every = run.train.steps;
  run.structure.distances = GetParam().target == "pair_y" ? 8 : 0;
  run.use(run.set, "random.npz");
  const TemporaryFolder folder;
  train::World world;
  train::Observer nobody;
  const auto task = run.make_task();
  const train::Outcome outcome =
      train::Trainer(*task, run.train, train::RunFolder(folder.path()), world, nobody, {}).run();
  const train::Metrics* test = record::find(outcome.finals, std::string("test"));
  ASSERT_NE(test, nullptr);
  EXPECT_GT(*record::find(*test, GetParam().metric), GetParam().wanted);
}

TEST(GraphsTask, GoalFollowsTheTargetAndItsLabels) {
  EXPECT_EQ(small_run("graph_y").make_task()->goal().metric, "mae");
  EXPECT_FALSE(small_run("graph_y").make_task()->goal().higher_is_better);
  EXPECT_EQ(small_run("node_y").make_task()->goal().metric, "accuracy");
  EXPECT_EQ(small_run("edge_y").make_task()->goal().metric, "roc_auc");
  EXPECT_EQ(small_run(kAllTargets).make_task()->goal().metric, "loss");
  GraphsConfig run = small_run("edge_y");
  run.target.metric = "mae";
  EXPECT_THAT(refusal([&] { run.make_task(); }), HasSubstr("'mae' is unknown; there are loss, ap"));
  // Without a yes among the labels of validation there is nothing to rank.
  GraphSet set = random_set(60, 1);
  std::fill(set.columns[5].integers.begin() + 5, set.columns[5].integers.end(), 0);
  set.columns[5].integers[0] = 1;
  set.splits.assign(60, Split::kTrain);
  set.splits.back() = Split::kValidation;
  EXPECT_EQ(small_run("edge_y", set).make_task()->goal().metric, "loss");
}

TEST(GraphsTask, ScoresAllPairsOfListedOnes) {
  GraphSet set = random_set(30, 8);
  set.columns.pop_back();
  set.pairs_listed = true;
  Column contact{"y", Level::kPair, 1, false, {}, {}};
  for (int64_t g = 0; g < set.graphs(); ++g) {
    set.pairs.emplace_back(0, 1);
    set.pairs.emplace_back(2, 1);
    contact.integers.push_back(1);
    contact.integers.push_back(0);
    set.pair_offsets.push_back(static_cast<int64_t>(set.pairs.size()));
  }
  set.columns.push_back(contact);
  const auto task = small_run("pair_y", set).make_task();
  torch::NoGradGuard no_grad;
  const train::Metrics metrics = task->metrics("test", task->tally("test", {}));
  ASSERT_NE(record::find(metrics, std::string("mrr_extended")), nullptr);
  EXPECT_GT(*record::find(metrics, std::string("mrr")), 1.0 / 9);
  EXPECT_GE(*record::find(metrics, std::string("mrr_extended")),
            *record::find(metrics, std::string("mrr")));
}

TEST(GraphsTask, PairsThatAreNotListedAreNoIfAllListedOnesAreYes) {
  GraphSet set = random_set(30, 8);
  set.columns.pop_back();
  set.pairs_listed = true;
  Column contact{"y", Level::kPair, 1, false, {}, {}};
  for (int64_t g = 0; g < set.graphs(); ++g) {
    set.pairs.emplace_back(0, 1);
    contact.integers.push_back(1);
    set.pair_offsets.push_back(static_cast<int64_t>(set.pairs.size()));
  }
  set.columns.push_back(contact);
  const auto labels_of_an_epoch = [](GraphsConfig run) {
    run.train.batch = static_cast<int64_t>(run.splits.train.size());
    return run.make_task()->batch(0, {})->weights[0];
  };
  const GraphsConfig run = small_run("pair_y", set);
  double pairs = 0;
  for (const int64_t g : run.splits.train) {
    pairs +=
        static_cast<double>(set.sizes[static_cast<size_t>(g)] * set.sizes[static_cast<size_t>(g)]);
  }
  const auto listed = static_cast<double>(run.splits.train.size());
  EXPECT_EQ(labels_of_an_epoch(run), pairs);
  EXPECT_THAT(run.schema.targets[0].counts, testing::ElementsAre(pairs - listed, listed));
  const auto task = run.make_task();
  torch::NoGradGuard no_grad;
  EXPECT_GT(*record::find(task->metrics("test", task->tally("test", {})), std::string("ap")), 0);
  set.columns.back().integers[static_cast<size_t>(run.splits.train[0])] = 0;
  EXPECT_EQ(labels_of_an_epoch(small_run("pair_y", set)), listed);
}

TEST(GraphsTask, RankingStandsBesideScoresThatNeedNoModel) {
  // Paths 0 - 1 - 2, in which (1, 0) is true: (1, 2) is as near, so distance takes rank 1 or 2.
  GraphSet set;
  Column contact{"y", Level::kPair, 1, false, {}, {}};
  for (int64_t g = 0; g < 30; ++g) {
    set.sizes.push_back(3);
    set.edges.insert(set.edges.end(), {{0, 1}, {1, 2}});
    set.edge_offsets.push_back(static_cast<int64_t>(set.edges.size()));
    for (int64_t pair = 0; pair < 9; ++pair) contact.integers.push_back(pair == 3 ? 1 : 0);
  }
  set.columns.push_back(contact);
  const auto tables = small_run("pair_y", set).make_task()->tables({{"test", {{"mrr", 0.5}}}});
  const train::Table& baselines = tables.back();
  EXPECT_THAT(baselines.columns,
              testing::ElementsAre("metric", "test: true labels", "test: distance alone"));
  for (const char* metric : {"mrr", "mrr_filtered", "mrr_extended"}) {
    EXPECT_EQ(record::row_named(baselines, metric)[1], record::Cell(1.0)) << metric;
    EXPECT_EQ(record::row_named(baselines, metric)[2], record::Cell(0.75)) << metric;
  }
}

TEST(GraphsTask, PageIsOfTheLastSplitAndAllTargets) {
  const GraphsConfig run = small_run(kAllTargets);
  const auto task = run.make_task();
  torch::NoGradGuard no_grad;
  ASSERT_TRUE(task->has_page());
  const std::string page = task->page("Predictions", {{"validation", task->tally("validation", {})},
                                                      {"test", task->tally("test", {})}});
  EXPECT_THAT(page, HasSubstr("split test of"));
  for (const char* target : {"graph_y", "node_y", "edge_y", "pair_y"}) {
    EXPECT_THAT(page, HasSubstr(std::string("<h2>") + target + "</h2>"));
  }
  // Degrees are classes; the most probable of nine has at least 11 %.
  EXPECT_THAT(page,
              testing::ContainsRegex("node [0-9]: true [0-9], predicted [0-9], [1-9][0-9]\u00a0%"));
}

TEST(GraphsConfig, SplitsAreTheFilesOrDrawn) {
  GraphSet set = random_set(50, 1);
  GraphsDataConfig config;
  const SplitGraphs drawn = split_graphs(set, config), again = split_graphs(set, config);
  EXPECT_EQ(drawn.train.size(), 40u);
  EXPECT_EQ(drawn.validation.size(), 5u);
  EXPECT_EQ(drawn.test, again.test);
  config.split_seed = 2;
  EXPECT_NE(split_graphs(set, config).test, drawn.test);
  set.splits.assign(50, Split::kTrain);
  set.splits[7] = Split::kTest;
  const SplitGraphs filed = split_graphs(set, config);
  EXPECT_EQ(filed.test, std::vector<int64_t>{7});
  EXPECT_EQ(filed.validation.size(), 5u) << "drawn from those for training";
  EXPECT_EQ(filed.train.size(), 44u);
  config.validation = 0;
  EXPECT_THAT(refusal([&] { split_graphs(set, config); }), HasSubstr("no graph is for validation"));
}

TEST(GraphsConfig, SumsAreScaledByTheMeanSizeOfTrainingGraphs) {
  const GraphSet set = random_set(50, 1);
  GraphsConfig run = small_run("graph_y", set);
  double nodes = 0;
  for (const int64_t g : run.splits.train) {
    nodes += static_cast<double>(set.sizes[static_cast<size_t>(g)]);
  }
  const double mean = nodes / static_cast<double>(run.splits.train.size());
  EXPECT_DOUBLE_EQ(run.model.readout_nodes.value(), mean);
  run.use(std::make_shared<const GraphSet>(random_set(20, 9)), "other.npz");
  EXPECT_DOUBLE_EQ(run.model.readout_nodes.value(), mean) << "that of the run";
  run.model.readout_nodes.reset();
  run.use(run.set, "other.npz");
  EXPECT_FALSE(run.model.readout_nodes) << "a run without it stays without it";
  GraphsConfig chosen;
  chosen.data.targets = "graph_y";
  chosen.model.readout_nodes = 3;
  chosen.use(std::make_shared<const GraphSet>(set), "random.npz");
  EXPECT_EQ(chosen.model.readout_nodes, 3);
}

TEST(GraphsConfig, PairTargetsNeedPairStates) {
  GraphsConfig run = small_run("edge_y");
  run.model.order = 1;
  EXPECT_THAT(refusal([&] { run.use(run.set, "random.npz"); }),
              HasSubstr("model.order: is 1, but edge_y needs states of pairs"));
}

}  // namespace
}  // namespace floydnet::graphs
