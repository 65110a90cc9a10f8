#include "tasks/graphs/import/importers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "tasks/graphs/import/number_rows.h"
#include "weights/pickle_emitter.h"

namespace floydnet::graphs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Edge = Graph::Edge;

TEST(NumberRows, AreIntegersUnlessSomeAreNot) {
  const NumberRows rows = parse_number_rows("1, 2\r\n\n3,nan\n", "a.csv");
  EXPECT_EQ(rows.rows, 2);
  EXPECT_THAT(rows.column(Level::kNode, "x").integers, ElementsAre(1, 2, 3, -1));
  EXPECT_TRUE(parse_number_rows("1 2.5", "a").column(Level::kNode, "x").real);
  EXPECT_TRUE(parse_number_rows("-1\n2", "a").labels(Level::kGraph, "y").real);
  EXPECT_FALSE(parse_number_rows("-1\n2", "a").column(Level::kGraph, "y").real);
  EXPECT_EQ(parse_number_rows("1,,3", "a").width, 3);
  const auto message = [](const std::string& text) {
    return refusal([&] { parse_number_rows(text, "a.csv"); });
  };
  EXPECT_THAT(message("1\n2,3"), HasSubstr("a.csv: line 2: 2 numbers, wanted 1"));
  EXPECT_THAT(message("1\nx"), HasSubstr("a.csv: line 2: 'x' is no number"));
  EXPECT_THAT(message("inf"), HasSubstr("is no number"));
  EXPECT_THAT(message("99999999999999999"), HasSubstr("is no number"));
  EXPECT_THAT(refusal([] { parse_number_rows("1\n9", "a.csv").integers("a.csv", 0, 5); }),
              HasSubstr("row 1: 9, wanted 0 to 5"));
}

std::string longs_of(const std::vector<int64_t>& values) {
  std::string bytes;
  for (const int64_t value : values) append_little_endian(bytes, static_cast<uint64_t>(value));
  return bytes;
}

/// [rows, width] of integers, pickled plainly.
void add_matrix(pickle::Emitter& emitter, const std::vector<int64_t>& values, int64_t rows) {
  const auto count = static_cast<int64_t>(values.size());
  const int64_t width = rows == 0 ? 1 : count / rows;
  const std::vector<int64_t> shape =
      rows == 0 ? std::vector<int64_t>{count} : std::vector<int64_t>{rows, width};
  const std::vector<int64_t> stride =
      rows == 0 ? std::vector<int64_t>{1} : std::vector<int64_t>{width, 1};
  emitter.tensor_within(pickle::stored_within("LongStorage", count, longs_of(values)), shape,
                        stride);
}

/// A path 0 - 1 - 2 in both directions, with node labels.
std::string superpixels(const std::vector<int64_t>& labels, const std::vector<int64_t>& features) {
  pickle::Emitter list(4);
  list.op(pickle::kEmptyList).op(pickle::kMark);
  add_matrix(list, {5, 6, 7, 8, 9, 10}, 3);
  add_matrix(list, features, 4);
  add_matrix(list, {0, 1, 1, 2, 1, 0, 2, 1}, 2);
  add_matrix(list, labels, 0);
  return list.op(pickle::kTuple).op(pickle::kAppend).stop();
}

TEST(Lrgb, NodeLabelsFromPlainPickles) {
  const TemporaryFolder folder;
  ImportOptions options;
  options.path = folder.file("train.pickle");
  write_file_atomically(options.path, superpixels({0, 13, 90}, {1, 1, 2, 2}));
  options.coco = true;
  const GraphSet set = read_lrgb(options);
  set.check();
  EXPECT_FALSE(set.directed);
  EXPECT_THAT(set.edges, ElementsAre(Edge(0, 1), Edge(1, 2)));
  EXPECT_THAT(set.find(Level::kEdge, "x")->integers, ElementsAre(1, 2));
  EXPECT_EQ(set.find(Level::kNode, "x")->width, 2);
  EXPECT_THAT(set.find(Level::kNode, "y")->integers, ElementsAre(0, 12, 80));
  write_file_atomically(options.path, superpixels({0, 12, 90}, {1, 1, 2, 2}));
  EXPECT_THAT(refusal([&] { read_lrgb(options); }), HasSubstr("node_y: 12 is no id of COCO"));
}

TEST(Lrgb, EdgesWhoseDirectionsDifferStayDirected) {
  const TemporaryFolder folder;
  ImportOptions options;
  options.path = folder.file("train.pickle");
  write_file_atomically(options.path, superpixels({0, 1, 2}, {1, 1, 2, 3}));
  const GraphSet set = read_lrgb(options);
  EXPECT_TRUE(set.directed);
  EXPECT_EQ(set.edges.size(), 4U);
}

TEST(Lrgb, FaultsNameTheGraph) {
  const auto message = [](const std::string& bytes) {
    return refusal([&] { parse_lrgb(bytes, "val.pt"); });
  };
  EXPECT_THAT(message(superpixels({0, 1}, {1, 1, 2, 2})),
              HasSubstr("val.pt: graph 0, y: 2 rows, wanted 3"));
  pickle::Emitter list;
  list.op(pickle::kEmptyList).op(pickle::kMark);
  add_matrix(list, {5, 6, 7}, 3);
  add_matrix(list, {1}, 1);
  add_matrix(list, {0, 3}, 2);
  add_matrix(list, {0, 1, 2}, 0);
  EXPECT_THAT(message(list.op(pickle::kTuple).op(pickle::kAppend).stop()),
              HasSubstr("graph 0, edge_index: node 3 is out of range, the graph has 3"));
  EXPECT_THAT(message(pickle::Emitter().op(pickle::kEmptyList).stop()), HasSubstr("no graphs"));
}

TEST(Lrgb, FoldersNeedAllParts) {
  const TemporaryFolder folder;
  ImportOptions options;
  options.path = folder.path();
  write_file_atomically(folder.file("train.pickle"), superpixels({0, 1, 2}, {1, 1, 2, 2}));
  EXPECT_THAT(refusal([&] { read_lrgb(options); }), HasSubstr("has no val.pt or val.pickle"));
  write_file_atomically(folder.file("val.pickle"), superpixels({0, 1, 2}, {1, 1, 2, 2}));
  write_file_atomically(folder.file("test.pickle"), superpixels({2, 1, 2}, {1, 1, 2, 2}));
  const GraphSet set = read_lrgb(options);
  EXPECT_THAT(set.splits, ElementsAre(Split::kTrain, Split::kValidation, Split::kTest));
}

/// Two graphs: a triangle, whose edges are listed in no order, and an edge.
class TuFolderTest : public testing::Test {
 protected:
  TuFolderTest() {
    write("A", "1, 2\n4, 5\n2, 1\n2, 3\n3, 2\n5, 4\n3, 1\n1, 3\n");
    write("graph_indicator", "1\n1\n1\n2\n2\n");
    write("graph_labels", "1\n-1\n");
    write("node_labels", "3\n5\n3\n9\n9\n");
    write("edge_labels", "0\n7\n0\n1\n1\n7\n2\n2\n");
    write("node_attributes", "0.5, 1\n1, 2\n3, 4\n5, 6\n7, 8\n");
    options_.path = folder_.path();
  }

  void write(const std::string& part, const std::string& text) {
    write_file_atomically(folder_.file("DS_" + part + ".txt"), text);
  }
  std::string message() {
    return refusal([&] { read_tu(options_); });
  }

  const TemporaryFolder folder_;
  ImportOptions options_;
};

TEST_F(TuFolderTest, IsRead) {
  const GraphSet set = read_tu(options_);
  set.check();
  EXPECT_FALSE(set.directed);
  EXPECT_THAT(set.sizes, ElementsAre(3, 2));
  EXPECT_THAT(set.edges, ElementsAre(Edge(0, 1), Edge(1, 2), Edge(2, 0), Edge(0, 1)));
  EXPECT_THAT(set.find(Level::kEdge, "label")->integers, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(set.find(Level::kNode, "label")->integers, ElementsAre(0, 1, 0, 2, 2));
  EXPECT_THAT(set.find(Level::kGraph, "y")->integers, ElementsAre(1, 0));
  EXPECT_EQ(set.find(Level::kNode, "attribute")->width, 2);
}

TEST_F(TuFolderTest, FaultsNameFileAndLine) {
  write("A", "1, 2\n3, 4\n");
  EXPECT_THAT(message(), HasSubstr("DS_A.txt: line 2: an edge between two graphs"));
  write("A", "1, 6\n");
  EXPECT_THAT(message(), HasSubstr("DS_A.txt: line 1: 6 is no node, they are 1 to 5"));
  write("A", "1, 2\n2, 1\n");
  EXPECT_THAT(message(), HasSubstr("DS_edge_labels.txt: 8 rows, wanted 2, one for each edge"));
  write("graph_indicator", "1\n3\n1\n2\n2\n");
  EXPECT_THAT(message(), HasSubstr("DS_graph_indicator.txt: row 1: graph 3 follows graph 1"));
  ImportOptions other;
  other.path = folder_.file("absent");
  EXPECT_THAT(refusal([&] { read_tu(other); }), HasSubstr("has no NAME_A.txt"));
}

TEST(Graph6Set, TakesLabelsFromAFile) {
  const TemporaryFolder folder;
  write_file_atomically(folder.file("a.g6"), "Bw\nA_\n");
  write_file_atomically(folder.file("y.csv"), "0.5\n-2\n");
  ImportOptions options;
  options.path = folder.file("a.g6");
  EXPECT_TRUE(read_graph6_set(options).columns.empty());
  options.labels = folder.file("y.csv");
  const GraphSet set = read_graph6_set(options);
  set.check();
  EXPECT_THAT(set.sizes, ElementsAre(3, 2));
  EXPECT_THAT(set.find(Level::kGraph, "y")->reals, ElementsAre(.5F, -2));
  write_file_atomically(options.labels, "1\n");
  EXPECT_THAT(refusal([&] { read_graph6_set(options); }), HasSubstr("1 rows for 2 graphs"));
}

TEST(Importers, AreFoundByName) {
  for (const char* name : {"ogb", "lrgb", "tu", "graph6", "jsonl"}) {
    ASSERT_NE(find_importer(name), nullptr) << name;
  }
  EXPECT_EQ(find_importer("none"), nullptr);
}

}  // namespace
}  // namespace floydnet::graphs
