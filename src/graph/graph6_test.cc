#include <gtest/gtest.h>

#include <stdexcept>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/graph_io.h"
#include "graph/test_graphs.h"

namespace floydnet {
namespace {

using Edges = std::vector<Graph::Edge>;

void expect_round_trip(const Graph& graph, GraphFormat format) {
  const std::string text = format_graph(graph, format);
  EXPECT_TRUE(same_graph(parse_graph(text), graph)) << text;
  EXPECT_EQ(format_graph(parse_graph(text), format), text);
}

std::string graph_refusal(const std::string& text, const GraphLimits& limits = {}) {
  return refusal([&] { parse_graph(text, "g", limits); });
}

TEST(Graph6, RoundTripsRandomGraphsOfAllSizes) {
  std::vector<int64_t> sizes = {100, 200};
  for (int64_t nodes = 0; nodes <= 70; ++nodes) sizes.push_back(nodes);
  for (const int64_t nodes : sizes) {
    for (const double density : {0.0, 0.05, 0.5, 1.0}) {
      const auto seed = static_cast<uint32_t>(nodes);
      const Graph simple = RandomGraph{false, false, density}(nodes, seed);
      expect_round_trip(simple, GraphFormat::kGraph6);
      expect_round_trip(simple, GraphFormat::kSparse6);
      expect_round_trip(RandomGraph{false, true, density}(nodes, seed), GraphFormat::kSparse6);
      expect_round_trip(RandomGraph{true, true, density}(nodes, seed), GraphFormat::kDigraph6);
    }
  }
}

TEST(Graph6, RoundTripsEverySmallGraphWithLoops) {
  for (int64_t nodes = 0; nodes <= 4; ++nodes) {
    const int64_t pairs = nodes * (nodes + 1) / 2;
    for (int64_t mask = 0; mask < int64_t{1} << pairs; ++mask) {
      Graph graph(nodes);
      int64_t bits = mask;
      for (int64_t to = 0; to < nodes; ++to) {
        for (int64_t from = 0; from <= to; ++from, bits >>= 1) {
          if ((bits & 1) != 0) graph.add_edge(from, to);
        }
      }
      expect_round_trip(graph, GraphFormat::kSparse6);
    }
  }
}

TEST(Graph6, RoundTripsLoopsNearTheLastNodeWhereNodesAreAPowerOfTwo) {
  for (const int64_t nodes : {8, 16, 32, 64}) {
    for (int64_t v = 0; v < nodes; ++v) {
      for (int64_t x = 0; x <= v; ++x) {
        expect_round_trip(Graph(nodes, Edges{{static_cast<int32_t>(x), static_cast<int32_t>(v)}}),
                          GraphFormat::kSparse6);
      }
    }
  }
}

// The examples of the formats' definition.
TEST(Graph6, KnownVectors) {
  const Graph path = parse_graph("DQc");
  EXPECT_TRUE(same_graph(path, Graph(5, Edges{{0, 2}, {0, 4}, {1, 3}, {3, 4}})));
  EXPECT_EQ(format_graph(path, GraphFormat::kGraph6), "DQc");

  const Graph directed = parse_graph("&DI?AO?");
  EXPECT_TRUE(same_graph(directed, Graph(5, Edges{{0, 2}, {0, 4}, {3, 1}, {3, 4}}, true)));
  EXPECT_EQ(format_graph(directed, GraphFormat::kDigraph6), "&DI?AO?");

  const Graph sparse = parse_graph(":Fa@x^");
  EXPECT_TRUE(same_graph(sparse, Graph(7, Edges{{0, 1}, {0, 2}, {1, 2}, {5, 6}})));
  EXPECT_EQ(format_graph(sparse, GraphFormat::kSparse6), ":Fa@x^");
}

TEST(Graph6, HeadersAreOptional) {
  EXPECT_TRUE(same_graph(parse_graph(">>graph6<<DQc"), parse_graph("DQc")));
  EXPECT_TRUE(same_graph(parse_graph(">>digraph6<<&DI?AO?"), parse_graph("&DI?AO?")));
  EXPECT_TRUE(same_graph(parse_graph(">>sparse6<<:Fa@x^"), parse_graph(":Fa@x^")));
  EXPECT_EQ(graph_refusal(">>graph6<<:Fa@x^"),
            "g: byte 10: the graph is not of the kind that its header announces");
  EXPECT_EQ(graph_refusal(">>sparse6<<"), "g: byte 11: no graph");
}

TEST(Graph6, NodeCountsInAllThreeForms) {
  GraphLimits limits;
  limits.max_nodes = 1'000'000;
  const std::pair<int64_t, std::string> counts[] = {{0, ":?"},
                                                    {62, ":}"},
                                                    {63, ":~??~"},
                                                    {12345, ":~B?x"},
                                                    {258047, ":~}~~"},
                                                    {258048, ":~~???~??"},
                                                    {460175, ":~~??@oUN"}};
  for (const auto& [nodes, text] : counts) {
    EXPECT_EQ(format_graph(Graph(nodes), GraphFormat::kSparse6), text);
    EXPECT_EQ(parse_graph(text, "g", limits).nodes(), nodes);
  }
  EXPECT_EQ(format_graph(Graph(460175067), GraphFormat::kSparse6), ":~~?ZZZZZ");
  EXPECT_TRUE(same_graph(parse_graph("~??DQc"), parse_graph("DQc")));
  EXPECT_TRUE(same_graph(parse_graph("~~?????DQc"), parse_graph("DQc")));
}

TEST(Graph6, NamesTheByteOfTheFault) {
  EXPECT_EQ(graph_refusal(""), "g: byte 0: no graph");
  EXPECT_EQ(graph_refusal(":"), "g: byte 1: the text ends within the number of nodes");
  EXPECT_EQ(graph_refusal("~?"), "g: byte 2: the text ends within the number of nodes");
  EXPECT_EQ(graph_refusal("~~?????"), "g: byte 7: the text ends within the number of nodes");
  EXPECT_EQ(graph_refusal("D c"), "g: byte 1: the character ' ' is outside '?'..'~'");
  EXPECT_EQ(graph_refusal("DQ\xff"), "g: byte 2: the character '\\xff' is outside '?'..'~'");
  EXPECT_EQ(graph_refusal("DQc\r"), "g: byte 3: the character '\\x0d' is outside '?'..'~'");
  EXPECT_EQ(graph_refusal("DQ"),
            "g: byte 2: the text ends early: 5 nodes take 2 characters, not 1");
  EXPECT_EQ(graph_refusal("DQc?"), "g: byte 3: the text goes on: 5 nodes take 2 characters, not 3");
  EXPECT_EQ(graph_refusal("&DI?AO"),
            "g: byte 6: the text ends early: 5 nodes take 5 characters, not 4");
  EXPECT_EQ(graph_refusal("DQd"), "g: byte 2: the bits after the last pair of nodes must be zero");
  EXPECT_EQ(graph_refusal("&A~"), "g: byte 2: the bits after the last pair of nodes must be zero");
}

TEST(Graph6, SparsePadding) {
  EXPECT_EQ(graph_refusal(":Fa@x]"), "g: byte 5: the bits after the last edge must be ones");
  EXPECT_EQ(graph_refusal(":Fa@x^~"), "g: byte 6: the text goes on after the last edge");
  EXPECT_EQ(graph_refusal(":?~"), "g: byte 2: the text goes on after the last edge");
  EXPECT_EQ(graph_refusal(":A?"),
            "g: byte 2: the edge 0-0 is repeated; parallel edges are not "
            "supported");
  // n = 2, the loop at 0: padding of ones alone would add the loop at 1.
  EXPECT_EQ(format_graph(Graph(2, Edges{{0, 0}}), GraphFormat::kSparse6), ":AF");
  EXPECT_TRUE(same_graph(parse_graph(":AF"), Graph(2, Edges{{0, 0}})));
  EXPECT_TRUE(same_graph(parse_graph(":AN"), Graph(2, Edges{{0, 0}, {1, 1}})));
}

TEST(Graph6, HoldsInputToItsLimits) {
  GraphLimits limits;
  limits.max_nodes = 4;
  EXPECT_EQ(graph_refusal("DQc", limits), "g: byte 0: 5 nodes are claimed; the limit is 4");
  limits = {};
  limits.max_edges = 3;
  EXPECT_EQ(graph_refusal("DQc", limits), "g: byte 1: more edges than the limit of 3");
  EXPECT_EQ(graph_refusal("&DI?AO?", limits), "g: byte 2: more edges than the limit of 3");
  EXPECT_EQ(graph_refusal(":Fa@x^", limits), "g: byte 4: more edges than the limit of 3");
}

TEST(Graph6, RefusesImpossibleSizesAtOnce) {
  for (const std::string mark : {"", "&", ":"}) {
    expect_refused_cheaply([&] { parse_graph(mark + "~~~~~~~~"); },
                           "68719476735 nodes are claimed; the limit is 100000");
    expect_refused_cheaply(
        [&] {
          GraphLimits limits;
          limits.max_nodes = INT64_MAX;
          parse_graph(mark + "~~~~~~~~", "g", limits);
        },
        "68719476735 nodes are claimed; the limit is 2147483647");
  }
  expect_refused_cheaply([] { parse_graph("~W??"); }, "the text ends early");
}

TEST(Graph6, RefusesToWriteWhatAFormatCannotHold) {
  const Graph loop(2, Edges{{0, 0}});
  const Graph directed(2, true);
  EXPECT_THROW(format_graph(loop, GraphFormat::kGraph6), std::invalid_argument);
  EXPECT_THROW(format_graph(loop, GraphFormat::kDigraph6), std::invalid_argument);
  EXPECT_THROW(format_graph(directed, GraphFormat::kGraph6), std::invalid_argument);
  EXPECT_THROW(format_graph(directed, GraphFormat::kSparse6), std::invalid_argument);
}

TEST(Graph6, FilesHaveOneGraphALine) {
  const TemporaryFolder folder;
  const std::string path = folder.file("graphs.g6");
  const std::vector<Graph> graphs = {Graph(0), RandomGraph{}(9, 1), RandomGraph{}(80, 2)};
  write_graphs(path, graphs, GraphFormat::kGraph6);
  const std::vector<Graph> read = read_graphs(path);
  ASSERT_EQ(read.size(), graphs.size());
  for (size_t i = 0; i < read.size(); ++i) EXPECT_TRUE(same_graph(read[i], graphs[i]));

  write_file_atomically(path, ">>graph6<<DQc\r\n\n:Fa@x^\nD!c");
  EXPECT_EQ(refusal([&] { read_graphs(path); }),
            path + ": line 4: byte 1: the character '!' is outside '?'..'~'");
}

}  // namespace
}  // namespace floydnet
