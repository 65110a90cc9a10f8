#include "tasks/brec/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "graph/families.h"
#include "tasks/brec/data/features.h"
#include "tasks/brec/data/suite.h"
#include "tasks/brec/report.h"

namespace floydnet::brec {
namespace {

using testing::HasSubstr;

RunOptions options_for(ModelKind model, int64_t order) {
  RunOptions options;
  options.embed.model = model;
  options.embed.order = order;
  set_defaults(options.embed);
  return options;
}

RunOptions quick_options() {
  RunOptions options = options_for(ModelKind::kFloydNet, 2);
  options.embed.depth = 2;
  options.copies = 20;
  return options;
}

std::vector<Pair> quick_pairs() {
  std::vector<Pair> pairs;
  pairs.push_back({3, disjoint_union(cycle_graph(3), cycle_graph(3)), cycle_graph(6)});
  pairs.push_back({7, cycle_graph(5), cycle_graph(5)});
  return pairs;
}

/// K2,3 and a triangle with an edge between them: orbits of different sizes.
Graph lopsided_graph() {
  Graph graph = disjoint_union(complete_bipartite_graph(2, 3), cycle_graph(3));
  graph.add_edge(0, 5);
  return graph;
}

void expect_theory(ModelKind model, int64_t order, int64_t max_nodes,
                   Evaluation evaluation = Evaluation::kAuto) {
  RunOptions options = options_for(model, order);
  options.embed.evaluation = evaluation;
  const auto embedder = make_embedder(options.embed);
  int64_t id = 0;
  for (const SuitePair& pair : embedded_suite()) {
    if (pair.a.nodes() > max_nodes) continue;
    const PairResult result = run_pair({id++, pair.a, pair.b}, *embedder, options);
    EXPECT_TRUE(result.verdict.reliable) << pair.name;
    EXPECT_EQ(result.verdict.distinguished, bounding_order(options.embed) >= pair.separating_order)
        << pair.name << ", T2 " << result.verdict.test;
  }
}

TEST(BrecRun, VerdictsOfPairsAreThoseOfTheory) { expect_theory(ModelKind::kFloydNet, 2, 64); }
TEST(BrecRun, VerdictsOfTriplesAreThoseOfTheory) { expect_theory(ModelKind::kFloydNet, 3, 28); }
TEST(BrecRun, VerdictsOfQuadruplesAreThoseOfTheory) { expect_theory(ModelKind::kFloydNet, 4, 16); }
TEST(BrecRun, DenseVerdictsAreThoseOfTheory) {
  expect_theory(ModelKind::kFloydNet, 2, 28, Evaluation::kDense);
}
TEST(BrecRun, SelfAttentionTellsNothingApart) { expect_theory(ModelKind::kSelfAttention, 2, 64); }
TEST(BrecRun, GinTellsNothingApart) { expect_theory(ModelKind::kGin, 2, 64); }

TEST(BrecEmbed, CompressedIsDense) {
  for (const int64_t order : {2, 3, 4}) {
    EmbedOptions options;
    options.order = order;
    options.depth = 3;
    options.node_reals = kPeripheralFeatures;
    std::vector<Graph> graphs = {rook_graph(3), lopsided_graph()};
    for (Graph& graph : graphs) {
      add_peripheral_features(graph);
      const auto embedding = [&](Evaluation evaluation) {
        options.evaluation = evaluation;
        const auto embedder = make_embedder(options);
        return embedder->prepare(graph)->embed(2, 1, options.depth);
      };
      const torch::Tensor dense = embedding(Evaluation::kDense);
      const torch::Tensor compressed = embedding(Evaluation::kCompressed);
      EXPECT_TRUE(torch::allclose(dense, compressed, 1e-9, 1e-9)) << order;
      EXPECT_TRUE(torch::allclose(dense, embedding(Evaluation::kAuto), 1e-9, 1e-9)) << order;
      EXPECT_GT(dense.abs().max().item<double>(), 0.1);
    }
  }
}

TEST(BrecRun, IsTheSameForTheSameSeed) {
  const std::vector<Pair> pairs = quick_pairs();
  RunOptions options = quick_options();
  const double first = run_pairs(pairs, options)[0].verdict.test;
  EXPECT_EQ(run_pairs(pairs, options)[0].verdict.test, first);
  options.embed.evaluation = Evaluation::kDense;
  options.embed.chunk_bytes = 1;  // one graph at a time
  EXPECT_EQ(run_pairs(pairs, options)[0].verdict.distinguished, true);
  options.seed = 2;
  EXPECT_NE(run_pairs(pairs, options)[0].verdict.test, first);
}

TEST(BrecRun, APilotFindsOutHowManyBlocksAreNeeded) {
  RunOptions options = quick_options();
  options.embed.depth = 5;
  options.copies = 32;  // for which the threshold was chosen
  options.pilot = 8;
  const std::vector<PairResult> results = run_pairs(quick_pairs(), options);
  EXPECT_TRUE(results[0].verdict.distinguished);
  EXPECT_EQ(results[0].depth, 1);
  EXPECT_FALSE(results[1].verdict.distinguished);
  EXPECT_EQ(results[1].depth, 5);
  options.pilot = 0;
  EXPECT_EQ(run_pairs(quick_pairs(), options)[0].depth, 5);
  options.pilot = 8;
  options.embed.evaluation = Evaluation::kDense;
  EXPECT_EQ(run_pairs({quick_pairs()[0]}, options)[0].depth, 1);
}

TEST(BrecRun, ResumesWhatWasInterrupted) {
  const TemporaryFolder temporary;
  const std::string path = temporary.file("run/k2");
  const RunOptions options = quick_options();
  const std::vector<Pair> pairs = quick_pairs();
  {
    ResultsFolder folder(path, options);
    EXPECT_FALSE(folder.find(pairs[0]));
    run_pairs({pairs[0]}, options, &folder);
  }
  // A made-up value shows whether a stored result is used; half a line is what a kill leaves.
  std::string text = read_file(path + "/pairs.jsonl");
  nlohmann::json row = nlohmann::json::parse(text);
  row["t2_test"] = 12345.5;
  write_file_atomically(path + "/pairs.jsonl", row.dump() + "\n{\"id\": 7, \"no");
  ResultsFolder folder(path, options);
  std::vector<int64_t> heard;
  const auto results = run_pairs(pairs, options, &folder, [&](int64_t done, double work) {
    heard.push_back(done);
    EXPECT_EQ(work, 1);
  });
  EXPECT_EQ(heard, std::vector<int64_t>{2});
  EXPECT_EQ(results[0].verdict.test, 12345.5);
  EXPECT_TRUE(results[0].verdict.distinguished);
  EXPECT_FALSE(results[1].verdict.distinguished);
  const ResultsFolder again(path, options);
  EXPECT_EQ(again.find(pairs[1])->verdict.test, results[1].verdict.test);
}

TEST(BrecRun, RefusesOtherOptionsGraphsAndDamage) {
  const TemporaryFolder temporary;
  const std::string path = temporary.file("run");
  RunOptions options = quick_options();
  {
    ResultsFolder folder(path, options);
    run_pairs({quick_pairs()[0]}, options, &folder);
  }
  const ResultsFolder folder(path, options);
  EXPECT_THAT(refusal([&] {
                folder.find({3, cycle_graph(6), cycle_graph(6)});
              }),
              HasSubstr("pair 3 is of other graphs"));
  options.embed.depth = 3;
  EXPECT_THAT(refusal([&] { ResultsFolder(path, options); }),
              HasSubstr("holds results with depth = 2, not 3"));
  options.embed.depth = 2;
  write_file_atomically(path + "/pairs.jsonl", "{\"id\": 1}\n");
  EXPECT_THAT(refusal([&] { ResultsFolder(path, options); }), HasSubstr("line 1: not a result"));
  write_file_atomically(path + "/options.json", "[");
  EXPECT_THAT(refusal([&] { ResultsFolder(path, options); }), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal([&] { ResultsFolder(path + "/options.json", options); }),
              HasSubstr("not a folder"));
}

TEST(BrecRun, WhatIsTooLargeIsNotRun) {
  const TemporaryFolder temporary;
  RunOptions options = quick_options();
  const std::vector<Pair> pairs = {quick_pairs()[0]};
  {
    ResultsFolder folder(temporary.file("run"), options);
    options.max_seconds = 1e-9;
    const PairResult result = run_pairs(pairs, options, &folder)[0];
    EXPECT_FALSE(result.was_run());
    EXPECT_EQ(result.id, 3);
    EXPECT_THAT(result.not_run, HasSubstr("minutes, the limit is"));
  }
  ResultsFolder folder(temporary.file("run"), options);  // limits are no part of what must agree
  EXPECT_FALSE(folder.find(pairs[0]));
  options.max_seconds = 60;
  options.embed.max_bytes = 1000;
  EXPECT_THAT(run_pairs(pairs, options, &folder)[0].not_run, HasSubstr("raise --max-memory"));
  options.embed.max_bytes = 1 << 30;
  EXPECT_TRUE(run_pairs(pairs, options, &folder)[0].verdict.distinguished);
  EXPECT_TRUE(ResultsFolder(temporary.file("run"), options).find(pairs[0]).has_value());
}

TEST(BrecReport, CountsWhatIsReliable) {
  Report report;
  report.run = quick_options();
  report.is_brec = true;
  const auto add = [&](int64_t id, const char* category, RpcVerdict verdict, bool fwl) {
    report.rows.push_back({{id, verdict}, category, fwl, std::nullopt, 10});
  };
  add(0, "Basic", rpc_verdict(1e6, 1), true);
  add(60, "Regular", rpc_verdict(1e6, 100), true);
  add(110, "Regular", rpc_verdict(1, 1), false);
  add(111, "Regular", {}, true);
  report.rows.back().result.not_run = "would take some 7 minutes, the limit is 1";
  const nlohmann::json json = report_json(report);
  EXPECT_EQ(json["not_run"], 1);
  EXPECT_EQ(json["not_run_ids"], nlohmann::json({111}));
  EXPECT_EQ(json["by_category"]["Regular"]["not_run"], 1);
  EXPECT_FALSE(json["pairs"][3].contains("distinguished"));
  EXPECT_EQ(json["distinguished"], 1);
  EXPECT_EQ(json["unreliable"], 1);
  EXPECT_EQ(json["ids"], nlohmann::json({0}));
  EXPECT_EQ(json["wl_ids"], nlohmann::json({0, 60, 111}));
  EXPECT_EQ(json["disagreements"], nlohmann::json({60}));
  EXPECT_EQ(json["by_category"]["Regular"]["pairs"], 3);
  EXPECT_EQ(json["by_category"]["Regular"]["distinguished"], 0);
  const std::string text = report_text(report);
  EXPECT_THAT(text, HasSubstr("unreliable, not counted: 60"));
  EXPECT_THAT(text, HasSubstr("not run: 111, 10 nodes: would take some 7 minutes"));
  EXPECT_THAT(text, HasSubstr("50 of 140"));
  EXPECT_THAT(text, HasSubstr("270 of 400"));
}

}  // namespace
}  // namespace floydnet::brec
