#include "tasks/counting/data/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "floydnet/graph_io.h"

namespace floydnet::counting {
namespace {

std::string text(const Graph& graph) { return format_graph(graph, GraphFormat::kGraph6); }

TEST(RandomGraphs, AreRegularOnesWithAnEdgeLessForEachNode) {
  std::map<int64_t, int64_t> graphs_of_size;
  for (const Graph& graph : random_graphs(2000, 3)) {
    ++graphs_of_size[graph.nodes()];
    const auto shape =
        std::find_if(benchmark_shapes().begin(), benchmark_shapes().end(),
                     [&](const GraphShape& some) { return some.nodes == graph.nodes(); });
    ASSERT_NE(shape, benchmark_shapes().end());
    std::vector<int64_t> degrees(static_cast<size_t>(shape->nodes));
    for (const auto& [u, v] : graph.edges()) {
      ASSERT_NE(u, v);
      ++degrees[u];
      ++degrees[v];
    }
    EXPECT_EQ(static_cast<int64_t>(graph.edges().size()),
              shape->nodes * shape->degree / 2 - shape->nodes);
    EXPECT_LE(*std::max_element(degrees.begin(), degrees.end()), shape->degree);
  }
  for (const GraphShape& shape : benchmark_shapes()) {
    EXPECT_NEAR(static_cast<double>(graphs_of_size[shape.nodes]), 500, 100) << shape.nodes;
  }
}

TEST(RandomGraphs, DependOnSeedAndIndexAlone) {
  const std::vector<Graph> few = random_graphs(3, 11);
  EXPECT_EQ(text(few[2]), text(random_graph(11, 2)));
  EXPECT_NE(text(few[2]), text(random_graph(12, 2)));
  EXPECT_NE(text(few[2]), text(random_graph(11 + (uint64_t{1} << 32), 2)));
  EXPECT_EQ(text(random_graph(0, 0)), "Iz@ao[LRO");  // on any machine
}

}  // namespace
}  // namespace floydnet::counting
