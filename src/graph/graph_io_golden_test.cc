#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/file.h"
#include "base/test_data.h"
#include "floydnet/graph_io.h"

namespace floydnet {
namespace {

TEST(GraphIoGolden, CountingGraphsKeepTheirText) {
  FLOYDNET_REQUIRE_TEST_DATA("counting/graphs.g6");
  const std::string path = test_data("counting/graphs.g6");
  const std::vector<Graph> graphs = read_graphs(path);
  ASSERT_FALSE(graphs.empty());
  std::istringstream lines(read_file(path));
  for (const Graph& graph : graphs) {
    std::string line;
    ASSERT_TRUE(lines >> line);
    ASSERT_EQ(format_graph(graph, GraphFormat::kGraph6), line);
  }
}

TEST(GraphIoGolden, CountsMatchTheGraphs) {
  FLOYDNET_REQUIRE_TEST_DATA("counting/graphs.g6");
  FLOYDNET_REQUIRE_TEST_DATA("counting/golden_counts.npz");
  const std::vector<Graph> graphs = read_graphs(test_data("counting/graphs.g6"));
  const NpzArchive counts = read_npz(test_data("counting/golden_counts.npz"));
  ASSERT_FALSE(counts.empty());
  int64_t nodes = 0;
  int64_t pairs = 0;
  for (size_t i = 0; i < std::min<size_t>(graphs.size(), 100); ++i) {
    nodes += graphs[i].nodes();
    pairs += graphs[i].nodes() * graphs[i].nodes();
  }
  for (const auto& [name, array] : counts) {
    const int64_t wanted = name.rfind("graph/", 0) == 0  ? static_cast<int64_t>(graphs.size())
                           : name.rfind("node/", 0) == 0 ? nodes
                                                         : pairs;
    EXPECT_EQ(array.shape, std::vector<int64_t>{wanted}) << name;
    EXPECT_EQ(array.as<double>().size(), static_cast<size_t>(wanted)) << name;
  }
}

int64_t triangles(const Graph& graph) {
  const std::vector<uint8_t> edge = graph.adjacency();
  const auto n = static_cast<size_t>(graph.nodes());
  int64_t count = 0;
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = a + 1; b < n; ++b) {
      for (size_t c = b + 1; c < n; ++c) {
        count += edge[a * n + b] & edge[b * n + c] & edge[a * n + c];
      }
    }
  }
  return count;
}

TEST(GraphIoGolden, TrianglesOfTheGraphsAreTheGoldenOnes) {
  FLOYDNET_REQUIRE_TEST_DATA("counting/graphs.g6");
  FLOYDNET_REQUIRE_TEST_DATA("counting/golden_counts.npz");
  const std::vector<Graph> graphs = read_graphs(test_data("counting/graphs.g6"));
  const NpzArchive archive = read_npz(test_data("counting/golden_counts.npz"));
  const auto golden = archive.at("graph/cycle3").as<int64_t>();
  ASSERT_EQ(golden.size(), graphs.size());
  for (size_t i = 0; i < graphs.size(); ++i) ASSERT_EQ(triangles(graphs[i]), golden[i]) << i;
}

TEST(GraphIoGolden, CountsRoundTrip) {
  FLOYDNET_REQUIRE_TEST_DATA("counting/golden_counts.npz");
  const NpzArchive counts = read_npz(test_data("counting/golden_counts.npz"));
  EXPECT_TRUE(parse_npz(format_npz(counts, true)) == counts);
}

TEST(GraphIoGolden, BrecGraphsKeepTheirText) {
  for (const std::string name : {"basic", "regular", "str", "extension", "cfi", "4vtx", "dr"}) {
    const std::string file = "brec/" + name + ".npy";
    FLOYDNET_REQUIRE_TEST_DATA(file);
    const NpyArray array = read_npy(test_data(file));
    EXPECT_TRUE(parse_npy(format_npy(array)) == array) << file;
    const std::vector<std::string> texts = array.strings();
    ASSERT_FALSE(texts.empty()) << file;
    EXPECT_EQ(static_cast<int64_t>(texts.size()), array.elements());
    for (const std::string& text : texts) {
      EXPECT_EQ(format_graph(parse_graph(text, file), GraphFormat::kGraph6), text);
    }
  }
}

}  // namespace
}  // namespace floydnet
