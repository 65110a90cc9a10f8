// Tables of counts, their normalisation and their file.
#include "tasks/counting/data/counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/test_refusal.h"
#include "graph/families.h"
#include "tasks/counting/data/generator.h"

namespace floydnet::counting {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(CountTable, HoldsTheCountsOfEachGraphInTheRowsOfItsLayout) {
  const std::vector<Graph> graphs = random_graphs(150, 7);
  CountOptions options;
  options.threads = 3;
  int64_t last_done = 0;
  options.progress = [&](int64_t done) { last_done = std::max(last_done, done); };
  const CountTable table = count_patterns(graphs, benchmark_patterns(), options);
  EXPECT_EQ(last_done, 150);
  for (size_t i = 0; i < table.patterns.size(); ++i) {
    Counter counter(table.patterns[i]);
    for (const int64_t graph : {0, 64, 149}) {
      const Counts counts = counter.count(Target(graphs[static_cast<size_t>(graph)]));
      const CountColumn& column = table.columns[i];
      EXPECT_EQ(column.graphs[static_cast<size_t>(graph)], counts.graph);
      const int64_t* nodes = column.nodes.data() + table.layout(1).offset(graph);
      const int64_t* pairs = column.pairs.data() + table.layout(2).offset(graph);
      EXPECT_EQ(std::vector<int64_t>(nodes, nodes + counts.nodes.size()), counts.nodes);
      EXPECT_EQ(std::vector<int64_t>(pairs, pairs + counts.pairs.size()), counts.pairs);
    }
  }
}

TEST(CountTable, RefusalsNameTheGraph) {
  const auto message = [](const Graph& graph) {
    return refusal([&] { count_patterns({cycle_graph(3), graph}, benchmark_patterns()); });
  };
  EXPECT_THAT(message(Graph(3, {{0, 1}}, true)), HasSubstr("graph 1: the graph is directed"));
  EXPECT_THAT(message(Graph(3, {{2, 2}})), HasSubstr("graph 1: node 2 has a loop"));
  EXPECT_THAT(message(Graph(9000)), HasSubstr("graph 1: the graph has 9000 nodes"));
}

TEST(CountTable, TooLargeOnesAreRefusedBeforeCounting) {
  const std::vector<Graph> graphs(1000, Graph(2000));
  expect_refused_cheaply([&] { count_patterns(graphs, benchmark_patterns()); },
                         "need 387.6 GiB, the limit is 4.0 GiB");
}

TEST(Scale, IsTheDeviationWithOneLess) {
  const Scale scale = scale_of({1, 2, 6});
  EXPECT_DOUBLE_EQ(scale.mean, 3);
  EXPECT_DOUBLE_EQ(scale.deviation, std::sqrt(7.0));
  EXPECT_THAT(normalised({0, 7}, scale), ElementsAre(0, 7 / std::sqrt(7.0)));
  EXPECT_THAT(normalised({4, 4}, scale_of({4, 4})), ElementsAre(4, 4));  // nothing to divide by
  EXPECT_EQ(scale_of({5}).deviation, 0);
  EXPECT_EQ(scale_of({}).mean, 0);
}

TEST(CountArrays, CarryAllThatATrainerNeeds) {
  const std::vector<Graph> graphs = {cycle_graph(3), complete_graph(4)};
  const CountTable table = count_patterns(graphs, parse_patterns("cycle3,hom:A_"));
  const NpzArchive arrays = parse_npz(format_npz(to_arrays(table, graphs)));
  EXPECT_THAT(arrays.at("graph/cycle3").as<int64_t>(), ElementsAre(1, 4));
  EXPECT_THAT(arrays.at("node/cycle3").as<int64_t>(), ElementsAre(1, 1, 1, 3, 3, 3, 3));
  EXPECT_EQ(arrays.at("edge/cycle3").elements(), 25);
  EXPECT_THAT(arrays.at("graph/hom:A_").as<int64_t>(), ElementsAre(6, 12));
  EXPECT_THAT(arrays.at("graphs").strings(), ElementsAre("Bw", "C~"));
  EXPECT_THAT(arrays.at("patterns").strings(), ElementsAre("cycle3", "hom:A_"));
  EXPECT_THAT(arrays.at("sizes").as<int64_t>(), ElementsAre(3, 4));
  EXPECT_THAT(arrays.at("mean").as<double>(), ElementsAre(2.5, 9));
  EXPECT_THAT(arrays.at("deviation").as<double>(), ElementsAre(std::sqrt(4.5), std::sqrt(18.0)));
  EXPECT_THAT(arrays.at("edge_divisor").as<double>(), ElementsAre(6, 1));
}

TEST(CountArrays, LeaveOutLevelsThatWereNotCounted) {
  CountOptions options;
  options.levels = {false, false};
  const std::vector<Graph> graphs = {cycle_graph(3)};
  const CountTable table = count_patterns(graphs, parse_patterns("cycle3"), options);
  EXPECT_THAT(table.columns[0].nodes, IsEmpty());
  const NpzArchive arrays = to_arrays(table, graphs);
  EXPECT_EQ(arrays.count("graph/cycle3"), 1u);
  EXPECT_EQ(arrays.count("node/cycle3") + arrays.count("edge/cycle3"), 0u);
}

}  // namespace
}  // namespace floydnet::counting
