#include "tasks/graphs/data/graph_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "tasks/graphs/data/test_sets.h"

namespace floydnet::graphs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A path of three nodes and a single node, as ten lines of Python would write it.
NpzArchive plain_archive() {
  NpzArchive archive;
  archive["sizes"] = NpyArray::from<int64_t>({3, 1}, {2});
  archive["edges"] = NpyArray::from<int64_t>({0, 1, 1, 2}, {2, 2});
  archive["edge_counts"] = NpyArray::from<int64_t>({2, 0}, {2});
  archive["node_x"] = NpyArray::from<int64_t>({5, 6, 7, 8}, {4});
  archive["graph_y"] = NpyArray::from<double>({.5, NAN}, {2, 1});
  return archive;
}

std::string fault_of(const std::function<void(NpzArchive&)>& change) {
  NpzArchive archive = plain_archive();
  change(archive);
  return refusal([&] { parse_graph_file(format_npz(archive), "a.npz"); });
}

TEST(GraphFile, ReadsWhatNumpyWrites) {
  const GraphSet set = parse_graph_file(format_npz(plain_archive()));
  EXPECT_FALSE(set.directed);
  EXPECT_FALSE(set.pairs_listed);
  EXPECT_THAT(set.edge_offsets, ElementsAre(0, 2, 2));
  EXPECT_THAT(set.edges, ElementsAre(Graph::Edge(0, 1), Graph::Edge(1, 2)));
  EXPECT_THAT(set.find(Level::kNode, "x")->integers, ElementsAre(5, 6, 7, 8));
  const Column& y = *set.find(Level::kGraph, "y");
  EXPECT_TRUE(y.real);
  EXPECT_EQ(y.reals[0], .5F);
  EXPECT_TRUE(std::isnan(y.reals[1]));
}

TEST(GraphFile, NumpyHasNoTypeForAnEmptyList) {
  NpzArchive archive = plain_archive();
  archive["edges"] = NpyArray::from<double>({}, {0});
  archive["edge_counts"] = NpyArray::from<int64_t>({0, 0}, {2});
  EXPECT_TRUE(parse_graph_file(format_npz(archive)).edges.empty());
  archive.erase("edges");
  archive.erase("edge_counts");
  EXPECT_THAT(parse_graph_file(format_npz(archive)).edge_offsets, ElementsAre(0, 0, 0));
}

TEST(GraphFile, RoundTripsEverything) {
  const TemporaryFolder folder;
  const std::string path = folder.file("set.npz");
  GraphSet set = small_set();
  set.columns[0].integers[3] = int64_t{1} << 40;
  set.columns[0].integers[4] = -1;
  for (const bool directed : {false, true}) {
    set.directed = directed;
    write_graph_file(path, set);
    GraphSet again = read_graph_file(path);
    // Columns come back by name.
    EXPECT_EQ(again.columns.size(), set.columns.size());
    std::vector<Column> ordered;
    for (const Column& column : set.columns) {
      ASSERT_NE(again.find(column.level, column.name), nullptr);
      ordered.push_back(*again.find(column.level, column.name));
    }
    again.columns = ordered;
    EXPECT_TRUE(again == set);
  }
}

TEST(GraphFile, NothingIsWrittenOfAFaultySet) {
  const TemporaryFolder folder;
  const std::string path = folder.file("set.npz");
  GraphSet set = small_set();
  set.edges[0] = {0, 9};
  EXPECT_THROW(write_graph_file(path, set), std::invalid_argument);
  set = small_set();
  set.columns[1].name = "counts";
  EXPECT_THROW(write_graph_file(path, set), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(GraphFile, NamesTheArrayAndTheGraph) {
  EXPECT_THAT(fault_of([](NpzArchive& a) { a.erase("sizes"); }),
              HasSubstr("a.npz: has no array 'sizes'"));
  EXPECT_THAT(fault_of([](NpzArchive& a) { a["size"] = a["sizes"]; }),
              HasSubstr("unknown array 'size'; did you mean 'sizes'?"));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["sizes"] = NpyArray::from<double>({3, 1}, {2});
              }),
              HasSubstr("sizes: wanted integers, got f8"));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["sizes"] = NpyArray::from<int64_t>({3, 0}, {2});
              }),
              HasSubstr("sizes: graph 1 has 0 nodes"));
  EXPECT_THAT(fault_of([](NpzArchive& a) { a["sizes"] = NpyArray::from<int64_t>({}, {0}); }),
              HasSubstr("there are no graphs"));
  EXPECT_THAT(fault_of([](NpzArchive& a) { a["edges"].shape = {4}; }),
              HasSubstr("edges: the shape is [4], wanted [n, 2]"));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["edges"] = NpyArray::from<int64_t>({0, 1, 1, 3}, {2, 2});
              }),
              HasSubstr("edges: graph 0, edge 1: (1, 3) is out of range"));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["edges"] = NpyArray::from<int64_t>({0, 1, 1, int64_t{1} << 40}, {2, 2});
              }),
              HasSubstr("edges: row 1: no graph has a node 1099511627776"));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["edges"] = NpyArray::from<int64_t>({0, 1, 1, 0}, {2, 2});
              }),
              HasSubstr("the undirected edge (0, 1) is listed twice; list it once, or set"));
  EXPECT_THAT(fault_of([](NpzArchive& a) { a.erase("edge_counts"); }),
              HasSubstr("has no array 'edge_counts', how many each graph has"));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["edge_counts"] = NpyArray::from<int64_t>({2, 1}, {2});
              }),
              HasSubstr("edge_counts: graph 1: 1 of them, but 'edges' has 2 rows and 2 are taken"));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["edge_counts"] = NpyArray::from<int64_t>({1, 0}, {2});
              }),
              HasSubstr("edge_counts: the sum is 1, but 'edges' has 2 rows"));
  EXPECT_THAT(fault_of([](NpzArchive& a) { a["node_x"] = NpyArray::from<int64_t>({1}, {1}); }),
              HasSubstr("node_x: 1 rows of 1, wanted 4"));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["graph_y"] = NpyArray::from_strings({"a", "b"}, {2});
              }),
              HasSubstr("graph_y: wanted integers, got S1"));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["graph_y"] = NpyArray::from<double>({1, INFINITY}, {2});
              }),
              HasSubstr("graph_y: "));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["split"] = NpyArray::from<int64_t>({0, 3}, {2});
              }),
              HasSubstr("split: graph 1: 3, wanted 0 (training)"));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["names"] = NpyArray::from<int64_t>({0, 3}, {2});
              }),
              HasSubstr("names: wanted texts, got i8"));
  EXPECT_THAT(fault_of([](NpzArchive& a) {
                a["pairs"] = NpyArray::from<int64_t>({0, 3}, {1, 2});
              }),
              HasSubstr("has no array 'pair_counts'"));
}

TEST(GraphLines, OneGraphAnObject) {
  const GraphSet set = parse_graph_lines(
      R"({"nodes": 3, "edges": [[0, 1], [1, 2]], "node_x": [5, null, 7], "graph_y": [1, 2.5],)"
      R"( "edge_w": [1, 2], "split": "train", "name": "path", "pairs": [[0, 2]], "pair_c": [1]})"
      "\n\n"
      R"({"nodes": 1, "node_x": [8], "graph_y": [null, 4], "edge_w": [], "split": "test",)"
      R"( "name": "dot", "pairs": [], "pair_c": []})");
  EXPECT_THAT(set.sizes, ElementsAre(3, 1));
  EXPECT_THAT(set.find(Level::kNode, "x")->integers, ElementsAre(5, -1, 7, 8));
  const Column& y = *set.find(Level::kGraph, "y");
  EXPECT_EQ(y.width, 2);
  EXPECT_EQ(y.reals[1], 2.5F);
  EXPECT_TRUE(std::isnan(y.reals[2]));
  EXPECT_THAT(set.splits, ElementsAre(Split::kTrain, Split::kTest));
  EXPECT_THAT(set.names, ElementsAre("path", "dot"));
  EXPECT_THAT(set.pair_offsets, ElementsAre(0, 1, 1));
}

TEST(GraphLines, FaultsNameLineAndKey) {
  const auto message = [](const std::string& text) {
    return refusal([&] { parse_graph_lines(text, "a.jsonl"); });
  };
  const std::string first = R"({"nodes": 2, "edges": [[0, 1]], "graph_y": 1})"
                            "\n";
  EXPECT_THAT(message(""), HasSubstr("a.jsonl: there are no graphs"));
  EXPECT_THAT(message(first + "{"), HasSubstr("a.jsonl: line 2: not JSON"));
  EXPECT_THAT(message("[1]"), HasSubstr("line 1: not a JSON object"));
  EXPECT_THAT(message(R"({"node": 1})"), HasSubstr("unknown key 'node'; did you mean 'nodes'?"));
  EXPECT_THAT(message(R"({"nodes": 0})"), HasSubstr("\"nodes\": wanted the number of nodes, 1 to"));
  EXPECT_THAT(message(R"({"nodes": 2, "edges": [[0, 2]]})"),
              HasSubstr("\"edges\": '2' is no node, they are 0 to 1"));
  EXPECT_THAT(message(R"({"nodes": 2, "edges": [[0, 1], [1, 0]]})"), HasSubstr("listed twice"));
  EXPECT_THAT(message(R"({"nodes": 2, "node_x": [1]})"),
              HasSubstr("\"node_x\": wanted a list of 2 rows, one for each node"));
  EXPECT_THAT(message(R"({"nodes": 2, "node_x": [[1, 2], [3]]})"),
              HasSubstr("\"node_x\": a row has 1 numbers, wanted 2"));
  EXPECT_THAT(message(R"({"nodes": 2, "graph_y": "a"})"), HasSubstr("'\"a\"' is no number"));
  EXPECT_THAT(message(first + R"({"nodes": 2})"), HasSubstr("line 2: 'graph_y' is missing"));
  EXPECT_THAT(message(first + R"({"nodes": 2, "graph_y": 1, "graph_z": 1})"),
              HasSubstr("line 2: 'graph_z' is not in the first line"));
  EXPECT_THAT(message(first + R"({"nodes": 2, "graph_y": [1, 2]})"), HasSubstr("wanted 1"));
}

}  // namespace
}  // namespace floydnet::graphs
